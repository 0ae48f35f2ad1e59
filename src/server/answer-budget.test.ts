import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnswerBudget } from './answer-budget.ts';

const KB = 1024;
const BOUNDS = { maxBytes: 900 * KB, maxSmallBytes: 90 * KB, stallMs: 2000, patienceMs: 60_000, waitMs: 1000 };

/** Addresses, none of which is that of another. */
const [HERE, THERE, ELSEWHERE] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];

/** What is asked for. */
const [LIST, OTHER] = ['/spans', '/projects'];

let budget: AnswerBudget;

beforeEach(() => {
  vi.useFakeTimers();
  budget = new AnswerBudget(BOUNDS);
});
afterEach(() => {
  vi.useRealTimers();
});

/** A connection whose client takes nothing until it is told to. */
function connection(cut = () => {}) {
  let taken = 0;
  return { isWaiting: () => true, takenBytes: () => taken, cut, take: () => void taken++ };
}

function hold(bytes: number, address = HERE, path = connection()) {
  const share = budget.open(address, path, LIST);
  const isHeld = share.resize(bytes);
  share.sent();
  return { share, isHeld };
}

describe('room', () => {
  it('is taken as an answer grows, and refused where there is none', () => {
    const share = budget.open(HERE, connection(), LIST);
    expect([share.grow(300 * KB), share.grow(200 * KB)]).toEqual([true, true]);
    expect(budget.takenBytes).toBe(500 * KB);
    const other = budget.open(HERE, connection(), LIST);
    expect([other.grow(100 * KB), other.grow(1)]).toEqual([true, false]);
    expect(budget.takenBytes).toBe(600 * KB);
    share.release();
    expect(other.grow(1)).toBe(true);
    other.release();
    expect(budget.takenBytes).toBe(0);
  });

  it('is given back by an answer that becomes smaller, and once by one that ends twice', () => {
    const { share } = hold(600 * KB);
    expect(share.resize(100 * KB)).toBe(true);
    expect(budget.takenBytes).toBe(100 * KB);
    share.release();
    share.release();
    expect(budget.takenBytes).toBe(0);
  });

  it('is there for an answer that is larger than all of it, once no other is large', () => {
    const small = hold(10 * KB);
    expect([small.isHeld, hold(5000 * KB).isHeld, hold(100 * KB, THERE).isHeld]).toEqual([true, true, false]);
  });

  it('is there for small answers while large ones have theirs, up to a bound of its own', () => {
    hold(1000 * KB);
    const isHeld = Array.from({ length: 3 }, () => hold(30 * KB).isHeld);
    expect(isHeld).toEqual([true, true, false]);
    expect(hold(KB).isHeld).toBe(true);
  });

  it('is left for another address by one that holds twice as much as is free, of both kinds', () => {
    hold(600 * KB);
    expect([hold(100 * KB).isHeld, hold(100 * KB, THERE).isHeld]).toEqual([false, true]);
    hold(60 * KB);
    expect([hold(2 * KB).isHeld, hold(20 * KB, THERE).isHeld]).toEqual([false, true]);
  });

  it('is not needed for an answer that nobody waits for any more', () => {
    const share = budget.open(HERE, connection(), LIST);
    share.release();
    expect([share.grow(5000 * KB), budget.takenBytes]).toEqual([true, 0]);
  });
});

describe('answers that were sent', () => {
  it('give way when they are not taken for a minute, the oldest first, and no more of them than needed', () => {
    const cut: string[] = [];
    for (const name of ['first', 'second', 'third'])
      hold(
        200 * KB,
        HERE,
        connection(() => cut.push(name)),
      );
    vi.advanceTimersByTime(59_000);
    expect(hold(200 * KB).isHeld).toBe(false);
    vi.advanceTimersByTime(2000);
    expect([hold(200 * KB).isHeld, cut]).toEqual([true, ['first']]);
    expect(budget.takenBytes).toBe(600 * KB);
  });

  it('are left alone by small ones, which take nothing from them', () => {
    const cut = vi.fn<() => void>();
    hold(600 * KB, HERE, connection(cut));
    vi.advanceTimersByTime(61_000);
    hold(50 * KB);
    expect(cut).not.toHaveBeenCalled();
  });

  it('give way to another address once nothing of them is taken, the most of a connection first, with all that it waits for', () => {
    const cut: string[] = [];
    const larger = connection(() => cut.push('larger'));
    hold(
      200 * KB,
      HERE,
      connection(() => cut.push('smaller')),
    );
    for (const bytes of [180 * KB, 180 * KB]) hold(bytes, HERE, larger);
    vi.advanceTimersByTime(1500);
    expect(hold(300 * KB, THERE).isHeld).toBe(false);
    vi.advanceTimersByTime(1000);
    expect([hold(300 * KB, THERE).isHeld, cut, budget.takenBytes]).toEqual([true, ['larger'], 500 * KB]);
  });

  it('of the address that holds most give way, and not to one that would hold more', () => {
    const cut: string[] = [];
    hold(
      500 * KB,
      HERE,
      connection(() => cut.push('here')),
    );
    hold(
      200 * KB,
      THERE,
      connection(() => cut.push('there')),
    );
    vi.advanceTimersByTime(3000);
    expect([hold(600 * KB, ELSEWHERE).isHeld, cut]).toEqual([false, []]);
    expect([hold(300 * KB, ELSEWHERE).isHeld, cut]).toEqual([true, ['here']]);
  });

  it('do not give way to another address while anything of them is taken', () => {
    const cut = vi.fn<() => void>();
    const path = connection(cut);
    hold(600 * KB, HERE, path);
    for (let second = 0; second < 50; second++) {
      path.take();
      vi.advanceTimersByTime(1000);
    }
    expect([hold(400 * KB, THERE).isHeld, cut.mock.calls]).toEqual([false, []]);
  });
});

describe('a request whose address holds more than is free', () => {
  async function isSettled(waiting: Promise<void>): Promise<boolean> {
    const pending = Symbol('pending');
    return (await Promise.race([waiting, Promise.resolve(pending)])) !== pending;
  }

  it('waits until room is given back, one for each answer that ends', async () => {
    const answers = [hold(280 * KB), hold(280 * KB)];
    const [first, second] = [budget.settle(HERE, LIST), budget.settle(HERE, LIST)];
    expect(await isSettled(first)).toBe(false);
    answers[0]?.share.release();
    await first;
    expect(await isSettled(second)).toBe(false);
    answers[1]?.share.release();
    await second;
  });

  it('waits for a moment at most', async () => {
    const path = connection();
    hold(500 * KB, HERE, path);
    const waiting = budget.settle(HERE, LIST);
    path.take();
    await vi.advanceTimersByTimeAsync(1000);
    await waiting;
  });

  it('is refused where the address takes nothing of what it holds, before and after waiting', async () => {
    hold(500 * KB);
    const refused = expect(budget.settle(HERE, LIST)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 1,
    });
    await vi.advanceTimersByTimeAsync(1000);
    await refused;
    await expect(budget.settle(HERE, LIST)).rejects.toThrow('not read yet');
    const other = budget.settle(HERE, OTHER);
    await vi.advanceTimersByTimeAsync(1000);
    await other;
    await budget.settle(THERE, LIST);
  });

  it('goes on at once while half is free, and so does another address whatever is', async () => {
    hold(450 * KB);
    expect(await isSettled(budget.settle(HERE, LIST))).toBe(true);
    hold(150 * KB);
    expect([await isSettled(budget.settle(HERE, LIST)), await isSettled(budget.settle(THERE, LIST))]).toEqual([
      false,
      true,
    ]);
  });
});
