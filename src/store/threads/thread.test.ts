import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withAsker } from '#base/asker';
import { currentSignal, withSignal } from '#base/cancellation';
import { collectInAllThreads } from '#base/collect-together';
import { MemoryRoom, type RoomPart } from '#base/memory-room';
import type { FixtureCalls } from './thread.fixture.ts';
import { causeOf, Thread } from './thread.ts';

let room: RoomPart;
let thread: Thread<FixtureCalls>;
let deaths: string[];
let lines: string[];
let damage: string[];
let onLine: () => void;

beforeEach(() => {
  deaths = [];
  lines = [];
  damage = [];
  onLine = () => undefined;
  room = new MemoryRoom({ maxBytes: 100_000_000, waitMs: 1000 }).part();
  thread = new Thread({
    rooms: { batches: room, innerBatches: room, originals: room },
    spawn: () => new Worker(new URL('./thread.fixture.ts', import.meta.url)),
    onDeath: (reason) => deaths.push(reason),
    onLog: (line) => {
      lines.push(line.message);
      onLine();
    },
    onDamage: ({ message }) => damage.push(message),
  });
});

afterEach(() => thread.close());

describe('a thread', () => {
  it('collects what it dropped when all threads are told to', async () => {
    await thread.call('drop', []);
    expect(await thread.call('isDroppedThere', [])).toBe(true);
    collectInAllThreads();
    // After 15 s it would do so by itself.
    await expect.poll(() => thread.call('isDroppedThere', []), { timeout: 10_000 }).toBe(false);
  });

  it('answers each call with its own result', async () => {
    const answers = await Promise.all([1, 'two', { three: 3n }].map((value) => thread.call('echo', [value])));
    expect(answers).toEqual([1, 'two', { three: 3n }]);
    expect(thread.pendingCount).toBe(0);
  });

  it('takes buffers away from the caller instead of copying them, and gives them back likewise', async () => {
    const bytes = new Uint8Array(100_000);
    expect(await thread.call('length', [bytes], [bytes.buffer])).toBe(100_000);
    expect(bytes.length).toBe(0);
    expect(await thread.call('moved', [5])).toEqual(new Uint8Array(5));
  });

  it('takes room of its own for little, and of all threads for much, which is free when it gives it back or dies', async () => {
    await thread.call('hold', [3_000_000]);
    expect(room.takenBytes).toBe(0);
    await thread.call('hold', [60_000_000]);
    expect(room.takenBytes).toBe(60_000_000);
    await expect(thread.call('hold', [50_000_000])).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 1,
    });
    await thread.call('giveAll', []);
    await vi.waitFor(() => expect(room.takenBytes).toBe(0));
    await thread.call('hold', [90_000_000]);
    await expect(thread.call('die', [])).rejects.toMatchObject({ code: 'unavailable' });
    expect(room.takenBytes).toBe(0);
  });

  it('holds little of what it had room for, once it has dropped it', async () => {
    expect(await thread.call('dropAll', [60])).toBeLessThan(60_000_000);
  });

  it('takes room on behalf of the caller, so that the caller that holds least goes first', async () => {
    const holdFor = (caller: string, bytes: number) => withAsker([caller], () => thread.call('hold', [bytes]));
    await holdFor('greedy', 60_000_000);
    const greedy = holdFor('greedy', 90_000_000);
    await vi.waitFor(() => expect(room.waitingCount).toBe(1));
    await holdFor('modest', 20_000_000);
    expect([room.takenBytes, room.waitingCount]).toEqual([80_000_000, 1]);
    await thread.call('giveAll', []);
    await greedy;
  });

  it('waits for no room on behalf of a caller who has left', async () => {
    await thread.call('hold', [60_000_000]);
    const leaving = new AbortController();
    const waiting = withSignal(leaving.signal, () => thread.call('hold', [50_000_000]));
    await vi.waitFor(() => expect(room.waitingCount).toBe(1));
    leaving.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await vi.waitFor(() => expect(room.waitingCount).toBe(0), { timeout: 500 });
    await thread.call('hold', [40_000_000]);
    expect(room.takenBytes).toBe(100_000_000);
  });

  it('carries what a caller may know of an error, and keeps the stack of a fault for the log', async () => {
    await expect(thread.call('refuse', [])).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 3 });
    const fault = await thread.call('fail', []).catch((error: unknown) => error as Error);
    expect(fault).not.toHaveProperty('code');
    expect(fault).toMatchObject({ message: 'a fault of ours', stack: expect.stringContaining('thread.fixture') });
  });

  it('tells that the disk is full from other faults', async () => {
    await expect(thread.call('fillDisk', [])).rejects.toMatchObject({ code: 'insufficient_storage' });
  });

  it('tells the caller and the main thread that the database is damaged', async () => {
    const damaged = {
      code: 'data_damaged',
      retryAfterSeconds: undefined,
      message: expect.stringContaining('malformed'),
    };
    await expect(thread.call('meetDamage', [])).rejects.toMatchObject(damaged);
    expect(damage).toEqual([expect.stringContaining('malformed')]);
  });

  it('says what kind of fault of the storage it was', async () => {
    await expect(thread.call('collide', [])).rejects.toMatchObject({
      name: 'StorageError',
      fault: 'conflict',
      message: 'somebody else was faster',
    });
  });

  it('refuses calls that it does not know, also names of object members', async () => {
    const untyped = thread as unknown as Thread<{ readonly constructor: () => void }>;
    await expect(untyped.call('constructor', [])).rejects.toThrow('no such call: constructor');
  });

  it('refuses what cannot be sent and goes on', async () => {
    await expect(thread.call('echo', [() => 1])).rejects.toThrow('cannot be sent');
    expect(await thread.call('echo', [2])).toBe(2);
  });

  it('writes to the log of the server', async () => {
    await thread.call('log', []);
    expect(lines).toEqual(['look here']);
  });

  it('tells a handler that its caller has left, and the caller at once', async () => {
    const leaving = new AbortController();
    const waiting = withSignal(leaving.signal, () => thread.call('untilCancelled', []));
    await thread.call('echo', [1]);
    leaving.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await vi.waitFor(() => expect(lines).toEqual(['cancelled']));
    const late = withSignal(leaving.signal, () => thread.call('echo', [1]));
    await expect(late).rejects.toThrow('gone');
    expect(await thread.call('echo', [2])).toBe(2);
  });

  it('reports outside of the call that started it', async () => {
    const leaving = new AbortController();
    await withSignal(leaving.signal, () => thread.call('echo', [1]));
    leaving.abort(new Error('gone'));
    let heard: AbortSignal | undefined = leaving.signal;
    onLine = () => (heard = currentSignal());
    await thread.call('log', []);
    expect(heard).toBeUndefined();
  });

  it('tells its waiting callers to try again when it dies, and is replaced', async () => {
    const waiting = thread.call('never', []);
    const dying = thread.call('die', []);
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    await expect(dying).rejects.toMatchObject({ code: 'unavailable' });
    expect(causeOf(await dying.catch((error: unknown) => error))).toBe('it ended with code 7');
    expect(await thread.call('echo', ['again'])).toBe('again');
    expect(deaths).toEqual(['it ended with code 7']);
  });

  it('is not started without a pause when it dies each time before it answers', async () => {
    for (let call = 0; call < 200; call++)
      await expect(thread.call('die', [])).rejects.toMatchObject({ code: 'unavailable' });
    expect(deaths.length).toBeLessThan(20);
    await expect(thread.call('echo', [1])).rejects.toMatchObject({ retryAfterSeconds: expect.any(Number) });
    await vi.waitFor(async () => expect(await thread.call('echo', ['again'])).toBe('again'), { timeout: 30_000 });
  });

  it('is closed also when it dies on its way out', async () => {
    const dying = thread.call('die', []);
    await Promise.all([thread.close(), expect(dying).rejects.toMatchObject({ code: 'unavailable' })]);
    expect(lines).toEqual(['a worker thread died while closing']);
  });

  it('is abandoned while it starts or works', async () => {
    const unanswered = expect(thread.call('work', [new SharedArrayBuffer(4), 1_000_000])).rejects.toMatchObject({
      code: 'unavailable',
    });
    await Promise.all([thread.abandon(), unanswered]);
    expect(deaths).toEqual([]);
    await expect(thread.call('echo', [1])).rejects.toThrow('The server is stopping.');
  });

  it('finishes by its close handler, takes nothing more, and does not count as dead', async () => {
    await thread.call('echo', [1]);
    await thread.close();
    expect(lines).toEqual(['closed']);
    await expect(thread.call('echo', [1])).rejects.toMatchObject({ code: 'unavailable' });
    expect(deaths).toEqual([]);
  });
});
