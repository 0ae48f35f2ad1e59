import { expect, it } from 'vitest';
import { searchModels, toModelRow } from './model-rows.ts';

const row = (name: string, provider: string | null, kind: string) =>
  toModelRow({
    id: name,
    name,
    provider,
    kind,
    namePattern: `^${name}$`,
    startTime: undefined,
    updatedAt: '2026-01-01T00:00:00Z',
    tokenPrices: [],
    longPromptPrices: [],
  });

const ROWS = [
  row('house-model', null, 'CUSTOM'),
  row('gpt-4o', 'openai', 'BUILT_IN'),
  row('gpt-4o', 'azure', 'BUILT_IN'),
];

it('finds by every word, in name, provider or pattern', () => {
  const found = (text: string, kind: 'all' | 'CUSTOM' | 'BUILT_IN' = 'all') =>
    searchModels(ROWS, text, kind).map(({ name, provider }) => `${provider} ${name}`);
  expect(found('')).toHaveLength(3);
  expect(found(' Azure GPT ')).toEqual(['azure gpt-4o']);
  expect(found('^house')).toEqual(['null house-model']);
  expect(found('gpt', 'CUSTOM')).toEqual([]);
});
