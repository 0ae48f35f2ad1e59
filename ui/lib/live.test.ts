import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Change,
  findNewRows,
  findStaleRows,
  followChanges,
  POLL_INTERVAL_MS,
  RETRY_STREAM_AFTER_MS,
  takingTurns,
} from './live.ts';

class Server {
  mark: string | null = 'one';
  isReachable = true;
  asked = 0;
  readonly streams: { change: (change: Change) => void; end: () => void; isClosed: boolean }[] = [];

  stream(change: (change: Change) => void, end: () => void): () => void {
    const stream = { change, end, isClosed: false };
    this.streams.push(stream);
    return () => {
      stream.isClosed = true;
    };
  }

  async readMark(): Promise<string | null> {
    this.asked += 1;
    if (!this.isReachable) throw new Error('no answer');
    return this.mark;
  }
}

class Page {
  private isAway = false;
  private readonly listeners = new Set<() => void>();
  isHidden(): boolean {
    return this.isAway;
  }
  watch(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  set hidden(isAway: boolean) {
    this.isAway = isAway;
    for (const listener of this.listeners) listener();
  }
}

describe('following changes', () => {
  let server: Server;
  let page: Page;
  let changes: Change[];
  let stop: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    server = new Server();
    page = new Page();
    changes = [];
    stop = followChanges(server, page, (change) => changes.push(change));
  });

  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  it('passes on what the stream says, and asks nothing besides', async () => {
    server.streams[0]?.change(['a']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(changes).toEqual([['a']]);
    expect(server.asked).toBe(0);
  });

  it('asks every two seconds after the stream failed, and tells at first and when the mark moved', async () => {
    server.streams[0]?.end();
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 2);
    expect(changes).toEqual([null]);
    server.mark = 'two';
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    expect(changes).toEqual([null, null]);
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    expect(changes).toEqual([null, null]);
    expect(server.asked).toBe(5);
  });

  it('takes the marks of two servers that are asked by turns for one', async () => {
    const marks = ['noon', 'noon and a bit', 'noon', 'noon and a bit', null, 'noon', 'one'];
    server.readMark = async () => marks.shift() ?? null;
    server.streams[0]?.end();
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 5);
    expect(changes).toEqual([null, null]);
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 2);
    expect(changes).toEqual([null, null, null]);
  });

  it('goes on asking a server that was gone for a while', async () => {
    server.streams[0]?.end();
    await vi.advanceTimersByTimeAsync(0);
    server.isReachable = false;
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 3);
    server.isReachable = true;
    server.mark = 'two';
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    expect(changes).toEqual([null, null]);
  });

  it('tries the stream again after a while, and then asks no more', async () => {
    server.streams[0]?.end();
    await vi.advanceTimersByTimeAsync(RETRY_STREAM_AFTER_MS);
    expect(server.streams).toHaveLength(2);
    const { asked } = server;
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 5);
    expect(server.asked).toBe(asked);
    server.streams[1]?.change(['b']);
    expect(changes).toEqual([null, ['b']]);
  });

  it('closes the stream while the page is hidden, and opens one when it is seen again', async () => {
    page.hidden = true;
    expect(server.streams[0]?.isClosed).toBe(true);
    server.streams[0]?.end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.asked).toBe(0);
    expect(server.streams).toHaveLength(1);
    page.hidden = false;
    expect(server.streams).toHaveLength(2);
  });

  it('asks nothing in a hidden page, and catches up with the first answer after it', async () => {
    server.streams[0]?.end();
    await vi.advanceTimersByTimeAsync(0);
    page.hidden = true;
    const { asked } = server;
    server.mark = 'two';
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.asked).toBe(asked);
    page.hidden = false;
    server.streams[1]?.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(changes).toEqual([null, null]);
  });

  it('does nothing more once it is stopped', async () => {
    stop();
    expect(server.streams[0]?.isClosed).toBe(true);
    page.hidden = true;
    page.hidden = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.streams).toHaveLength(1);
    expect(server.asked).toBe(0);
  });
});

describe('taking turns', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('acts at once, then joins what comes until the next turn', async () => {
    const acted: Change[] = [];
    const tell = takingTurns(async (change) => void acted.push(change), 1000);
    for (const change of [['a'], ['b'], ['b', 'c']]) tell(change);
    expect(acted).toEqual([['a']]);
    await vi.advanceTimersByTimeAsync(999);
    expect(acted).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(acted).toEqual([['a'], ['b', 'c']]);
  });

  it('knows no trace where anything may have changed', async () => {
    const acted: Change[] = [];
    const tell = takingTurns(async (change) => void acted.push(change), 1000);
    for (const change of [['a'], ['b'], null, ['c']]) tell(change);
    await vi.advanceTimersByTimeAsync(1000);
    expect(acted).toEqual([['a'], null]);
  });

  it('never acts twice at the same time, and goes on after a failure', async () => {
    const ends: (() => void)[] = [];
    let calls = 0;
    const tell = takingTurns(async () => {
      calls += 1;
      if (calls === 1) await new Promise<void>((_, reject) => ends.push(() => reject(new Error('gone'))));
    }, 1000);
    tell(null);
    tell(null);
    await vi.advanceTimersByTimeAsync(5000);
    expect(calls).toBe(1);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(calls).toBe(2);
  });
});

describe('new rows', () => {
  it('are those that are neither loaded nor known', () => {
    expect(findNewRows(['d', 'c', 'b', 'a'], new Set(['a', 'b']), new Set(['c']))).toEqual(['d']);
  });
});

describe('rows to read again', () => {
  const rows = ['a', 'b', 'a', 'c'].map((traceId, index) => ({ key: `${index}`, traceId }));
  const inSight = { first: 1, last: 2 };

  it('are those of the traces that changed, wherever they are', () => {
    expect(findStaleRows(rows, ['a'], inSight, 10)).toEqual(['0', '2']);
    expect(findStaleRows(rows, [], inSight, 10)).toEqual([]);
  });

  it('are those in sight where anything may have changed', () => {
    expect(findStaleRows(rows, null, inSight, 10)).toEqual(['1', '2']);
  });

  it('are those in sight where rows stand for several traces', () => {
    const sessions = rows.map(({ key }) => ({ key, traceId: undefined }));
    expect(findStaleRows(sessions, ['a'], inSight, 10)).toEqual(['1', '2']);
  });

  it('are never more than the limit', () => {
    expect(findStaleRows(rows, ['a', 'b', 'c'], inSight, 2)).toEqual(['0', '1']);
  });
});
