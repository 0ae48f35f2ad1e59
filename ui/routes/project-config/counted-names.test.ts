import { expect, it } from 'vitest';
import { describeNamed, sortNames, titleOfName } from './counted-names.ts';

it('are listed by name, each from spans to documents, with notes at the end', () => {
  const of = (...names: readonly string[]) => names.map((name) => ({ name, count: 1 }));
  const names = sortNames({ span: of('b', 'note'), trace: of('a', 'b'), session: [], document: of('z') });
  expect(names.map(({ name, target }) => `${name} ${target}`)).toEqual([
    'a trace',
    'b span',
    'b trace',
    'z document',
    'note span',
  ]);
  expect(names.map(titleOfName)).toEqual(['a', 'b', 'b', 'z', 'Notes']);
});

it('are told with their number', () => {
  expect(describeNamed({ target: 'span', name: 'tone' }, 1234)).toBe('1,234 annotations “tone” on spans');
  expect(describeNamed({ target: 'trace', name: 'note' }, 1)).toBe('1 note on traces');
});
