import { describe, expect, it } from 'vitest';
import { listPrices, mergePrices } from './list-prices.ts';

const CHAT = { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 2e-6, output_cost_per_token: 8e-6 };

describe('the list of prices', () => {
  it('takes prices of tokens, for a million of them', () => {
    expect(
      listPrices({
        m: {
          ...CHAT,
          cache_read_input_token_cost: 5e-7,
          cache_creation_input_token_cost: 2.5e-6,
          input_cost_per_audio_token: 4e-5,
          output_cost_per_audio_token: 8e-5,
          output_cost_per_reasoning_token: 3e-6,
          input_cost_per_token_above_200k_tokens: 4e-6,
          cache_read_input_token_cost_above_200k_tokens: 1e-6,
          input_cost_per_token_batches: 1e-6,
        },
      }),
    ).toEqual([
      {
        name: 'm',
        provider: 'openai',
        own: true,
        input: 2,
        output: 8,
        cacheRead: 0.5,
        cacheWrite: 2.5,
        promptAudio: 40,
        completionAudio: 80,
        reasoning: 3,
        above: [[200_000, { input: 4, cacheRead: 1 }]],
      },
    ]);
  });

  it('leaves out what has no price of tokens, costs nothing, or is paid by the month', () => {
    expect(
      listPrices({
        sample_spec: { input_cost_per_token: 0, litellm_provider: 'one of …' },
        image: { litellm_provider: 'openai', output_cost_per_image: 0.04 },
        'ollama/llama3': { litellm_provider: 'ollama', input_cost_per_token: 0, output_cost_per_token: 0 },
        'github_copilot/m': { ...CHAT, litellm_provider: 'github_copilot' },
        negative: { ...CHAT, input_cost_per_token: -1, output_cost_per_token: Number.NaN },
        nothing: null,
      }),
    ).toEqual([]);
  });

  it('leaves out names for which a shorter one says the same', () => {
    const dear = { ...CHAT, input_cost_per_token: 3e-6 };
    const names = listPrices({
      m: CHAT,
      'm-2024-08-06': CHAT,
      'm-2024-05-13': dear,
      'azure/m': { ...CHAT, litellm_provider: 'azure' },
    });
    expect(names.map(({ name, provider, own }) => [name, provider, own])).toEqual([
      ['m', 'azure', undefined],
      ['m', 'openai', true],
      ['m-2024-05-13', 'openai', true],
    ]);
  });
});

describe('a later list', () => {
  const before = listPrices({ a: CHAT, b: CHAT, gone: CHAT });
  const now = listPrices({ a: { ...CHAT, input_cost_per_token: 1e-6 }, b: CHAT, new: CHAT });
  const merged = mergePrices(before, now, '2027-01-01');

  it('holds from its date on where a price is another, and keeps what was called before', () => {
    expect(merged.map(({ name, input, from }) => [name, input, from])).toEqual([
      ['a', 1, '2027-01-01'],
      ['a', 2, undefined],
      ['b', 2, undefined],
      ['new', 2, undefined],
      ['gone', 2, undefined],
    ]);
  });

  it('changes nothing a second time', () => {
    expect(mergePrices(merged, now, '2027-01-01')).toEqual(merged);
    expect(mergePrices(merged, now, '2027-02-01')).toEqual(merged);
  });
});
