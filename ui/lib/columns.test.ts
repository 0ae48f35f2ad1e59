import { describe, expect, it } from 'vitest';
import {
  type ColumnSpec,
  initialLayout,
  isVisible,
  MAX_COLUMN_SIZE,
  MIN_COLUMN_SIZE,
  moveColumn,
  readLayout,
  resizeColumn,
  setColumnVisible,
  stepColumn,
} from './columns.ts';

const SPECS: readonly ColumnSpec[] = [
  { id: 'name', size: 200, canHide: false },
  { id: 'input', size: 300 },
  { id: 'user', size: 100, isHiddenAtFirst: true },
  { id: 'start', size: 120, minSize: 90 },
];
const INITIAL = initialLayout(SPECS);

describe('the layout nobody has touched', () => {
  it('has the order of the table and hides what the table hides', () => {
    expect(INITIAL.order).toEqual(['name', 'input', 'user', 'start']);
    expect(SPECS.filter(({ id }) => isVisible(INITIAL, id)).map(({ id }) => id)).toEqual(['name', 'input', 'start']);
  });
});

describe('a kept layout', () => {
  it('comes back from text as it was', () => {
    const moved = moveColumn(INITIAL, 'start', 0);
    const layout = setColumnVisible(
      setColumnVisible(resizeColumn(moved, SPECS, 'input', 420), 'user', true),
      'input',
      false,
    );
    expect(readLayout(JSON.parse(JSON.stringify(layout)), SPECS)).toEqual(layout);
  });

  it('loses columns that are gone and takes new ones where the table has them', () => {
    const stored = { order: ['start', 'gone', 'name'], visibility: { gone: false }, sizes: { gone: 90 } };
    expect(readLayout(stored, SPECS)).toEqual({
      order: ['start', 'name', 'input', 'user'],
      visibility: { user: false },
      sizes: {},
    });
  });

  it('never hides a column that cannot be hidden', () => {
    expect(isVisible(readLayout({ visibility: { name: false } }, SPECS), 'name')).toBe(true);
  });

  it('is bounded where somebody wrote nonsense', () => {
    const { sizes } = readLayout({ sizes: { name: -5, input: 1e9, start: 'wide', user: Number.NaN } }, SPECS);
    expect(sizes).toEqual({ name: MIN_COLUMN_SIZE, input: MAX_COLUMN_SIZE });
    for (const stored of [undefined, null, 7, 'x', [], { order: 'x' }, { order: [1, null, 'name', 'name'] }])
      expect(readLayout(stored, SPECS)).toEqual(INITIAL);
  });

  it('takes no place or name from what every object has', () => {
    const odd: ColumnSpec[] = [{ id: 'constructor', size: 100 }];
    expect(readLayout({}, odd)).toEqual({ order: ['constructor'], visibility: {}, sizes: {} });
  });
});

describe('a column', () => {
  it('moves to a place, and no further than the ends', () => {
    expect(moveColumn(INITIAL, 'start', 1).order).toEqual(['name', 'start', 'input', 'user']);
    expect(moveColumn(INITIAL, 'name', 99).order).toEqual(['input', 'user', 'start', 'name']);
    expect(moveColumn(INITIAL, 'input', -3).order).toEqual(['input', 'name', 'user', 'start']);
    expect(moveColumn(INITIAL, 'nobody', 0)).toBe(INITIAL);
  });

  it('steps over hidden neighbours', () => {
    expect(stepColumn(INITIAL, 'input', 1).order).toEqual(['name', 'user', 'start', 'input']);
    expect(stepColumn(INITIAL, 'start', -1).order).toEqual(['name', 'start', 'input', 'user']);
  });

  it('stays at the end it has reached, and where it is hidden', () => {
    expect(stepColumn(INITIAL, 'name', -1)).toBe(INITIAL);
    expect(stepColumn(INITIAL, 'start', 1)).toBe(INITIAL);
    expect(stepColumn(INITIAL, 'user', 1)).toBe(INITIAL);
  });

  it('is as wide as it allows', () => {
    expect(resizeColumn(INITIAL, SPECS, 'start', 10).sizes).toEqual({ start: 90 });
    expect(resizeColumn(INITIAL, SPECS, 'input', 333.4).sizes).toEqual({ input: 333 });
    expect(resizeColumn(INITIAL, SPECS, 'nobody', 100)).toBe(INITIAL);
  });
});
