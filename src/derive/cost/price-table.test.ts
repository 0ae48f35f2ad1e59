import { describe, expect, it } from 'vitest';
import { builtInPrices, FIRST_BUILT_IN_ROW_ID } from './built-in-list.ts';
import type { ModelPrice } from './model-price.ts';
import { PriceTable } from './price-table.ts';
import { MAX_PER_MILLION } from './rates.ts';

const JUNE_US = Date.parse('2026-06-01') * 1000;

let lastRowId = 0;

function custom(name: string, namePattern: string, more: Partial<ModelPrice> = {}): ModelPrice {
  return {
    rowId: ++lastRowId,
    name,
    provider: null,
    namePattern,
    isBuiltIn: false,
    startUs: null,
    prices: { rates: { input: 1, output: 2 }, longPrompts: [] },
    createdAtUs: 0,
    updatedAtUs: 0,
    ...more,
  };
}

describe('the list that comes with the product', () => {
  const table = new PriceTable([], builtInPrices());

  it.each([
    ['gpt-4o', 'openai', 'gpt-4o', 'openai'],
    ['GPT-4o', null, 'gpt-4o', 'openai'],
    ['gpt-4o', 'azure', 'gpt-4o', 'azure'],
    ['openai/gpt-4o-mini', null, 'gpt-4o-mini', 'openai'],
    ['openrouter/openai/gpt-4o-mini-2024-07-18', 'openrouter', 'gpt-4o-mini', 'openai'],
    ['gpt-4o-2024-05-13', 'openai', 'gpt-4o-2024-05-13', 'openai'],
    ['claude-sonnet-4.5', null, 'claude-sonnet-4-5', 'anthropic'],
    ['claude-sonnet-4-5@20250929', 'google', 'claude-sonnet-4-5', 'google'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'aws', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'aws'],
    ['models/gemini-2.5-pro', 'google', 'gemini-2.5-pro', 'google'],
    ['projects/p/locations/l/publishers/google/models/gemini-2.5-pro', null, 'gemini-2.5-pro', 'google'],
    ['ft:gpt-4o-mini-2024-07-18:org::abc', 'openai', 'ft:gpt-4o-mini-2024-07-18', 'openai'],
  ])('prices %s of %s as %s of %s', (model, provider, name, seller) => {
    expect(table.find(model, provider, 0)).toMatchObject({ name, provider: seller, isBuiltIn: true });
  });

  it.each([
    ['gpt-4o-whatever', 'openai'],
    ['llama3.1:8b', 'ollama'],
    ['gpt-4o', 'ollama'],
    ['google/gemini-2.5-flash:free', null],
    ['', null],
    ['x'.repeat(100_000), 'y'.repeat(1000)],
  ])('does not guess the price of %.40s of %s', (model, provider) => {
    expect(table.find(model, provider, 0)).toBeUndefined();
  });

  it('holds prices that are some, under ids of their own', () => {
    const all = [...builtInPrices()];
    expect(all.length).toBeGreaterThan(1000);
    expect(new Set(all.map(({ rowId }) => rowId)).size).toBe(all.length);
    for (const { rowId, prices } of all) {
      expect(rowId).toBeGreaterThanOrEqual(FIRST_BUILT_IN_ROW_ID);
      expect(Number.isSafeInteger(rowId)).toBe(true);
      const rates = [prices.rates, ...prices.longPrompts.map(({ rates: changed }) => changed)].flatMap(Object.values);
      expect(rates.every((rate) => rate >= 0 && rate < MAX_PER_MILLION)).toBe(true);
      expect(prices.rates.input + prices.rates.output).toBeGreaterThan(0);
    }
  });

  it('names who made it, and under which terms', () => {
    expect(builtInPrices().source).toMatchObject({ name: 'LiteLLM', license: expect.stringContaining('MIT License') });
  });
});

describe("people's own prices", () => {
  const find = (prices: readonly ModelPrice[], model: string, provider: string | null = null, startUs = JUNE_US) =>
    new PriceTable(prices, builtInPrices()).find(model, provider, startUs)?.name;

  it('come before those of the list', () => {
    expect(find([custom('own', 'gpt-4o')], 'gpt-4o', 'openai')).toBe('own');
    expect(find([custom('own', 'gpt-4o')], 'gpt-4.1', 'openai')).toBe('gpt-4.1');
  });

  it('hold from a moment on', () => {
    const prices = [custom('new', '^m$', { startUs: JUNE_US }), custom('old', '^m$')];
    expect(find(prices, 'm', null, JUNE_US - 1)).toBe('old');
    expect(find(prices, 'm', null, JUNE_US)).toBe('new');
    expect(find([custom('own', 'gpt-4o', { startUs: JUNE_US })], 'gpt-4o', 'openai', JUNE_US - 1)).toBe('gpt-4o');
  });

  it('of the same provider come first, then those that say more of the name', () => {
    const prices = [
      custom('any', '^model-x$'),
      custom('azure', 'model', { provider: 'Azure' }),
      custom('less', '^model'),
      custom('last', '^model-x$'),
    ];
    expect(find(prices, 'model-x', 'azure')).toBe('azure');
    expect(find(prices, 'model-x', 'openai')).toBe('last');
    expect(find(prices, 'model-y', 'openai')).toBe('less');
  });

  it('are of model calls alone', () => {
    const table = new PriceTable([custom('own', '.')], builtInPrices());
    const tokens = {
      prompt: 1,
      completion: 1,
      cacheRead: null,
      cacheWrite: null,
      promptAudio: null,
      reasoning: null,
      completionAudio: null,
    };
    const span = { modelName: 'm', provider: null, startUs: 0 };
    expect(table.priceSpan({ ...span, kind: 'LLM' }, tokens)).toMatchObject({ prompt: 1000, completion: 2000 });
    expect(table.priceSpan({ ...span, kind: 'EMBEDDING' }, tokens)).toBeNull();
    expect(table.priceSpan({ ...span, kind: 'LLM', modelName: null }, tokens)).toBeNull();
  });
});
