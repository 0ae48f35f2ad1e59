import { describe, expect, it } from 'vitest';
import type { JsonValue } from '#base/json';
import type { TokenCounts } from '#domain/span';
import { readTokenCounts } from './token-counts.ts';
import { findTokenRemarks } from './token-remarks.ts';

describe('readTokenCounts', () => {
  it('is null for all that the producer did not say', () => {
    expect(counts({})).toEqual({
      prompt: null,
      completion: null,
      total: null,
      cacheRead: null,
      cacheWrite: null,
      reasoning: null,
      promptAudio: null,
      completionAudio: null,
    });
  });

  it('reads every detail', () => {
    const sent = {
      prompt: 100,
      completion: 20,
      total: 120,
      'prompt_details.cache_read': 60,
      'prompt_details.cache_write': '10',
      'prompt_details.audio': 5,
      'completion_details.reasoning': 7,
      'completion_details.audio': 3,
    };
    expect(counts(sent)).toEqual({
      prompt: 100,
      completion: 20,
      total: 120,
      cacheRead: 60,
      cacheWrite: 10,
      reasoning: 7,
      promptAudio: 5,
      completionAudio: 3,
    });
  });

  it('takes cached input in general as read from the cache', () => {
    expect(counts({ 'prompt_details.cache_input': 6 }).cacheRead).toBe(6);
    expect(counts({ 'prompt_details.cache_input': 6, 'prompt_details.cache_read': 4 }).cacheRead).toBe(4);
  });

  it('adds cached tokens to a prompt that cannot include them, and to the total', () => {
    const sent = {
      prompt: 10,
      completion: 5,
      total: 15,
      'prompt_details.cache_read': 60,
      'prompt_details.cache_write': 8,
    };
    expect(counts(sent)).toMatchObject({ prompt: 78, completion: 5, total: 83, cacheRead: 60, cacheWrite: 8 });
  });

  it('leaves a prompt that is all from the cache', () => {
    expect(counts({ prompt: 60, 'prompt_details.cache_read': 60 }).prompt).toBe(60);
  });

  it('does not take audio that was cached for a prompt that left something out', () => {
    expect(counts({ prompt: 100, 'prompt_details.cache_read': 80, 'prompt_details.audio': 80 }).prompt).toBe(100);
  });

  it.each<[string, Sent, Sent]>([
    [
      'cached tokens, reasoning and all where the total is the sum of all',
      { prompt: 100, completion: 20, total: 147, cacheRead: 10, reasoning: 17 },
      { prompt: 110, completion: 37, total: 147 },
    ],
    [
      'what was written to a cache where the total has that beside the input',
      { prompt: 100, completion: 20, total: 125, cacheRead: 60, cacheWrite: 5 },
      { prompt: 105, completion: 20, total: 125 },
    ],
    [
      'reasoning where it is more than the output',
      { prompt: 1, completion: 5, reasoning: 50, total: 6 },
      { completion: 55, total: 56 },
    ],
    [
      'nothing where several parts could be meant',
      { prompt: 9, completion: 9, total: 23, cacheRead: 5, reasoning: 5 },
      { prompt: 9, completion: 9, total: 18 },
    ],
    [
      'nothing where no part makes the difference',
      { prompt: 9, completion: 9, total: 99 },
      { prompt: 9, completion: 9, total: 18 },
    ],
    [
      'nothing where the total is too small',
      { prompt: 9, completion: 9, total: 4, cacheRead: 5 },
      { prompt: 9, completion: 9, total: 18 },
    ],
    [
      'nothing negative',
      { prompt: 9, completion: 1, cacheRead: 20, cacheWrite: -3 },
      { prompt: 29, completion: 1, total: 30 },
    ],
    [
      'nothing to what nobody said',
      { completion: 1, cacheRead: 20, total: 30 },
      { prompt: null, completion: 1, total: 30 },
    ],
  ])('adds %s', (_what, sent, shown) => {
    expect(readTokenCounts(attributesOf(sent))).toMatchObject(shown);
  });
});

describe('remarks on token counts', () => {
  it.each<[string, Record<string, JsonValue>, string[]]>([
    [
      'nothing',
      { 'llm.token_count.prompt': 10, 'llm.token_count.completion': 2, 'gen_ai.usage.input_tokens': '10' },
      [],
    ],
    [
      'a count that leaves out what belongs to it',
      {
        'llm.token_count.prompt': 137,
        'llm.token_count.prompt_details.cache_read': 64,
        'llm.token_count.prompt_details.cache_write': 32,
        'gen_ai.usage.input_tokens': 41,
      },
      [
        'parts_left_out: gen_ai.usage.input_tokens is 41, which leaves out 64 tokens read from a cache and 32 tokens written to a cache; the number shown is 137, which includes them.',
      ],
    ],
    [
      'a total that is not the sum',
      { 'llm.token_count.prompt': 10, 'llm.token_count.completion': 2, 'llm.token_count.total': 99 },
      ['total_differs: llm.token_count.total is 99, but 10 input and 2 output make 12.'],
    ],
    [
      'names that disagree, once each count',
      {
        'llm.token_count.prompt': 10,
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.prompt_tokens': 12,
        'llm.token_count.completion': 2,
        'ai.usage.outputTokens': 3,
      },
      [
        'names_disagree: gen_ai.usage.input_tokens is 12, but another attribute 10.',
        'names_disagree: ai.usage.outputTokens is 3, but another attribute 2.',
      ],
    ],
    [
      'a part that is more than the whole',
      { 'llm.token_count.prompt': 10, 'llm.token_count.prompt_details.audio': 11 },
      ['part_exceeds_whole: 11 audio tokens are more than the 10 of input.'],
    ],
    ['a negative count', { 'llm.token_count.completion': -4 }, ['negative: The output is -4: totals ignore it.']],
  ])('say %s', (_what, attributes, expected) => {
    const read = (path: string) => attributes[path];
    const remarks = findTokenRemarks(read, readTokenCounts(read));
    expect(remarks.map(({ kind, message }) => `${kind}: ${message}`)).toEqual(expected);
  });
});

type Sent = Partial<TokenCounts>;

const KEYS: Readonly<Record<keyof TokenCounts, string>> = {
  prompt: 'prompt',
  completion: 'completion',
  total: 'total',
  cacheRead: 'prompt_details.cache_read',
  cacheWrite: 'prompt_details.cache_write',
  reasoning: 'completion_details.reasoning',
  promptAudio: 'prompt_details.audio',
  completionAudio: 'completion_details.audio',
};

function attributesOf(sent: Sent) {
  const attributes = new Map(
    Object.entries(sent).map(([name, count]) => [`llm.token_count.${KEYS[name as keyof TokenCounts]}`, count]),
  );
  return (path: string) => attributes.get(path) ?? undefined;
}

function counts(sent: Readonly<Record<string, JsonValue>>) {
  return readTokenCounts((path) => sent[path.replace('llm.token_count.', '')]);
}
