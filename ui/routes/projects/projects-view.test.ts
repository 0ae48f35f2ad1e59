import { expect, it } from 'vitest';
import { readProjectsSearch } from './projects-search.ts';
import { nextProjectsSort, readProjectsSort } from './projects-view.ts';

it('reads the order that an address names, the latest activity first where it names none', () => {
  expect(readProjectsSort('cost:asc')).toEqual({ column: 'cost', direction: 'asc' });
  for (const text of [undefined, '', 'cost', 'size:asc', 'cost:up'])
    expect(readProjectsSort(text)).toEqual({ column: 'activity', direction: 'desc' });
});

it('begins with the largest, names with A, and turns round when pressed again', () => {
  const byCost = nextProjectsSort({ column: 'activity', direction: 'desc' }, 'cost');
  expect(byCost).toEqual({ column: 'cost', direction: 'desc' });
  expect(nextProjectsSort(byCost, 'cost').direction).toBe('asc');
  expect(nextProjectsSort(byCost, 'name').direction).toBe('asc');
});

it('leaves out of an address what makes no sense', () => {
  expect(readProjectsSearch({ range: '7d', sort: 3, start: null })).toEqual({
    range: '7d',
    start: undefined,
    end: undefined,
    sort: undefined,
  });
});
