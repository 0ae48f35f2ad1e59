import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffLine, diffTexts, MAX_DIFF_LETTERS } from './text-diff.ts';

/** A line with what changed in brackets. */
const show = (line: DiffLine | undefined) =>
  line?.pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('') ?? null;

const rowsOf = (left: string, right: string) =>
  diffTexts(left, right).rows.map((row) => (row.isEqual ? `= ${show(row.left)}` : [show(row.left), show(row.right)]));

describe('two texts', () => {
  it('that are equal have nothing that changed', () => {
    expect(rowsOf('a\nb', 'a\r\nb')).toEqual(['= a', '= b']);
    expect(rowsOf('', '')).toEqual(['= ']);
  });

  it('show which words of a line changed', () => {
    expect(rowsOf('The parcel arrives on Monday.', 'The parcel arrives on Friday morning.')).toEqual([
      ['The parcel arrives on [Monday].', 'The parcel arrives on [Friday morning].'],
    ]);
  });

  it('do not show single words of lines that have nothing to do with each other', () => {
    expect(rowsOf('Yes, of course.', 'The server is down.')).toEqual([['[Yes, of course.]', '[The server is down.]']]);
  });

  it('put a changed line beside the one that it was, not beside the one in its place', () => {
    expect(rowsOf('one\nkey: "temperature", value: 1\nend', 'one\nnew\nkey: "temperature", value: 2\nend')).toEqual([
      '= one',
      [null, '[new]'],
      ['key: "temperature", value: [1]', 'key: "temperature", value: [2]'],
      '= end',
    ]);
  });

  it('give each side back, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b b', 'c, d', '', '  e: 1', 'e: 2', '\u{1F600} x'), { maxLength: 30 });
    fc.assert(
      fc.property(text, text, (left, right) => {
        const { rows } = diffTexts(left.join('\n'), right.join('\n'));
        const side = (name: 'left' | 'right') =>
          rows.flatMap((row) => row[name]?.pieces.map((piece) => piece.text).join('') ?? []);
        const wanted = (lines: readonly string[]) => lines.join('\n').split('\n');
        expect(side('left')).toEqual(wanted(left));
        expect(side('right')).toEqual(wanted(right));
        const numbers = rows.flatMap((row) => row.right?.number ?? []);
        expect(numbers).toEqual(numbers.map((_, place) => place + 1));
        for (const { isEqual, left: one, right: other } of rows)
          expect(show(one) === show(other) && !show(one)?.includes('[')).toBe(isEqual);
      }),
      { seed: 72, numRuns: 300 },
    );
  });

  it('of hundreds of thousands of letters that have little in common are compared in a few seconds', () => {
    const lines = (factor: number) =>
      Array.from({ length: 20_000 }, (_, place) => `line ${(place * factor) % 19_997} of a long text`).join('\n');
    const startedMs = performance.now();
    const { rows } = diffTexts(lines(7), lines(11));
    expect(rows.length).toBeGreaterThanOrEqual(20_000);
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });

  it('that are longer than is compared say so', () => {
    const long = 'x'.repeat(MAX_DIFF_LETTERS + 1);
    expect(diffTexts(long, 'x').isCut).toBe(true);
    expect(diffTexts(long.slice(1), 'x').isCut).toBe(false);
  });

  it('are compared by whole lines once time is up', () => {
    let time = 0;
    const { rows } = diffTexts('a b c 1', 'a b c 2', () => (time += 10_000));
    expect(rows).toEqual([
      {
        isEqual: false,
        left: { number: 1, pieces: [{ text: 'a b c 1', isChanged: true }] },
        right: { number: 1, pieces: [{ text: 'a b c 2', isChanged: true }] },
      },
    ]);
  });
});
