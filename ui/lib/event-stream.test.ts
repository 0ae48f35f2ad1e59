import { describe, expect, it } from 'vitest';
import { readEvents, type StreamedEvent } from './event-stream.ts';

async function eventsOf(...chunks: readonly (string | Uint8Array)[]): Promise<readonly StreamedEvent[]> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
      controller.close();
    },
  });
  const events: StreamedEvent[] = [];
  for await (const event of readEvents(new Response(body))) events.push(event);
  return events;
}

describe('readEvents', () => {
  it('reads events with their names, and messages without one', async () => {
    expect(await eventsOf('event: next\ndata: {"a":1}\n\ndata: plain\n\n')).toEqual([
      { event: 'next', data: '{"a":1}' },
      { event: 'message', data: 'plain' },
    ]);
  });

  it('puts together what came in pieces, in the middle of a character too', async () => {
    const bytes = new TextEncoder().encode('event: next\r\ndata: é\r\n\r\n');
    const cut = bytes.indexOf(0xc3) + 1;
    expect(await eventsOf(bytes.slice(0, cut), bytes.slice(cut))).toEqual([{ event: 'next', data: 'é' }]);
  });

  it('joins the lines of one message, and takes no more than one space off each', async () => {
    expect(await eventsOf('data: one\ndata:  two\ndata\n\n')).toEqual([{ event: 'message', data: 'one\n two\n' }]);
  });

  it('passes over comments, which keep the connection open', async () => {
    expect(await eventsOf(': still here\n\n:\n\nevent: complete\n\n')).toEqual([{ event: 'complete', data: '' }]);
  });

  it('gives up an event that the end of the stream cut off', async () => {
    expect(await eventsOf('event: next\ndata: half')).toEqual([]);
  });
});
