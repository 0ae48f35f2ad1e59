import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LogContent, LogContents } from './log-contents.ts';

function content(id: string): LogContent {
  return { input: `in ${id}`, output: null, statusMessage: '', exceptions: [] };
}

function ids(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, place) => `s${from + place}`);
}

describe('the contents of a log', () => {
  let requests: (readonly string[])[];
  let isDown: boolean;
  let contents: LogContents;

  beforeEach(() => {
    vi.useFakeTimers();
    requests = [];
    isDown = false;
    contents = new LogContents(async (wanted) => {
      requests.push(wanted);
      if (isDown) throw new Error('The server is not responding.');
      return new Map(wanted.map((id) => [id, content(id)]));
    });
  });
  afterEach(() => vi.useRealTimers());

  it('come in batches of twenty for what rests in sight', async () => {
    let heard = 0;
    contents.subscribe(() => heard++);
    contents.want(ids(45));
    expect(requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(requests.map(({ length }) => length)).toEqual([20, 20, 5]);
    expect([contents.getLoaded().size, heard]).toEqual([45, 3]);
    expect(contents.getLoaded().get('s44')?.input).toBe('in s44');
  });

  it('are not fetched for what is scrolled past', async () => {
    for (let from = 0; from < 1000; from += 100) {
      contents.want(ids(10, from));
      await vi.advanceTimersByTimeAsync(16);
    }
    await vi.advanceTimersByTimeAsync(200);
    expect(requests).toEqual([ids(10, 900)]);
  });

  it('are fetched once', async () => {
    contents.want(ids(10));
    await vi.advanceTimersByTimeAsync(200);
    contents.want(ids(12));
    await vi.advanceTimersByTimeAsync(200);
    expect(requests).toEqual([ids(10), ['s10', 's11']]);
  });

  it('are asked for again when the server did not answer', async () => {
    isDown = true;
    contents.want(ids(1));
    await vi.advanceTimersByTimeAsync(200);
    isDown = false;
    contents.want(ids(1));
    await vi.advanceTimersByTimeAsync(200);
    expect([requests.length, contents.getLoaded().size]).toEqual([2, 1]);
  });

  it('come all at once when they are searched, until that is stopped', async () => {
    const stop = new AbortController();
    contents.subscribe(() => requests.length === 2 && stop.abort());
    await contents.fetchAll(ids(100), stop.signal);
    expect(contents.getLoaded().size).toBe(40);
    await contents.fetchAll(ids(100), new AbortController().signal);
    expect(contents.getLoaded().size).toBe(100);
    expect(requests).toHaveLength(5);
  });

  it('fail the search when one request fails', async () => {
    isDown = true;
    await expect(contents.fetchAll(ids(3), new AbortController().signal)).rejects.toThrow('not responding');
  });
});
