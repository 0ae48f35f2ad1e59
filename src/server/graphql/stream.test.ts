import { setTimeout as wait } from 'node:timers/promises';
import type { OperationResult } from '#api/graphql/operation';
import { describe, expect, it } from 'vitest';
import { EVENT_STREAM, MULTIPART, onlyEvent, streamEvents } from './stream.ts';

/** Events that the test hands out, and whether they were given up. */
class Source implements AsyncIterableIterator<OperationResult, undefined> {
  asked = 0;
  isEnded = false;
  #resolve: ((result: IteratorResult<OperationResult, undefined>) => void) | undefined;

  give(result: IteratorResult<OperationResult, undefined>): void {
    this.#resolve?.(result);
  }

  next(): Promise<IteratorResult<OperationResult, undefined>> {
    this.asked++;
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  return(): Promise<IteratorResult<OperationResult, undefined>> {
    this.isEnded = true;
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

const RESULT: OperationResult = { data: { text: 'a\nb' } };

describe('a stream', () => {
  it('of server-sent events begins at once and says when it is complete', async () => {
    const texts = (await streamEvents(onlyEvent(RESULT), EVENT_STREAM).toArray()) as Buffer[];
    expect(Buffer.concat(texts).toString()).toBe(
      ':\n\nevent: next\ndata: {"data":{"text":"a\\nb"}}\n\nevent: complete\ndata:\n\n',
    );
  });

  it("of Apollo's parts ends each part with its boundary", async () => {
    const texts = (await streamEvents(onlyEvent(RESULT), MULTIPART).toArray()) as Buffer[];
    expect(Buffer.concat(texts).toString()).toBe(
      '--graphql\r\nContent-Type: application/json\r\n\r\n{"payload":{"data":{"text":"a\\nb"}}}\r\n--graphql--\r\n',
    );
  });

  it('shows that it is alive while nothing happens', async () => {
    const source = new Source();
    const stream = streamEvents(source, MULTIPART, { heartbeatMs: 5 });
    const texts: string[] = [];
    for await (const text of stream) {
      texts.push(String(text));
      if (texts.length === 3) break;
    }
    expect(texts.join('')).toContain('\r\n\r\n{}\r\n--graphql');
  });

  it('takes no event before its reader has taken those before', async () => {
    const source = new Source();
    const stream = streamEvents(source, EVENT_STREAM);
    stream.read(0);
    for (let given = 0; given < 100; given++) {
      source.give({ done: false, value: { data: { text: 'x'.repeat(10_000) } } });
      await wait(0);
    }
    expect(source.asked).toBeLessThan(20);
    stream.destroy();
  });

  it('gives its events up when its reader goes', async () => {
    const source = new Source();
    const stream = streamEvents(source, EVENT_STREAM, { heartbeatMs: 5 });
    stream.destroy();
    await wait(0);
    expect(source.isEnded).toBe(true);
  });

  it('breaks where its events break', async () => {
    const broken = {
      next: () => Promise.reject(new Error('broken')),
      [Symbol.asyncIterator]: () => broken,
    } as AsyncIterableIterator<OperationResult, undefined>;
    await expect(streamEvents(broken, EVENT_STREAM).toArray()).rejects.toThrow('broken');
  });
});
