import { describe, expect, it } from 'vitest';
import { INDENT_STEP_PX, indentFor, indentRoom, isTooDeepForFigures, WHOLE_STEP_LEVELS } from './indent.ts';

describe('indentFor', () => {
  it('gives whole steps to levels near the root, however deep the trace is', () => {
    for (let depth = 0; depth <= WHOLE_STEP_LEVELS; depth++) {
      expect(indentFor(depth, 10_000, 200)).toBe(depth * INDENT_STEP_PX);
    }
  });

  it('gives whole steps to all levels where there is room', () => {
    expect(indentFor(10, 10, 400)).toBe(10 * INDENT_STEP_PX);
  });

  it('shares what is left among deeper levels, each further in than the one above', () => {
    const steps = Array.from({ length: 101 }, (_, depth) => indentFor(depth, 100, 300));
    expect(steps.at(-1)).toBeCloseTo(300);
    for (let depth = 1; depth <= 100; depth++)
      expect(Number(steps[depth]) - Number(steps[depth - 1])).toBeGreaterThan(2);
  });

  it('never leaves the room it is given, at any depth', () => {
    expect(indentFor(9999, 9999, 240)).toBeCloseTo(240);
    expect(indentFor(9999, 9999, 10)).toBe(WHOLE_STEP_LEVELS * INDENT_STEP_PX);
  });
});

describe('a deep tree', () => {
  it.each([360, 541, 620, 900, 1400])('leaves room for names in a column of %i pixels', (width) => {
    const figures = isTooDeepForFigures(120, width) ? 56 : 420;
    const indent = indentFor(120, 120, indentRoom(width));
    // Paddings, fold, icon and depth; what is left is the name's.
    expect(width - indent - figures - 36 - 70).toBeGreaterThan(100);
  });

  it('keeps its figures where it is not deep, or there is room for both', () => {
    expect(isTooDeepForFigures(6, 541)).toBe(false);
    expect(isTooDeepForFigures(120, 541)).toBe(true);
    expect(isTooDeepForFigures(120, 1400)).toBe(false);
  });
});
