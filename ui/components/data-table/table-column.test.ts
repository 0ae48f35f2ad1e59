import { describe, expect, it } from 'vitest';
import { initialLayout, moveColumn, resizeColumn, setColumnVisible } from '#ui/lib/columns.ts';
import {
  gridTemplate,
  minimumWidth,
  nextSort,
  readSort,
  type TableColumn,
  visibleColumns,
  writeSort,
} from './table-column.ts';

const COLUMNS: readonly TableColumn<string>[] = [
  { id: 'name', header: 'Name', size: 200, render: String },
  { id: 'input', header: 'Input', size: 300, grows: true, render: String },
  { id: 'start', header: 'Start', size: 120, isSortable: true, render: String },
];
const LAYOUT = initialLayout(COLUMNS);

describe('the order of rows', () => {
  it('begins with the largest, and turns with the next press', () => {
    const byStart = { column: 'start', direction: 'desc' } as const;
    expect(nextSort(byStart, 'start')).toEqual({ column: 'start', direction: 'asc' });
    expect(nextSort({ column: 'start', direction: 'asc' }, 'start')).toEqual(byStart);
    expect(nextSort(byStart, 'latency')).toEqual({ column: 'latency', direction: 'desc' });
  });

  it('reads back from the address, and is the first one where the address names none', () => {
    const initial = { column: 'start', direction: 'desc' } as const;
    const sort = { column: 'latency', direction: 'asc' } as const;
    expect(readSort(writeSort(sort), ['start', 'latency'], initial)).toEqual(sort);
    for (const text of [undefined, '', 'latency', 'latency:up', 'name:asc', ':asc'])
      expect(readSort(text, ['start', 'latency'], initial), text).toBe(initial);
  });
});

describe('visible columns', () => {
  it('are those that are not hidden, in the order of the layout', () => {
    const layout = moveColumn(setColumnVisible(LAYOUT, 'input', false), 'start', 0);
    expect(visibleColumns(COLUMNS, layout).map(({ id }) => id)).toEqual(['start', 'name']);
  });
});

describe('the tracks of a row', () => {
  it('share what is left among the columns that grow', () => {
    expect(gridTemplate(COLUMNS, LAYOUT)).toBe('200px minmax(300px, 300fr) 120px');
    expect(minimumWidth(COLUMNS, LAYOUT)).toBe(620);
  });

  it('give way down to what they keep where the table has too little room', () => {
    const narrowing = COLUMNS.map((column) => ({ ...column, shrinksTo: column.size / 2 }));
    const layout = resizeColumn(LAYOUT, COLUMNS, 'start', 110);
    expect(gridTemplate(narrowing, layout)).toBe('minmax(100px, 200px) minmax(150px, 300fr) 110px');
    expect(minimumWidth(narrowing, layout)).toBe(360);
  });

  it('keep the width that a column was given, and leave the rest empty', () => {
    const layout = resizeColumn(LAYOUT, COLUMNS, 'input', 250);
    expect(gridTemplate(COLUMNS, layout)).toBe('200px 250px 120px minmax(0, 1fr)');
    expect(minimumWidth(COLUMNS, layout)).toBe(570);
  });
});
