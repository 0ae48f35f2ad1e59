import { expect, it } from 'vitest';
import { readCost, type SpanCosts } from './cost.ts';

const NONE: SpanCosts = {
  costSummary: null,
  costDetailSummaryEntries: [],
  computedCost: null,
  reportedCost: null,
  cumulativeCostSummary: { total: { cost: 0 } },
  countsInSums: true,
};

const COMPUTED: SpanCosts = {
  ...NONE,
  costSummary: { prompt: { cost: 0.3, tokens: 300 }, completion: { cost: 0.2, tokens: 50 }, total: { cost: 0.5 } },
  costDetailSummaryEntries: [
    { tokenType: 'input', isPrompt: true, value: { cost: 0.2, tokens: 100 } },
    { tokenType: 'cache_read', isPrompt: true, value: { cost: 0.1, tokens: 200 } },
    { tokenType: 'output', isPrompt: false, value: { cost: 0.2, tokens: 50 } },
  ],
  computedCost: 0.5,
  cumulativeCostSummary: { total: { cost: 0.5 } },
};

it('says nothing of a span without costs', () => {
  expect(readCost(NONE)).toBeUndefined();
});

it('breaks a side down where it has several parts', () => {
  const cost = readCost(COMPUTED);
  expect(cost?.rows.map(({ label, kind }) => `${kind} ${label}`)).toEqual([
    'side Prompt',
    'part Input',
    'part Cache read',
    'side Completion',
    'total Total',
  ]);
  expect(cost).toMatchObject({
    total: 0.5,
    withBelow: undefined,
    notes: ['From the price table, because no cost was reported.'],
  });
});

it('puts what was reported beside what the price table says', () => {
  const cost = readCost({ ...COMPUTED, reportedCost: 0.6, countsInSums: false });
  expect(cost?.rows.slice(-2)).toMatchObject([
    { label: 'As reported', cost: 0.6 },
    { label: 'From the price table', cost: 0.5 },
  ]);
  expect(cost?.notes).toEqual([
    'The reported cost is the one that counts.',
    'Not counted in totals: another span counts these tokens.',
  ]);
});

it('says what the spans below cost', () => {
  expect(readCost({ ...NONE, cumulativeCostSummary: { total: { cost: 0.7 } } })).toEqual({
    total: undefined,
    withBelow: 0.7,
    rows: [{ label: 'Including spans below', tokens: undefined, cost: 0.7, kind: 'other' }],
    notes: [],
  });
});
