import { describe, expect, it } from 'vitest';
import type { JsonValue } from '#base/json';
import { readTokenCounts } from './token-counts.ts';

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
});

function counts(sent: Readonly<Record<string, JsonValue>>) {
  return readTokenCounts((path) => sent[path.replace('llm.token_count.', '')]);
}
