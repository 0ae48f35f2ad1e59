import { describe, expect, it } from 'vitest';
import { parseFilter } from './parse-filter.ts';
import { filterVocabulary } from './vocabulary.ts';

describe.each(['span', 'trace', 'session'] as const)('the vocabulary of %ss', (grain) => {
  const terms = filterVocabulary(grain);

  it('names each thing once', () => {
    const names = terms.map(({ name, type, iterableName }) => `${iterableName ?? ''}.${name} ${type === 'annotation'}`);
    expect(names).toHaveLength(new Set(names).size);
  });

  it('names what filters can use', () => {
    const fields = terms.filter(
      ({ iterableName, type, name }) =>
        iterableName === null && type !== 'collection' && type !== 'annotation' && !name.startsWith('any_'),
    );
    for (const { name } of fields) expect(parseFilter(grain, `${name} is None`).diagnostics).toEqual([]);
    const collections = terms.filter(({ iterableName, type }) => iterableName === null && type === 'collection');
    expect(collections.length).toBeGreaterThan(0);
    for (const { name } of collections) {
      for (const { name: field } of terms.filter(
        ({ iterableName, type }) => iterableName === name && type !== 'collection',
      )) {
        expect(parseFilter(grain, `any(x.${field} is None for x in ${name})`).diagnostics).toEqual([]);
      }
    }
  });
});
