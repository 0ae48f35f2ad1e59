import { expect, it } from 'vitest';
import { attributeFacets } from './facet-specs.ts';

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
