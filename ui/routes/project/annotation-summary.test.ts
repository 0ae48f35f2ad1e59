import { expect, it } from 'vitest';
import { formatShare } from '#ui/lib/format.ts';
import { describeSummary, explainSummary, exportSummary } from './annotation-summary.ts';

const GOOD = { label: 'good', fraction: 2 / 3 };
const BAD = { label: 'bad', fraction: 1 / 3 };
const MIXED = { name: 'quality', count: 3, meanScore: 2 / 3, labelFractions: [GOOD, BAD] };
const SCORED = { name: 'toxicity', count: 1, meanScore: 0.25, labelFractions: [] };
const LABELLED = { name: 'tone', count: 1, meanScore: null, labelFractions: [{ label: 'warm', fraction: 1 }] };

it('names the most frequent label and the mean score, as far as there are any', () => {
  expect([MIXED, SCORED, LABELLED].map(describeSummary)).toEqual(['good · 0.6667', '0.25', 'warm']);
});

it('explains how many annotations say what', () => {
  expect(explainSummary(MIXED)).toBe(
    `3 annotations: good ${formatShare(2 / 3)}, bad ${formatShare(1 / 3)}, mean score 0.6667`,
  );
  expect(explainSummary(SCORED)).toBe('1 annotation: score 0.25');
  expect(explainSummary(LABELLED)).toBe('1 annotation: warm');
  const labelFractions = Array.from({ length: 12 }, (_, place) => ({ label: `l${place}`, fraction: 1 / 12 }));
  expect(explainSummary({ ...MIXED, meanScore: null, labelFractions })).toMatch(/l9 8\S*\s%, 2 more labels$/);
});

it('is a number in files where there is a score alone', () => {
  expect([MIXED, SCORED, LABELLED].map(exportSummary)).toEqual(['good · 0.6667', 0.25, 'warm']);
});
