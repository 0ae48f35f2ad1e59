import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { withAsker } from '#base/asker';
import { withSignal } from '#base/cancellation';
import { ReaderPool, type ReaderPoolOptions } from './reader-pool.ts';
import type { FixtureCalls } from './thread.fixture.ts';

let pool: ReaderPool<FixtureCalls>;
let counted: SharedArrayBuffer;
let leaving: AbortController;

function open(size: number, options: Partial<ReaderPoolOptions> = {}): void {
  pool = new ReaderPool<FixtureCalls>(size, {
    ...options,
    spawn: () => new Worker(new URL('./thread.fixture.ts', import.meta.url)),
    onDeath: () => undefined,
    onLog: () => undefined,
  });
}

beforeEach(() => {
  open(1);
  counted = new SharedArrayBuffer(4);
  leaving = new AbortController();
});

afterEach(async () => {
  leaving.abort(new Error('gone'));
  await pool.close();
});

/** Operations of one caller, each a call of so many pieces, until the test ends. */
function askHeavily(shares: readonly string[], operations: number, pieces: number): void {
  for (let index = 0; index < operations; index++) {
    withAsker(shares, () => withSignal(leaving.signal, () => pool.call('work', [counted, pieces]))).catch(
      () => undefined,
    );
  }
}

async function untilPieces(count: number): Promise<void> {
  const pieces = new Int32Array(counted);
  for (let seen = 0; seen < count; seen = pieces[0] ?? 0) {
    const waiting = Atomics.waitAsync(pieces, 0, seen);
    if (waiting.async) await waiting.value;
  }
}

it('starts another thread for callers who wait, and not for the calls of the server', async () => {
  let startedCount = 0;
  const two = new ReaderPool<FixtureCalls>(2, {
    spawn: () => {
      startedCount++;
      return new Worker(new URL('./thread.fixture.ts', import.meta.url));
    },
    onDeath: () => undefined,
    onLog: () => undefined,
  });
  onTestFinished(() => two.close());
  await Promise.all([1, 2, 3].map((value) => two.call('echo', [value])));
  expect(startedCount).toBe(1);
  await withAsker(['somebody'], () => Promise.all([1, 2, 3].map((value) => two.call('echo', [value]))));
  expect(startedCount).toBe(2);
});

describe('calls', () => {
  it('of one caller are refused where too many wait, those of another and of the server are not', async () => {
    const calls = Array.from({ length: 700 }, (_, index) => withAsker(['greedy'], () => pool.call('echo', [index])));
    const others = withAsker(['another'], () => pool.call('echo', ['another']));
    const ownWork = Array.from({ length: 2000 }, () => pool.call('echo', ['own']));
    const answers = await Promise.allSettled(calls);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(666);
    expect(answers.at(-1)).toMatchObject({ reason: { code: 'resource_exhausted', retryAfterSeconds: 1 } });
    expect(await others).toBe('another');
    expect(await Promise.all(ownWork)).toHaveLength(2000);
  });

  it('of one operation wait for each other, however many, and those of others pass', async () => {
    const answered: unknown[] = [];
    const ofOne = withAsker(['one'], () =>
      Array.from({ length: 3000 }, async () => answered.push(await pool.call('echo', ['one']))),
    );
    answered.push(await withAsker(['another'], () => pool.call('echo', ['another'])));
    expect(answered.length).toBeLessThan(20);
    await Promise.all(ofOne);
    expect(answered).toHaveLength(3001);
  });

  it('of a caller who goes end, those that wait for others included', async () => {
    const calls = withSignal(leaving.signal, () =>
      withAsker(['leaving'], () => Array.from({ length: 20 }, () => pool.call('untilCancelled', []))),
    );
    leaving.abort(new Error('gone'));
    for (const call of calls) await expect(call).rejects.toThrow('gone');
    expect(await pool.call('echo', ['again'])).toBe('again');
  });
});

describe('time is shared out, so that', () => {
  it.each([
    ['another caller', 40, ['light']],
    ['another address of the caller', 40, ['heavy', '192.0.2.2']],
    ['the same address', 15, ['heavy', '192.0.2.1']],
    ['the server', 40, undefined],
  ])('a short question of %s goes before what is left of %d long ones', async (_, operations, shares) => {
    askHeavily(['heavy', '192.0.2.1'], operations, 20);
    await untilPieces(80);
    const ask = () => pool.call('work', [counted, 0]);
    const asked = new Int32Array(counted)[0] ?? 0;
    const began = shares === undefined ? await pool.callUnrefused('work', [counted, 0]) : await withAsker(shares, ask);
    expect(began - asked).toBeLessThan(10);
  });

  it('one long question of a caller takes as long as if the other had asked one, too', async () => {
    askHeavily(['heavy'], 20, 20);
    await untilPieces(40);
    const own = new SharedArrayBuffer(4);
    const before = new Int32Array(counted)[0] ?? 0;
    await withAsker(['other'], () => pool.call('work', [own, 10]));
    expect((new Int32Array(counted)[0] ?? 0) - before).toBeLessThan(20);
  });

  it('few of one caller have begun at a time', async () => {
    askHeavily(['heavy'], 40, 4);
    await untilPieces(160);
    expect(await pool.call('mostBegun', [])).toBeLessThanOrEqual(16);
  });

  it('what has waited for nobody any more never begins', async () => {
    askHeavily(['heavy'], 40, 20);
    await untilPieces(5);
    leaving.abort(new Error('gone'));
    await withAsker(['heavy'], () => pool.call('work', [counted, 1]));
    expect(new Int32Array(counted)[0]).toBeLessThan(50);
    expect(await pool.call('mostBegun', [])).toBeLessThanOrEqual(16);
  });
});

describe('calls that keep a thread from all else', () => {
  const ask = (caller: string, milliseconds: number) => withAsker([caller], () => pool.call('block', [milliseconds]));
  const threadsOf = async (caller: string, milliseconds: number) =>
    new Set(await Promise.all([1, 2].map(() => ask(caller, milliseconds)))).size;

  beforeEach(async () => {
    await pool.close();
  });

  it('go to one thread a caller once that is known of them, so that what others ask goes before them', async () => {
    open(2);
    expect(new Set(await Promise.all([1, 2, 3].map(() => ask('heavy', 600)))).size).toBe(2);
    const order: string[] = [];
    const heavy = [1, 2].map(() => ask('heavy', 600).then((thread) => (order.push('heavy'), thread)));
    for (let time = 0; time < 3; time++) await withAsker(['light'], () => pool.call('echo', [time]));
    order.push('light');
    expect(new Set(await Promise.all(heavy)).size).toBe(1);
    expect(order[0]).toBe('light');
  });

  it('go to one thread before anything is known of them where they may be such', async () => {
    open(2, { mayBeLong: (method) => method === 'block' });
    // Both threads run, so that nothing else leads two calls to one.
    await Promise.all([...'abcdef'].map((caller) => ask(caller, 100)));
    expect(await threadsOf('heavy', 600)).toBe(1);
  });

  it('go to all threads where they were short, and where they are those of two callers', async () => {
    open(2, { mayBeLong: (method) => method === 'block' });
    await Promise.all([ask('one', 600), ask('other', 600)]).then(([one, other]) => expect(one).not.toBe(other));
    await ask('light', 1);
    expect(await threadsOf('light', 100)).toBe(2);
  });
});
