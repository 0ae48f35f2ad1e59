import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EqualRun, findEqualRuns, longestRise, Numbering } from './sequence-diff.ts';

const SEED = { seed: 72, numRuns: 300 };
const sequences = fc.tuple(
  fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 40 }),
  fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 40 }),
);

describe('what two sequences have in common', () => {
  it('is equal, in order, and as long as can be', () => {
    fc.assert(
      fc.property(sequences, ([left, right]) => {
        const runs = findEqualRuns(left, right, 100) ?? [];
        let [leftEnd, rightEnd] = [0, 0];
        for (const run of runs) {
          expect(run.left).toBeGreaterThanOrEqual(leftEnd);
          expect(run.right).toBeGreaterThanOrEqual(rightEnd);
          expect(left.slice(run.left, run.left + run.length)).toEqual(right.slice(run.right, run.right + run.length));
          [leftEnd, rightEnd] = [run.left + run.length, run.right + run.length];
        }
        expect(lengthOf(runs)).toBe(commonLength(left, right));
      }),
      SEED,
    );
  });

  it('is given up where there are more differences than may be looked for', () => {
    const left = Array.from({ length: 100 }, (_, place) => place);
    const right = left.map((value) => value + 1000);
    expect(findEqualRuns(left, right, 199)).toBeUndefined();
    expect(findEqualRuns(left, right, 200)).toEqual([]);
    expect(findEqualRuns([...left, ...right], [...left, 7, ...right], 1)).toEqual([
      { left: 0, right: 0, length: 100 },
      { left: 100, right: 101, length: 100 },
    ]);
  });
});

it('a longest rise is found', () => {
  expect(longestRise([3, 1, 2, 5, 4, 9])).toHaveLength(4);
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { maxLength: 12 }), (values) => {
      const rise = longestRise(values).map((place) => values[place] ?? 0);
      expect(rise).toEqual(rise.toSorted((a, b) => a - b));
      expect(rise).toHaveLength(
        commonLength(
          values,
          values.toSorted((a, b) => a - b),
        ),
      );
    }),
    SEED,
  );
});

it('equal texts have the same number', () => {
  const numbering = new Numbering();
  expect(['a', 'b', 'a', ''].map((text) => numbering.of(text))).toEqual([0, 1, 0, 2]);
});

function lengthOf(runs: readonly EqualRun[]): number {
  return runs.reduce((sum, { length }) => sum + length, 0);
}

/** By the table that everybody knows. */
function commonLength(left: readonly number[], right: readonly number[]): number {
  let row = right.map(() => 0);
  row.push(0);
  for (const value of left.toReversed()) {
    const next = [...row];
    for (let at = right.length - 1; at >= 0; at--) {
      next[at] = right[at] === value ? (row[at + 1] ?? 0) + 1 : Math.max(row[at] ?? 0, next[at + 1] ?? 0);
    }
    row = next;
  }
  return row[0] ?? 0;
}
