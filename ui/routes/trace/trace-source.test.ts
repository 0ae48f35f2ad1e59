import { describe, expect, it } from 'vitest';
import { span } from './model/span.fixture.ts';
import type { TraceSpan } from './model/trace-span.ts';
import { type PageRequest, TraceSource, type TraceState } from './trace-source.ts';

type Order = 'by start' | 'newest first';

/** A server that holds a trace: spans in the order in which they arrived. */
class Server {
  stored: TraceSpan[] = [];
  readonly requests: ((PageRequest & { readonly order: Order }) | readonly string[])[] = [];
  isDown = false;
  isMissing = false;
  /** Called before each page is answered. */
  beforePage: () => void = () => {};

  readonly readEarliest = (request: PageRequest) => this.#readPage(request, 'by start');
  readonly readNewest = (request: PageRequest) => this.#readPage(request, 'newest first');

  async #readPage(request: PageRequest, order: Order) {
    this.requests.push({ ...request, order });
    this.beforePage();
    if (this.isDown) throw new Error('The server is not responding.');
    if (this.isMissing) return null;
    const byStart = this.stored.toSorted((one, other) => one.startMs - other.startMs);
    const rows = order === 'by start' ? byStart : this.stored.toReversed();
    const from = request.after === null ? 0 : rows.findIndex(({ spanId }) => spanId === request.after) + 1;
    const spans = rows.slice(from, from + request.limit);
    return {
      summary: {
        id: 'trace',
        startTime: '',
        latencyMs: null,
        spanCount: this.stored.length,
        errorCount: 0,
        unattachedLogCount: 0,
        tokens: { prompt: 0, completion: 0, total: 0 },
        cost: { prompt: null, completion: null, total: null },
        userId: null,
        session: null,
        rootName: null,
        status: 'OPEN' as const,
      },
      spans,
      nextCursor: from + spans.length < rows.length ? (spans.at(-1)?.spanId ?? null) : null,
    };
  }

  readonly readSpans = async (ids: readonly string[]) => {
    this.requests.push(ids);
    return this.stored.filter(({ id }) => ids.includes(id));
  };
}

function spans(count: number, from = 0): TraceSpan[] {
  return Array.from({ length: count }, (_, place) => span(`s${from + place}`, { startMs: from + place }));
}

function until(source: TraceSource, isReached: (state: TraceState) => boolean): Promise<TraceState> {
  return new Promise((resolve) => {
    const check = () => {
      if (!isReached(source.getState())) return;
      unsubscribe();
      resolve(source.getState());
    };
    const unsubscribe = source.subscribe(check);
    check();
  });
}

function isComplete({ phase }: TraceState): boolean {
  return phase === 'complete';
}

async function opened(server: Server): Promise<TraceSource> {
  const source = new TraceSource(server);
  source.open();
  await until(source, isComplete);
  return source;
}

describe('opening a trace', () => {
  it('shows the first page while others are read, and builds the tree a few times only', async () => {
    const server = new Server();
    server.stored = spans(50_500);
    const source = new TraceSource(server);
    const sizes = new Set<number>();
    source.subscribe(() => sizes.add(source.getState().forest.nodes.length));
    source.open();
    const first = await until(source, ({ loadedCount }) => loadedCount > 0);
    expect([first.phase, first.forest.nodes.length]).toEqual(['loading', 1000]);
    const last = await until(source, isComplete);
    expect(last.loadedCount).toBe(50_500);
    expect([...sizes]).toEqual([1000, 21_000, 50_500]);
    expect(server.requests).toHaveLength(4);
  });

  it('says that there is no such trace, and finds it when it came', async () => {
    const server = new Server();
    server.isMissing = true;
    const source = new TraceSource(server);
    source.open();
    await until(source, ({ phase }) => phase === 'missing');
    server.isMissing = false;
    server.stored = spans(1);
    source.refresh();
    expect((await until(source, isComplete)).loadedCount).toBe(1);
  });

  it('shows no spans of a trace that was deleted meanwhile, and those that make it anew', async () => {
    const server = new Server();
    server.stored = spans(3);
    const source = await opened(server);
    server.isMissing = true;
    source.refresh();
    const gone = await until(source, ({ phase }) => phase === 'missing');
    expect([gone.forest.nodes.length, gone.loadedCount, gone.summary === null]).toEqual([0, 0, false]);
    server.isMissing = false;
    server.stored = spans(1, 7);
    source.refresh();
    expect((await until(source, isComplete)).forest.nodes.map(({ key }) => key)).toHaveLength(1);
  });

  it('keeps what it has when the server goes, and reads on from there', async () => {
    const server = new Server();
    server.stored = spans(2500);
    server.beforePage = () => {
      server.isDown = server.requests.length === 2;
    };
    const source = new TraceSource(server);
    source.open();
    const failed = await until(source, ({ phase }) => phase === 'failed');
    expect([failed.loadedCount, failed.error?.message]).toEqual([1000, 'The server is not responding.']);
    source.retry();
    expect((await until(source, isComplete)).forest.nodes).toHaveLength(2500);
    expect(server.requests).toHaveLength(3);
  });

  it('stops when it is closed, and goes on when it is opened again', async () => {
    const server = new Server();
    server.stored = spans(2500);
    const source = new TraceSource(server);
    source.open()();
    source.open();
    await until(source, isComplete);
    const unchanged = source.getState();
    expect(unchanged.forest.nodes).toHaveLength(2500);
  });
});

