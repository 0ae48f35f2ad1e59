import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnswerBudget } from './answer-budget.ts';

const KB = 1024;
const BOUNDS = { maxBytes: 1000 * KB, maxSmallBytes: 100 * KB, patienceMs: 60_000, waitMs: 1000 };

let budget: AnswerBudget;

beforeEach(() => {
  vi.useFakeTimers();
  budget = new AnswerBudget(BOUNDS);
});
afterEach(() => {
  vi.useRealTimers();
});

function hold(bytes: number, cut = () => {}) {
  const share = budget.open();
  const isHeld = share.resize(bytes);
  share.sent(cut);
  return { share, isHeld };
}

describe('room', () => {
  it('is taken as an answer grows, and refused where there is none', () => {
    const share = budget.open();
    expect([share.grow(300 * KB), share.grow(300 * KB)]).toEqual([true, true]);
    expect(budget.takenBytes).toBe(600 * KB);
    const other = budget.open();
    expect([other.grow(400 * KB), other.grow(1)]).toEqual([true, false]);
    expect(budget.takenBytes).toBe(1000 * KB);
    share.release();
    expect(other.grow(1)).toBe(true);
    other.release();
    expect(budget.takenBytes).toBe(0);
  });

  it('is given back by an answer that becomes smaller, and once by one that ends twice', () => {
    const { share } = hold(900 * KB);
    expect(share.resize(100 * KB)).toBe(true);
    expect(budget.takenBytes).toBe(100 * KB);
    share.release();
    share.release();
    expect(budget.takenBytes).toBe(0);
  });

  it('is there for an answer that is larger than all of it, once no other is large', () => {
    const small = hold(10 * KB);
    expect([small.isHeld, hold(5000 * KB).isHeld, hold(100 * KB).isHeld]).toEqual([true, true, false]);
  });

  it('is there for small answers while large ones have theirs, up to a bound of its own', () => {
    hold(1000 * KB);
    const isHeld = Array.from({ length: 4 }, () => hold(30 * KB).isHeld);
    expect(isHeld).toEqual([true, true, true, false]);
    expect(hold(KB).isHeld).toBe(true);
  });

  it('is not needed for an answer that nobody waits for any more', () => {
    const share = budget.open();
    share.release();
    expect([share.grow(5000 * KB), budget.takenBytes]).toEqual([true, 0]);
  });
});

describe('answers that were sent', () => {
  it('give way when they are not taken for a minute, the oldest first, and no more of them than needed', () => {
    const cut: string[] = [];
    for (const name of ['first', 'second', 'third']) hold(300 * KB, () => cut.push(name));
    vi.advanceTimersByTime(59_000);
    expect(hold(400 * KB).isHeld).toBe(false);
    vi.advanceTimersByTime(2000);
    expect([hold(400 * KB).isHeld, cut]).toEqual([true, ['first']]);
    expect(budget.takenBytes).toBe(1000 * KB);
  });

  it('are left alone by small ones, which take nothing from them', () => {
    const cut = vi.fn<() => void>();
    hold(1000 * KB, cut);
    vi.advanceTimersByTime(61_000);
    hold(50 * KB);
    expect(cut).not.toHaveBeenCalled();
  });
});

describe('who comes while more than half is taken', () => {
  async function isSettled(waiting: Promise<void>): Promise<boolean> {
    const pending = Symbol('pending');
    return (await Promise.race([waiting, Promise.resolve(pending)])) !== pending;
  }

  it('waits until room is given back, one for each answer that ends', async () => {
    const answers = [hold(300 * KB), hold(300 * KB)];
    const [first, second] = [budget.settle(), budget.settle()];
    expect(await isSettled(first)).toBe(false);
    answers[0]?.share.release();
    await first;
    expect(await isSettled(second)).toBe(false);
    answers[1]?.share.release();
    await second;
  });

  it('waits for a moment at most', async () => {
    hold(600 * KB);
    const waiting = budget.settle();
    await vi.advanceTimersByTimeAsync(1000);
    await waiting;
  });

  it('goes on at once while half is free', async () => {
    hold(500 * KB);
    expect(await isSettled(budget.settle())).toBe(true);
  });
});
