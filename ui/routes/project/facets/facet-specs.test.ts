import { expect, it } from 'vitest';
import { addFacetValue, facetValues } from '#filter/facet-terms';
import { annotationFacets, attributeFacets } from './facet-specs.ts';

it('makes facets of attributes by the name that filters have for them', () => {
  const paths = [
    'input.value',
    'llm.model_name',
    'metadata.tenant',
    'llm.input_messages.0.role',
    'http-route',
    'input.mime_type',
  ];
  expect(attributeFacets('span', paths).map(({ by }) => by)).toEqual([
    'metadata.tenant',
    "attributes['http-route']",
    'input.mime_type',
  ]);
  expect(attributeFacets('trace', ['user.id', 'session.id', 'llm.provider']).map(({ by }) => by)).toEqual([
    "attributes['llm.provider']",
  ]);
});

it('makes facets of the labels of annotations, whose values are terms of filters', () => {
  for (const grain of ['span', 'trace', 'session'] as const) {
    const [spec] = annotationFacets(grain, ["it's done"]);
    const filter = ['yes', 'no'].reduce((text, label) => addFacetValue(grain, text, spec?.by ?? '', label) ?? '', '');
    expect(filter).toMatch(/annotations\["it's done"\]\.label in \['yes', 'no'\]$/);
    expect(facetValues(grain, filter, spec?.by ?? '')).toEqual(['yes', 'no']);
  }
});
