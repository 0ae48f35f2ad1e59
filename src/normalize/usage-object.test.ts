import { describe, expect, it } from 'vitest';
import { parseJson } from '#base/json';
import type { JsonObject } from '#base/json';
import { FlatAttributes } from './flat-attributes.ts';
import { fillUsage, readUsage, type UsageReading } from './usage-object.ts';

describe('usage', () => {
  it.each<[string, object, UsageReading]>([
    [
      'OpenAI chat completions',
      {
        prompt_tokens: 137,
        completion_tokens: 29,
        total_tokens: 166,
        prompt_tokens_details: { cached_tokens: 64, audio_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 11, audio_tokens: 1 },
      },
      { prompt: 137, completion: 29, total: 166, cacheRead: 64, reasoning: 11, promptAudio: 2, completionAudio: 1 },
    ],
    [
      'OpenAI responses',
      {
        input_tokens: 137,
        input_tokens_details: { cached_tokens: 64 },
        output_tokens: 29,
        output_tokens_details: { reasoning_tokens: 11 },
        total_tokens: 166,
      },
      { prompt: 137, completion: 29, total: 166, cacheRead: 64, reasoning: 11 },
    ],
    [
      'Anthropic, whose input leaves out what was cached',
      { input_tokens: 73, output_tokens: 29, cache_read_input_tokens: 48, cache_creation_input_tokens: 16 },
      { prompt: 137, completion: 29, total: 166, cacheRead: 48, cacheWrite: 16 },
    ],
    [
      'Bedrock, whose total has everything',
      { inputTokens: 73, outputTokens: 29, totalTokens: 166, cacheReadInputTokens: 64, cacheWriteInputTokens: 0 },
      { prompt: 137, completion: 29, total: 166, cacheRead: 64, cacheWrite: 0 },
    ],
    [
      'LiteLLM, which adds up what Anthropic counts',
      { prompt_tokens: 137, completion_tokens: 29, total_tokens: 166, cache_read_input_tokens: 64 },
      { prompt: 137, completion: 29, total: 166, cacheRead: 64 },
    ],
    [
      'LangChain',
      {
        input_tokens: 137,
        output_tokens: 29,
        total_tokens: 166,
        input_token_details: { cache_read: 64, cache_creation: 3, audio: 1 },
        output_token_details: { reasoning: 11 },
      },
      { prompt: 137, completion: 29, total: 166, cacheRead: 64, cacheWrite: 3, reasoning: 11, promptAudio: 1 },
    ],
    [
      'Gemini, whose thoughts lie beside the answer',
      {
        promptTokenCount: 203,
        candidatesTokenCount: 21,
        thoughtsTokenCount: 2,
        cachedContentTokenCount: 128,
        totalTokenCount: 226,
      },
      { prompt: 203, completion: 23, total: 226, cacheRead: 128, reasoning: 2 },
    ],
    [
      'Anthropic, which says what was thought',
      { input_tokens: 137, output_tokens: 29, output_tokens_details: { thinking_tokens: 11 } },
      { prompt: 137, completion: 29, total: 166, reasoning: 11 },
    ],
    [
      'OpenAI responses that write a cache',
      { input_tokens: 137, output_tokens: 29, input_tokens_details: { cached_tokens: 64, cache_write_tokens: 8 } },
      { prompt: 137, completion: 29, total: 166, cacheRead: 64, cacheWrite: 8 },
    ],
    [
      'OpenAI realtime',
      {
        input_tokens: 137,
        output_tokens: 29,
        total_tokens: 166,
        input_token_details: { cached_tokens: 64, audio_tokens: 30 },
        output_token_details: { audio_tokens: 20 },
      },
      { prompt: 137, completion: 29, total: 166, cacheRead: 64, promptAudio: 30, completionAudio: 20 },
    ],
    [
      'Gemini live, which counts each kind of content',
      {
        prompt_token_count: 137,
        response_token_count: 18,
        thoughts_token_count: 11,
        total_token_count: 166,
        prompt_tokens_details: [
          { modality: 'TEXT', token_count: 107 },
          { modality: 'AUDIO', token_count: 30 },
        ],
        response_tokens_details: [{ modality: 'AUDIO', token_count: 18 }],
      },
      { prompt: 137, completion: 29, total: 166, reasoning: 11, promptAudio: 30, completionAudio: 18 },
    ],
    ['counts in texts', { prompt_tokens: '12', completion_tokens: 3.0 }, { prompt: 12, completion: 3, total: 15 }],
    ['nothing that is known', { tokens: 'many', input: [] }, {}],
  ])('of %s is read', (_name, usage, reading) => {
    expect(readUsage(parseJson(JSON.stringify(usage)) as JsonObject)).toEqual(reading);
  });

  it('follows what is known of the producer', () => {
    const usage = parseJson(
      '{"input_tokens":73,"output_tokens":29,"total_tokens":102,"cache_read_input_tokens":64}',
    ) as JsonObject;
    expect(readUsage(usage).prompt).toBe(73);
    expect(readUsage(usage, 'exclusive').prompt).toBe(137);
  });
});

describe('counts of a span', () => {
  const usage: UsageReading = { prompt: 137, completion: 29, total: 166, cacheRead: 64, reasoning: 11 };

  it('are added', () => {
    expect(fill({})).toEqual({
      'llm.token_count.prompt': 137,
      'llm.token_count.completion': 29,
      'llm.token_count.total': 166,
      'llm.token_count.prompt_details.cache_read': 64,
      'llm.token_count.completion_details.reasoning': 11,
    });
  });

  it('that are there stay, and get no details of another call', () => {
    expect(fill({ 'llm.token_count.prompt': 5 })).toEqual({
      'llm.token_count.prompt': 5,
      'llm.token_count.completion': 29,
      'llm.token_count.completion_details.reasoning': 11,
    });
  });

  it('that are there get the details of the same sum', () => {
    expect(fill({ 'llm.token_count.prompt': 137 })).toMatchObject({ 'llm.token_count.prompt_details.cache_read': 64 });
  });

  function fill(sent: Readonly<Record<string, number>>): Record<string, unknown> {
    const attributes = new FlatAttributes(Object.entries(sent).map(([key, value]) => ({ key, value: BigInt(value) })));
    fillUsage(attributes, usage);
    return Object.fromEntries(attributes.entries());
  }
});
