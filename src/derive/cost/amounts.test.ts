import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallTokens, costOf, splitTokens, toCostDetails } from './amounts.ts';
import { builtInPrices } from './built-in-list.ts';
import { PriceTable } from './price-table.ts';

const TABLE = new PriceTable([], builtInPrices());

const NO_TOKENS: CallTokens = {
  prompt: null,
  completion: null,
  cacheRead: null,
  cacheWrite: null,
  promptAudio: null,
  reasoning: null,
  completionAudio: null,
};

/** In US dollars, by hand from the providers' pages of prices. */
const CALLS: readonly (readonly [
  what: string,
  model: string,
  provider: string,
  tokens: Partial<CallTokens>,
  prompt: number,
  completion: number,
])[] = [
  // 700 × 2.50 + 300 × 1.25, and 200 × 10, a million.
  ['cached input', 'gpt-4o', 'openai', { prompt: 1000, completion: 200, cacheRead: 300 }, 0.002125, 0.002],
  // 1,000 × 3 + 8,000 × 0.30 + 1,000 × 3.75, and 500 × 15.
  [
    'a cache that is read and written',
    'claude-sonnet-4-5-20250929',
    'anthropic',
    { prompt: 10_000, completion: 500, cacheRead: 8000, cacheWrite: 1000 },
    0.00915,
    0.0075,
  ],
  // 200,000 × 1.25, and 1,000 × 10.
  ['the longest short prompt', 'gemini-2.5-pro', 'google', { prompt: 200_000, completion: 1000 }, 0.25, 0.01],
  // 200,001 × 2.50, and 1,000 × 15.
  ['the shortest long prompt', 'gemini-2.5-pro', 'google', { prompt: 200_001, completion: 1000 }, 0.5000025, 0.015],
  // 150,001 × 2.50 + 50,000 × 0.25, and 1,000 × 15.
  [
    'a long prompt that was cached in part',
    'gemini-2.5-pro',
    'google',
    { prompt: 200_001, completion: 1000, cacheRead: 50_000 },
    0.3875025,
    0.015,
  ],
  // 1,000 × 1.10, and 2,000 × 4.40, of which 1,500 are reasoning at the same price.
  ['reasoning', 'o3-mini', 'openai', { prompt: 1000, completion: 2000, reasoning: 1500 }, 0.0011, 0.0088],
  // 1,000 × 2 and 500 × 8 + 400 × 3.
  [
    'reasoning at a price of its own',
    'sonar-deep-research',
    'perplexity',
    { prompt: 1000, completion: 900, reasoning: 400 },
    0.002,
    0.0052,
  ],
  // 100 × 2.50 + 900 × 40, and 50 × 10 + 450 × 80.
  [
    'audio in and out',
    'gpt-4o-audio-preview',
    'openai',
    { prompt: 1000, completion: 500, promptAudio: 900, completionAudio: 450 },
    0.03625,
    0.0365,
  ],
];

describe('what a call costs', () => {
  it.each(CALLS)('with %s (%s)', (_what, modelName, provider, tokens, prompt, completion) => {
    const cost = TABLE.priceSpan({ kind: 'LLM', modelName, provider, startUs: 0 }, { ...NO_TOKENS, ...tokens });
    expect(cost).toMatchObject({ prompt: Math.round(prompt * 1e9), completion: Math.round(completion * 1e9) });
  });

  it('is accounted for token by token', () => {
    const tokens = { ...NO_TOKENS, prompt: 1000, completion: 200, cacheRead: 300, reasoning: 50 };
    const cost = TABLE.priceSpan({ kind: 'LLM', modelName: 'gpt-4o', provider: 'openai', startUs: 0 }, tokens);
    expect(cost && toCostDetails(splitTokens(tokens), cost.parts)).toEqual([
      { tokenType: 'input', isPrompt: true, tokens: 700, cost: 0.00175, costPerToken: 2.5e-6 },
      { tokenType: 'cache_read', isPrompt: true, tokens: 300, cost: 0.000375, costPerToken: 1.25e-6 },
      { tokenType: 'output', isPrompt: false, tokens: 150, cost: 0.0015, costPerToken: 1e-5 },
      { tokenType: 'reasoning', isPrompt: false, tokens: 50, cost: 0.0005, costPerToken: 1e-5 },
    ]);
  });

  it('is that of every token once, whatever the parts claim', () => {
    const count = fc.option(fc.integer({ min: -5, max: 1000 }));
    fc.assert(
      fc.property(
        fc.record({
          prompt: count,
          completion: count,
          cacheRead: count,
          cacheWrite: count,
          promptAudio: count,
          reasoning: count,
          completionAudio: count,
        }),
        (tokens) => {
          const { input, cacheRead, cacheWrite, promptAudio, output, reasoning, completionAudio } = splitTokens(tokens);
          expect(input + cacheRead + cacheWrite + promptAudio).toBe(Math.max(tokens.prompt ?? 0, 0));
          expect(output + reasoning + completionAudio).toBe(Math.max(tokens.completion ?? 0, 0));
        },
      ),
    );
  });

  it('is unknown without tokens, and where it is absurd', () => {
    const prices = { rates: { input: 1, output: 1 }, longPrompts: [] };
    expect(costOf(prices, NO_TOKENS)).toBeNull();
    expect(costOf(prices, { ...NO_TOKENS, prompt: -1 })).toBeNull();
    expect(costOf({ ...prices, rates: { input: 1e6, output: 1 } }, { ...NO_TOKENS, prompt: 1e6 })).toBeNull();
  });
});
