import { describe, expect, it } from 'vitest';
import { type AnsweredPrice, patternOf, PRICE_PARTS, rateOf, readPrice, writePrice } from './price-form.ts';

const ZONE = 'Europe/Berlin';

const PRICE: AnsweredPrice = {
  name: 'our model',
  provider: 'openai',
  namePattern: '^ours',
  startTime: '2026-01-01T00:00:00Z',
  tokenPrices: [
    { kind: 'PROMPT', tokenType: 'input', costPerMillionTokens: 2.5 },
    { kind: 'PROMPT', tokenType: 'audio', costPerMillionTokens: 40 },
    { kind: 'COMPLETION', tokenType: 'output', costPerMillionTokens: 10 },
    { kind: 'COMPLETION', tokenType: 'audio', costPerMillionTokens: 80 },
  ],
  longPromptPrices: [],
};

describe('a price', () => {
  it('goes through the fields and comes out as it went in', () => {
    const text = writePrice(PRICE, ZONE);
    expect(text.start).toBe('2026-01-01T01:00');
    expect(text.rates).toMatchObject({ input: '2.5', promptAudio: '40', completionAudio: '80', cacheRead: '' });
    const { input } = readPrice(text, ZONE);
    expect(input).toMatchObject({ name: 'our model', provider: 'openai', startTime: '2026-01-01T00:00:00.000Z' });
    expect(input?.costs).toHaveLength(4);
    for (const price of PRICE.tokenPrices) expect(input?.costs).toContainEqual(price);
  });

  it('needs a name, a pattern and two prices, and says which is missing', () => {
    const empty = writePrice(undefined, ZONE);
    const faultOf = (change: Partial<typeof empty>) => readPrice({ ...empty, ...change }, ZONE).fault?.field;
    expect(faultOf({})).toBe('name');
    expect(faultOf({ name: 'a' })).toBe('pattern');
    expect(faultOf({ name: 'a', pattern: 'a', start: 'soon' })).toBe('start');
    expect(faultOf({ name: 'a', pattern: 'a' })).toBe('input');
    const rates = { ...empty.rates, input: '$0', output: '1,5' };
    expect(faultOf({ name: 'a', pattern: 'a', rates })).toBe('output');
    expect(faultOf({ name: 'a', pattern: 'a', rates: { ...rates, output: '.5' } })).toBeUndefined();
  });
});

it('knows each token type by its side', () => {
  expect(rateOf(PRICE.tokenPrices, 'completionAudio')).toBe(80);
  expect(rateOf(PRICE.tokenPrices, 'reasoning')).toBeUndefined();
  expect(new Set(PRICE_PARTS.map(({ kind, tokenType }) => `${kind} ${tokenType}`)).size).toBe(PRICE_PARTS.length);
});

it('makes a pattern that fits a name alone', () => {
  expect(patternOf(' gpt-4.1 ')).toBe(String.raw`(?i)^gpt-4\.1$`);
  expect(patternOf(' ')).toBe('');
});
