import { describe, expect, it } from 'vitest';
import type { AnyValue } from '#otlp/messages';
import { flatAttributes, readSpan } from '../../../test/support/dialect-span.ts';
import { otlpEvent } from '../../../test/support/otlp-span.ts';

const KEY = 'gen_ai.response.time_to_first_chunk';

/** What is read of a span that starts at second 1, with events so many milliseconds later. */
function read(
  events: readonly (readonly [name: string, ms: number])[],
  attributes: Readonly<Record<string, AnyValue>> = {},
) {
  const sent = events.map(([name, ms]) => ({
    ...otlpEvent(name),
    timeUnixNano: 1_000_000_000n + BigInt(ms) * 1_000_000n,
  }));
  return flatAttributes(readSpan({ attributes, events: sent }));
}

describe('time to the first token', () => {
  it.each([
    'First Token Stream Event',
    'gen_ai.content.completion.chunk',
    'llm.content.completion.chunk',
    'ai.stream.firstChunk',
  ])('is that of the event %s', (name) => {
    expect(
      read([
        ['other', 10],
        [name, 340],
      ])[KEY],
    ).toBe(0.34);
  });

  it('is that of the first chunk, in whichever order they are sent', () => {
    const chunks = [700, 250, 900].map((ms) => ['llm.content.completion.chunk', ms] as const);
    expect(read(chunks)[KEY]).toBe(0.25);
  });

  it.each([
    KEY,
    'gen_ai.response.time_to_first_token',
    'gen_ai.server.time_to_first_token',
    'gen_ai.latency.time_to_first_token',
    'ai.response.msToFirstChunk',
    'ai.stream.msToFirstChunk',
    'langfuse.observation.completion_start_time',
  ])('is left to %s where that is there', (key) => {
    const attributes = read([['First Token Stream Event', 340]], { [key]: 7.5 });
    expect([attributes[KEY], attributes[key]]).toEqual([key === KEY ? 7.5 : undefined, 7.5]);
  });

  it('is unknown without such an event, and before the span', () => {
    expect(read([['first_token', 340]])).not.toHaveProperty([KEY]);
    expect(read([['First Token Stream Event', -1]])).not.toHaveProperty([KEY]);
    expect(read([['First Token Stream Event', 0]])[KEY]).toBe(0);
  });
});