describe('bringing a trace up to date', () => {
  it('brings new spans, and leaves the tree alone when there are none', async () => {
    const server = new Server();
    server.stored = spans(3);
    const source = await opened(server);
    const { forest } = source.getState();
    source.refresh();
    await until(source, () => server.requests.length === 2);
    server.stored.push(span('late', { parentId: 's0', startMs: -5 }));
    source.refresh();
    const state = await until(source, ({ loadedCount }) => loadedCount === 4);
    expect(state.forest).not.toBe(forest);
    expect(state.forest.byKey.get('late')?.parent?.key).toBe('s0');
  });

  it('replaces spans that were sent again', async () => {
    const server = new Server();
    server.stored = [span('s0', { endMs: null })];
    const source = await opened(server);
    server.stored = [span('s0', { endMs: 9 })];
    source.refresh();
    await until(source, ({ forest }) => forest.byKey.get('s0')?.endMs === 9);
  });

  it('reads a large trace no more than its news and its open spans', async () => {
    const server = new Server();
    server.stored = [...spans(3000), span('open', { startMs: 5000, endMs: null })];
    const source = await opened(server);
    server.requests.length = 0;
    server.stored[3000] = span('open', { startMs: 5000, endMs: 6000 });
    server.stored.push(span('new', { startMs: 5001 }));
    source.refresh();
    const { forest } = await until(source, ({ loadedCount }) => loadedCount === 3002);
    expect(forest.byKey.get('open')?.endMs).toBe(6000);
    expect(server.requests).toEqual([['node-open'], { limit: 200, after: null, order: 'newest first' }]);
  });

  it('finds what was sent again in a large trace, once it rests, and not while it is opened', async () => {
    const server = new Server();
    server.stored = spans(21_000);
    const source = new TraceSource(server, { leastRestMs: 1, restFactor: 0 });
    source.open();
    source.refresh(false);
    await until(source, isComplete);
    server.requests.length = 0;
    server.stored[1200] = span('s1200', { startMs: 1200, status: 'ERROR' });
    source.refresh();
    source.refresh();
    const { forest } = await until(source, ({ forest: { failed } }) => failed.length === 1);
    expect(forest.failed.map(({ key }) => key)).toEqual(['s1200']);
    const pages = server.requests.filter((request) => 'order' in request && request.order === 'by start');
    expect(pages.map((page) => 'after' in page && page.after)).toEqual([null, 's19999']);
  });

  it('reads what is new while all is read again, and all once more for what changed meanwhile', async () => {
    const server = new Server();
    server.stored = spans(21_000);
    const source = new TraceSource(server, { leastRestMs: 1, restFactor: 0 });
    source.open();
    await until(source, isComplete);
    server.requests.length = 0;
    server.beforePage = () => {
      if (server.requests.length !== 3) return;
      server.stored.push(span('new', { startMs: -1 }));
      server.stored[3] = span('s3', { startMs: 3, status: 'ERROR' });
      source.refresh();
    };
    source.refresh();
    const { forest } = await until(source, ({ forest: { failed } }) => failed.length === 1);
    expect(forest.byKey.has('new')).toBe(true);
    expect(server.requests.map((request) => 'order' in request && request.order)).toEqual([
      'newest first',
      'by start',
      'by start',
      'newest first',
      'by start',
      'by start',
    ]);
  });

  it('finds spans that came while it read, even behind ones that it knows', async () => {
    const server = new Server();
    server.stored = spans(2000);
    server.beforePage = () => {
      if (server.requests.length !== 2) return;
      server.stored.push(span('early', { startMs: -1 }), ...spans(250, 3000));
    };
    const source = await opened(server);
    expect(source.getState().loadedCount).toBe(2250);
    source.refresh();
    await until(source, ({ forest }) => forest.byKey.has('early'));
  });

  it('runs once more when something changed while it ran', async () => {
    const server = new Server();
    server.stored = spans(1);
    const source = new TraceSource(server);
    source.open();
    source.refresh();
    source.refresh();
    await until(source, () => server.requests.length === 2);
    await until(source, isComplete);
    expect(server.requests.map((request) => 'order' in request && request.order)).toEqual(['by start', 'newest first']);
  });

  it('keeps what it shows when the server goes', async () => {
    const server = new Server();
    server.stored = spans(2);
    const source = await opened(server);
    server.isDown = true;
    source.refresh();
    const state = await until(source, ({ error }) => error !== null);
    expect([state.phase, state.forest.nodes.length]).toEqual(['complete', 2]);
  });
});
