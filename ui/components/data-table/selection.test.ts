import { describe, expect, it } from 'vitest';
import {
  isSelected,
  keepOnly,
  markOf,
  NOTHING_SELECTED,
  type Selection,
  selectAll,
  selectRange,
  togglePage,
  toggleRow,
} from './selection.ts';

const LOADED = ['a', 'b', 'c', 'd', 'e', 'f'];

const ids = (selection: Selection) => [...selection.ids].toSorted().join('');
const toggle = (selection: Selection, id: string) => toggleRow(selection, id);
const extend = (selection: Selection, id: string) => selectRange(selection, LOADED, undefined, id);

describe('a row', () => {
  it('is selected and taken out, each for itself', () => {
    const two = toggle(toggle(NOTHING_SELECTED, 'b'), 'd');
    expect(ids(two)).toBe('bd');
    expect(ids(toggle(two, 'b'))).toBe('d');
  });

  it('is taken out of everything, and goes back', () => {
    const rest = toggle(selectAll(), 'c');
    expect(['b', 'c', 'not loaded'].map((id) => isSelected(rest, id))).toEqual([true, false, true]);
    expect(isSelected(toggle(rest, 'c'), 'c')).toBe(true);
  });
});

describe('a range', () => {
  it('goes from the row that was pressed last, in both directions', () => {
    expect(ids(extend(toggle(NOTHING_SELECTED, 'b'), 'd'))).toBe('bcd');
    expect(ids(extend(toggle(NOTHING_SELECTED, 'e'), 'c'))).toBe('cde');
  });

  it('takes the place of the range from the same row, and of nothing else', () => {
    const begun = toggle(toggle(NOTHING_SELECTED, 'a'), 'd');
    expect(ids(extend(extend(begun, 'f'), 'e'))).toBe('ade');
    expect(ids(extend(extend(begun, 'f'), 'c'))).toBe('acd');
  });

  it('begins where it is told to, if no row was pressed or it is not loaded', () => {
    expect(ids(selectRange(NOTHING_SELECTED, LOADED, 'c', 'e'))).toBe('cde');
    expect(ids(selectRange(toggle(NOTHING_SELECTED, 'x'), LOADED, 'c', 'd'))).toBe('cdx');
    expect(ids(extend(NOTHING_SELECTED, 'c'))).toBe('c');
  });

  it('does not end at a row that is not loaded, and adds nothing to everything', () => {
    const one = toggle(NOTHING_SELECTED, 'a');
    expect(extend(one, 'x')).toBe(one);
    const all = selectAll();
    expect(extend(all, 'c')).toBe(all);
  });
});

describe('a page', () => {
  it('is selected beside what is selected elsewhere, and taken out when all of it is', () => {
    const page = togglePage(toggle(NOTHING_SELECTED, 'x'), LOADED);
    expect(ids(page)).toBe('abcdefx');
    expect(ids(togglePage(page, LOADED))).toBe('x');
  });

  it('takes everything out of everything', () => {
    expect(togglePage(selectAll(), LOADED)).toBe(NOTHING_SELECTED);
  });

  it('is marked as selected, partly selected or not selected', () => {
    expect(markOf(NOTHING_SELECTED, LOADED)).toBe('none');
    expect(markOf(toggle(NOTHING_SELECTED, 'x'), LOADED)).toBe('none');
    expect(markOf(toggle(NOTHING_SELECTED, 'b'), LOADED)).toBe('some');
    expect(markOf(togglePage(NOTHING_SELECTED, LOADED), LOADED)).toBe('all');
    expect(markOf(selectAll(), LOADED)).toBe('all');
    expect(markOf(toggle(selectAll(), 'b'), LOADED)).toBe('some');
    expect(markOf(selectAll(), [])).toBe('none');
  });
});

describe('another list', () => {
  it('keeps of the selected rows those that it has', () => {
    const two = toggle(toggle(NOTHING_SELECTED, 'b'), 'd');
    expect(ids(keepOnly(two, ['d', 'e']))).toBe('d');
    expect(keepOnly(two, LOADED)).toBe(two);
  });

  it('keeps nothing of everything', () => {
    expect(keepOnly(selectAll(), LOADED)).toBe(NOTHING_SELECTED);
  });
});
