import { describe, expect, it } from 'vitest';
import { countTokens, type Message } from './conversation.ts';
import { drawCalls, drawFailedAttempts, drawLatency, drawUsage, MAX_ATTEMPTS } from './generation.ts';
import { type Model, MODELS } from './models.ts';
import { Random } from './random.ts';

const GPT_4O = MODELS['gpt-4o'];
const CLAUDE = MODELS['claude-sonnet'];
const LONG: Message = { role: 'system', content: 'word '.repeat(1600) };
const QUESTION: Message = { role: 'user', content: 'Why?' };
const REPLY = { role: 'assistant', content: 'Because.' } as const;

function usageOf(model: Model, knownCount: number) {
  const call = { model, messages: [LONG, QUESTION], tools: [], reply: REPLY, knownCount };
  return drawUsage(new Random('usage'), call);
}

describe('drawUsage', () => {
  it('reads nothing from the cache at first and the known messages later', () => {
    expect(usageOf(GPT_4O, 0).cacheReadTokens).toBe(0);
    const later = usageOf(GPT_4O, 1);
    expect(later.cacheReadTokens % 128).toBe(0);
    expect(later.cacheReadTokens).toBeGreaterThan(1024);
    expect(later.cacheReadTokens).toBeLessThan(later.promptTokens);
  });

  it('counts what is written to the cache where the client marks it', () => {
    const { promptTokens, cacheReadTokens, cacheWriteTokens } = usageOf(CLAUDE, 1);
    expect(cacheReadTokens + cacheWriteTokens).toBe(promptTokens);
    expect(usageOf(GPT_4O, 1).cacheWriteTokens).toBe(0);
  });

  it('counts reasoning as part of the completion, for models that reason', () => {
    const usage = usageOf(MODELS['gpt-5-mini'], 0);
    expect(usage.reasoningTokens).toBeGreaterThan(0);
    expect(usage.completionTokens).toBeGreaterThan(usage.reasoningTokens);
    expect(usageOf(GPT_4O, 0).reasoningTokens).toBe(0);
  });
});

describe('drawLatency', () => {
  it('grows with the length of the answer', () => {
    const usage = usageOf(GPT_4O, 0);
    const short = drawLatency(new Random('latency'), GPT_4O, usage);
    const long = drawLatency(new Random('latency'), GPT_4O, { ...usage, completionTokens: 2000 });
    expect(long.restMs).toBeGreaterThan(10 * short.restMs);
    expect(long.firstTokenMs).toBe(short.firstTokenMs);
  });
});

describe('drawFailedAttempts', () => {
  it('is empty when nothing goes wrong and gives up after some attempts when all does', () => {
    const draw = (rateLimit: number) =>
      drawFailedAttempts(new Random('fault'), GPT_4O, 'python', { rateLimit, timeout: 0 });
    expect(draw(0)).toEqual([]);
    expect(draw(1)).toHaveLength(MAX_ATTEMPTS);
    expect(draw(1)[0]?.fault.message).toContain('429');
  });

  it('waits a minute for a call that times out', () => {
    const [attempt] = drawFailedAttempts(new Random('slow'), GPT_4O, 'node', { rateLimit: 0, timeout: 1 });
    expect(attempt?.fault.type).toBe('APIConnectionTimeoutError');
    expect(attempt?.durationMs).toBeGreaterThanOrEqual(60_000);
  });
});

describe('tokens and ids', () => {
  it('counts scripts with many characters per word higher', () => {
    expect(countTokens('abcdefgh')).toBe(2);
    expect(countTokens('旅行の計画を')).toBe(3);
  });

  it('gives calls ids in the form of their provider', () => {
    const idOf = (model: Model) =>
      drawCalls(new Random('id'), model, [{ tool: 'look', arguments: {}, result: null }])[0]?.call.id;
    expect(idOf(GPT_4O)).toMatch(/^call_\w{22}$/);
    expect(idOf(CLAUDE)).toMatch(/^toolu_01\w{22}$/);
  });
});
