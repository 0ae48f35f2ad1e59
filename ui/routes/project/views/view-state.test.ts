import { describe, expect, it } from 'vitest';
import { formatViewContent, readViewContent } from '#domain/saved-view';
import { initialLayout, moveColumn, resizeColumn, setColumnVisible } from '#ui/lib/columns.ts';
import { changedParts, type TableState, toContent, toSearch } from './view-state.ts';

const SPECS = [
  { id: 'name', size: 180 },
  { id: 'tokens', size: 80 },
  { id: 'cost', size: 80, isHiddenAtFirst: true },
];

const STATE: TableState = {
  filter: 'name == "a"',
  range: { kind: 'last', minutes: 60 },
  sort: { column: 'start', direction: 'desc' },
  group: undefined,
  spans: 'roots',
  density: 'compact',
  layout: initialLayout(SPECS),
  attributes: ['a.b'],
};

/** What is kept of the table, as it comes back from the server. */
const keep = (state: TableState) => readViewContent(formatViewContent(toContent(state)));
const changed = (change: Partial<TableState>) => changedParts(keep(STATE), { ...STATE, ...change }, SPECS);

describe('a table', () => {
  it('is as in the view that was saved of it', () => {
    expect(changed({})).toEqual([]);
    expect(changed({ layout: setColumnVisible(STATE.layout, 'name', true) })).toEqual([]);
  });

  it.each<[string, Partial<TableState>]>([
    ['filter', { filter: null }],
    ['filter', { spans: undefined }],
    ['time range', { range: { kind: 'all' } }],
    ['order', { sort: { column: 'start', direction: 'asc' } }],
    ['row height', { density: 'tall' }],
    ['columns', { layout: moveColumn(STATE.layout, 'tokens', 0) }],
    ['columns', { layout: setColumnVisible(STATE.layout, 'cost', true) }],
    ['columns', { layout: resizeColumn(STATE.layout, SPECS, 'name', 300) }],
    ['columns', { attributes: [] }],
  ])('has another %s', (part, change) => {
    expect(changed(change)).toEqual([part]);
  });

  it('has other columns by nature where it is grouped', () => {
    expect(
      changed({ group: 'model', layout: initialLayout([{ id: 'count', size: 80 }]), attributes: undefined }),
    ).toEqual(['grouping']);
  });

  it('has columns that came after the view was saved', () => {
    const specs = [...SPECS, { id: 'new', size: 80 }];
    expect(changedParts(keep(STATE), { ...STATE, layout: initialLayout(specs) }, specs)).toEqual([]);
  });

  it('is free in what the view leaves out, but for filter and grouping', () => {
    expect(changedParts({}, { ...STATE, group: 'model' }, SPECS)).toEqual(['filter', 'grouping']);
    expect(changedParts({}, { ...STATE, filter: null, spans: undefined }, SPECS)).toEqual([]);
  });
});

describe('an address', () => {
  it('says all of a view that is no matter of columns, and nothing of another one', () => {
    expect(toSearch(keep(STATE))).toEqual({
      filter: 'name == "a"',
      sort: 'start:desc',
      group: undefined,
      spans: 'roots',
      range: '1h',
      start: undefined,
      end: undefined,
    });
    expect(toSearch({})).toEqual({ filter: undefined, sort: undefined, group: undefined, spans: undefined });
    expect(toSearch({ range: 'nonsense' })).not.toHaveProperty('range');
  });
});
