import { describe, expect, it } from 'vitest';
import { type SessionReader, SessionSource, type Turn } from './session-source.ts';

function turn(number: number, fields: Partial<Turn> = {}): Turn {
  const time = new Date(Date.UTC(2026, 10, 21, 8, number)).toISOString();
  const rest = { latencyMs: 1, errorCount: 0, tokens: 1, cost: null, rootName: 'turn', input: null, output: null };
  return { id: `node-${number}`, traceId: `trace-${number}`, startTime: time, endTime: time, ...rest, ...fields };
}

/** A server with these turns, which a test may change; pages of two. */
function serve(turns: Turn[]) {
  const server = { turns, isDown: false, reads: 0 };
  const read = <T>(answer: () => T): Promise<T> => {
    server.reads += 1;
    return server.isDown ? Promise.reject(new Error('down')) : Promise.resolve(answer());
  };
  const reader: SessionReader = {
    readSummary: () =>
      read(() =>
        server.turns.length === 0
          ? null
          : {
              sessionId: 's',
              userId: null,
              startTime: '',
              endTime: '',
              turnCount: server.turns.length,
              errorCount: 0,
              cost: { prompt: null, completion: null, total: null },
              tokens: { prompt: 0, completion: 0, total: server.turns.reduce((sum, { tokens }) => sum + tokens, 0) },
              latencyMsP50: null,
            },
      ),
    readPage: (after) =>
      read(() => {
        const sorted = [...server.turns].sort((one, other) => one.startTime.localeCompare(other.startTime));
        const behind = sorted.filter(({ startTime }) => after === null || startTime > after);
        const page = behind.slice(0, 2);
        return { turns: page, endCursor: page.at(-1)?.startTime ?? null, hasMore: behind.length > 2 };
      }),
    readTurns: (ids) => read(() => server.turns.filter(({ id }) => ids.includes(id))),
  };
  return { server, source: new SessionSource(reader) };
}

/** Until the source is at rest. */
async function settle(source: SessionSource): Promise<void> {
  let before: unknown;
  do {
    before = source.getState();
    for (let tick = 0; tick < 40; tick++) await Promise.resolve();
  } while (source.getState() !== before);
}

async function open(turns: Turn[]) {
  const { server, source } = serve(turns);
  source.open();
  await settle(source);
  return { server, source, numbers: () => source.getState().turns.map(({ id }) => Number(id.slice(5))) };
}

describe('a session', () => {
  it('is read page by page', async () => {
    const { source, numbers } = await open([turn(1), turn(2), turn(3)]);
    expect([numbers(), source.getState().isComplete]).toEqual([[1, 2], false]);
    source.loadMore();
    source.loadMore();
    await settle(source);
    expect([numbers(), source.getState().isComplete]).toEqual([[1, 2, 3], true]);
  });

  it('is read to its end by who asks for more whenever it has changed', async () => {
    const { source, numbers } = await open([1, 2, 3, 4, 5, 6, 7].map((number) => turn(number)));
    source.subscribe(source.loadMore);
    source.loadMore();
    await settle(source);
    expect([numbers(), source.getState().isComplete]).toEqual([[1, 2, 3, 4, 5, 6, 7], true]);
  });

  it('gets turns that begin while it is shown', async () => {
    const { server, source, numbers } = await open([turn(1)]);
    server.turns.push(turn(2), turn(3), turn(4));
    source.refresh(['trace-4']);
    await settle(source);
    expect(numbers()).toEqual([1, 2, 3, 4]);
    expect(source.getState().summary?.turnCount).toBe(4);
  });

  it('gets turns that arrive after later ones', async () => {
    const { server, source, numbers } = await open([turn(1), turn(5)]);
    server.turns.push(turn(3));
    source.refresh(null);
    await settle(source);
    expect(numbers()).toEqual([1, 3, 5]);
  });

  it('replaces what a turn was by what it is', async () => {
    const { server, source } = await open([turn(1), turn(2)]);
    server.turns[1] = turn(2, { errorCount: 3, tokens: 9 });
    source.refresh(['trace-2']);
    await settle(source);
    expect(source.getState().turns.map(({ errorCount }) => errorCount)).toEqual([0, 3]);
  });

  it('reads no turn again where neither it is named nor the whole has changed', async () => {
    const { server, source } = await open([turn(1), turn(2)]);
    const { reads } = server;
    source.refresh(null);
    source.refresh(['of another session']);
    await settle(source);
    expect(server.reads - reads).toBe(2);
  });

  it('says that it failed, and goes on where it was', async () => {
    const { server, source, numbers } = await open([turn(1), turn(2), turn(3)]);
    server.isDown = true;
    source.loadMore();
    await settle(source);
    expect(source.getState()).toMatchObject({ phase: 'failed', error: new Error('down') });
    server.isDown = false;
    source.retry();
    await settle(source);
    expect([numbers(), source.getState().phase]).toEqual([[1, 2, 3], 'ready']);
  });

  it('heals by itself when the server tells of changes again', async () => {
    const { server, source, numbers } = await open([turn(1), turn(2)]);
    server.isDown = true;
    source.refresh(null);
    await settle(source);
    expect(source.getState().phase).toBe('failed');
    server.isDown = false;
    source.refresh(null);
    await settle(source);
    expect([numbers(), source.getState()]).toMatchObject([[1, 2], { phase: 'ready', error: undefined }]);
  });

  it('that does not exist is missing', async () => {
    expect((await open([])).source.getState().phase).toBe('missing');
  });

  it('that was left publishes nothing more', async () => {
    const { source } = serve([turn(1)]);
    const close = source.open();
    close();
    await settle(source);
    expect(source.getState().phase).toBe('opening');
  });
});
