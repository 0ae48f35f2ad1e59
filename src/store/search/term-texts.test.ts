import fc from 'fast-check';
import { expect, it } from 'vitest';
import { termTexts } from './term-texts.ts';
import type { WordIndex } from '../words/word-index.ts';

const WORD = { words: ['word'], isPrefix: false, parts: null };

/** A word in these parts, of an index that looks at `count` of them together until one has it; and what was asked of it. */
function textsIn(held: ReadonlySet<number>) {
  const asked: { readonly upTo: number; readonly count: number }[] = [];
  const findLastParts: WordIndex['findLastParts'] = async (_db, _term, upTo, count) => {
    asked.push({ upTo, count });
    for (let last = upTo; last >= 0; last -= count) {
      const lookedDownTo = Math.max(last - count + 1, 0);
      const parts = [...held].filter((part) => part <= last && part >= lookedDownTo).sort((a, b) => b - a);
      if (parts.length > 0) return { parts, lookedDownTo };
    }
    return { parts: [], lookedDownTo: 0 };
  };
  const scope = { dialect: { words: { findLastParts } } } as unknown as Parameters<typeof termTexts>[0];
  return { texts: termTexts(scope, WORD), asked };
}

it('finds the last part up to any, in whatever order it is asked', async () => {
  const part = fc.integer({ min: 0, max: 40 });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(part), fc.array(part, { minLength: 1 }), async (held, asked) => {
      const { texts } = textsIn(new Set(held));
      for (const upTo of asked) {
        expect(await texts.lastPart(upTo)).toBe(Math.max(-1, ...held.filter((one) => one <= upTo)));
      }
    }),
  );
});

it('asks for ever more parts together, and for none twice', async () => {
  const { texts, asked } = textsIn(new Set(Array.from({ length: 40 }, (_, part) => part)));
  for (let part = 39; part >= 0; part--) expect(await texts.lastPart(part)).toBe(part);
  expect(asked).toEqual([
    { upTo: 39, count: 1 },
    { upTo: 38, count: 4 },
    { upTo: 34, count: 16 },
    { upTo: 18, count: 64 },
  ]);
});
