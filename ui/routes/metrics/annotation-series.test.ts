import { expect, it } from 'vitest';
import { type BucketSummary, lineCondition, linesOf, valuesOfLine } from './annotation-series.ts';

const bucket = (counts: Readonly<Record<string, number>>, meanScore: number | null = null): BucketSummary => {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const labelFractions = Object.entries(counts).map(([label, targetCount]) => ({
    label,
    targetCount,
    fraction: targetCount / total,
  }));
  return { meanScore, labelFractions };
};

const LABELS = [bucket({ cold: 1, warm: 3 }), null, bucket({ warm: 1, neutral: 2, odd: 1 })];

it('is the mean score where there are scores, zero among them', () => {
  const buckets = [null, bucket({ good: 1 }, 0), bucket({ bad: 1 })];
  const lines = linesOf(buckets, 2);
  expect(lines).toEqual([{ kind: 'score' }]);
  expect(valuesOfLine(buckets, lines, { kind: 'score' })).toEqual([null, 0, null]);
});

it('is the shares of the most frequent labels, and of the others together, where there are only labels', () => {
  const lines = linesOf(LABELS, 2);
  expect(lines.map((line) => line.kind === 'label' && line.label)).toEqual(['warm', 'neutral', null]);
  expect(lines.map((line) => valuesOfLine(LABELS, lines, line))).toEqual([
    [0.75, null, 0.25],
    [0, null, 0.5],
    [0.25, null, 0.25],
  ]);
  expect(linesOf(LABELS, 4)).toHaveLength(4);
  expect(linesOf([null, null], 4)).toEqual([]);
});

it('leads to the annotated spans, of a label where one was pressed', () => {
  expect(lineCondition("it's", { kind: 'score' })).toBe(String.raw`annotations["it's"]`);
  expect(lineCondition('tone', { kind: 'label', label: 'warm' })).toBe("annotations['tone'].label == 'warm'");
  expect(lineCondition('tone', { kind: 'label', label: null })).toBe("annotations['tone']");
  expect(lineCondition('tone', undefined)).toBe("annotations['tone']");
});
