import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ByteBudget } from './budget.ts';
import type { Reservation } from './receiver.ts';

const WAIT_MS = 5_000;

function createBudget({ maxBytes = 100, maxWaiting = 10 } = {}): ByteBudget {
  return new ByteBudget({ maxBytes, waitMs: WAIT_MS, maxWaiting });
}

/** Notes when each promise settles, so that a test can say what has not happened yet. */
function watch<Value>(promise: Promise<Value>): { state: 'pending' | 'fulfilled' | 'rejected'; value: () => Value } {
  let settled: Value | undefined;
  const watched = {
    state: 'pending' as 'pending' | 'fulfilled' | 'rejected',
    value: () => settled as Value,
  };
  promise.then(
    (value) => {
      settled = value;
      watched.state = 'fulfilled';
    },
    () => {
      watched.state = 'rejected';
    },
  );
  return watched;
}

async function settleMicrotasks(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

function release(reservation: Reservation): void {
  reservation[Symbol.dispose]();
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('reserve', () => {
  it('admits at once while there is room, and counts what it gave', async () => {
    const budget = createBudget();
    {
      using _first = await budget.reserve(60);
      using _second = await budget.reserve(40);
      expect(budget.takenBytes).toBe(100);
    }
    expect(budget.takenBytes).toBe(0);
  });

  it('makes a request wait for the room that another one frees', async () => {
    const budget = createBudget();
    const first = await budget.reserve(60);
    const second = watch(budget.reserve(60));
    await settleMicrotasks();
    expect(second.state).toBe('pending');
    release(first);
    await settleMicrotasks();
    expect(second.state).toBe('fulfilled');
    release(second.value());
  });

  it('leaves no timer after a request that waited', async () => {
    const budget = createBudget();
    const first = await budget.reserve(60);
    // Only microtasks from here on: the files before this one share the clock, and may end something late.
    const timers = vi.getTimerCount();
    const second = budget.reserve(60);
    expect(vi.getTimerCount()).toBe(timers + 1);
    release(first);
    release(await second);
    expect(vi.getTimerCount()).toBe(timers);
  });

  it('does not let a small request overtake a large one that came first', async () => {
    const budget = createBudget();
    const holder = await budget.reserve(50);
    const large = watch(budget.reserve(80));
    const small = watch(budget.reserve(1));
    await settleMicrotasks();
    expect([large.state, small.state]).toEqual(['pending', 'pending']);
    release(holder);
    await settleMicrotasks();
    expect([large.state, small.state]).toEqual(['fulfilled', 'fulfilled']);
    release(large.value());
    release(small.value());
  });

  it('refuses as unavailable with a time to try again when the wait was in vain', async () => {
    const budget = createBudget();
    using _holder = await budget.reserve(100);
    const refused = expect(budget.reserve(1)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    await refused;
    expect(budget.takenBytes).toBe(100);
  });

  it('admits those behind a large request when that one gives up', async () => {
    const budget = createBudget();
    using _holder = await budget.reserve(50);
    const large = watch(budget.reserve(80));
    await vi.advanceTimersByTimeAsync(WAIT_MS - 1);
    const small = watch(budget.reserve(10));
    await vi.advanceTimersByTimeAsync(1);
    expect([large.state, small.state]).toEqual(['rejected', 'fulfilled']);
    release(small.value());
  });

  it('refuses at once as exhausted when as many wait as may', async () => {
    const budget = createBudget({ maxWaiting: 2 });
    const holder = await budget.reserve(100);
    const waiting = [watch(budget.reserve(1)), watch(budget.reserve(1))];
    await expect(budget.reserve(1)).rejects.toMatchObject({ code: 'resource_exhausted', retryAfterSeconds: 1 });
    release(holder);
    await settleMicrotasks();
    expect(waiting.map(({ state }) => state)).toEqual(['fulfilled', 'fulfilled']);
    for (const each of waiting) release(each.value());
  });

  it('admits a request larger than the whole budget when it is alone', async () => {
    const budget = createBudget();
    const small = await budget.reserve(1);
    const huge = watch(budget.reserve(1_000));
    await settleMicrotasks();
    expect(huge.state).toBe('pending');
    release(small);
    await settleMicrotasks();
    expect(huge.state).toBe('fulfilled');
    expect(budget.takenBytes).toBe(100);
    release(huge.value());
    expect(budget.takenBytes).toBe(0);
  });
});

describe('a reservation', () => {
  it('gives back its bytes once, however often it is released', async () => {
    const budget = createBudget();
    using _other = await budget.reserve(30);
    const reservation = await budget.reserve(50);
    release(reservation);
    release(reservation);
    expect(budget.takenBytes).toBe(30);
  });

  it('grows before newcomers are admitted, because it frees what they wait for', async () => {
    const budget = createBudget();
    const growing = await budget.reserve(50);
    const newcomer = watch(budget.reserve(60));
    await growing.grow(50);
    expect(budget.takenBytes).toBe(100);
    release(growing);
    await settleMicrotasks();
    expect(newcomer.state).toBe('fulfilled');
    release(newcomer.value());
  });

  it('waits for room to grow, and a smaller growth passes it', async () => {
    const budget = createBudget();
    const [first, second] = [await budget.reserve(50), await budget.reserve(40)];
    const large = watch(first.grow(50));
    await second.grow(10);
    expect(large.state).toBe('pending');
    release(second);
    await settleMicrotasks();
    expect(large.state).toBe('fulfilled');
    release(first);
    expect(budget.takenBytes).toBe(0);
  });

  it('may grow past the whole budget when it is alone', async () => {
    const budget = createBudget();
    const huge = await budget.reserve(100);
    await huge.grow(100);
    expect(budget.takenBytes).toBe(100);
    release(huge);
    expect(budget.takenBytes).toBe(0);
  });

  it('ends a wait to grow when it is released, and takes nothing for it', async () => {
    const budget = createBudget();
    const holder = await budget.reserve(50);
    const aborted = await budget.reserve(50);
    const grown = expect(aborted.grow(10)).rejects.toMatchObject({ code: 'unavailable' });
    release(aborted);
    await grown;
    release(holder);
    expect(budget.takenBytes).toBe(0);
  });

  it('of requests that can only wait for each other refuses the last, so that the first finishes', async () => {
    const budget = createBudget();
    const reservations = [await budget.reserve(40), await budget.reserve(30), await budget.reserve(30)];
    const refused: unknown[] = [];
    const grow = async (reservation: Reservation, place: number) => {
      try {
        await reservation.grow(60);
      } catch (error) {
        refused.push([place, error]);
        release(reservation);
      }
    };
    await Promise.all(reservations.map(grow));
    const unavailable = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 1 });
    expect(refused).toEqual([
      [1, unavailable],
      [2, unavailable],
    ]);
    expect(budget.takenBytes).toBe(100);
    reservations.forEach(release);
    expect(budget.takenBytes).toBe(0);
  });

  it('refuses the last also where a request that has stopped holds a little', async () => {
    const budget = createBudget();
    const [first, _stopped, last] = [await budget.reserve(50), await budget.reserve(1), await budget.reserve(45)];
    const growth = watch(first.grow(30));
    await expect(last.grow(10)).rejects.toMatchObject({ code: 'unavailable' });
    release(last);
    await settleMicrotasks();
    expect(growth.state).toBe('fulfilled');
  });

  it('leaves those alone that wait for one that has arrived', async () => {
    const budget = createBudget();
    const [whole, first, second] = [await budget.reserve(40), await budget.reserve(30), await budget.reserve(30)];
    const growths = [watch(first.grow(20)), watch(second.grow(20))];
    await settleMicrotasks();
    expect(growths.map(({ state }) => state)).toEqual(['pending', 'pending']);
    release(whole);
    await settleMicrotasks();
    expect(growths.map(({ state }) => state)).toEqual(['fulfilled', 'fulfilled']);
    release(first);
    release(second);
  });
});

describe('several addresses', () => {
  /** Requests of ten bytes that are arriving; `taken` has those that were given up, by place. */
  async function arrive(budget: ByteBudget, address: string, count: number) {
    const taken: number[] = [];
    const reservations: Reservation[] = [];
    for (let place = 0; place < count; place++) {
      const reservation = await budget.reserve(10, { address });
      reservation.arriving(() => taken.push(place));
      reservations.push(reservation);
    }
    return { taken, reservations };
  }

  it('have what one of them takes alone, until another wants some: the oldest slow requests give way', async () => {
    const budget = createBudget();
    const { taken } = await arrive(budget, 'greedy', 10);
    await vi.advanceTimersByTimeAsync(300);
    const other = watch(budget.reserve(20, { address: 'other' }));
    await vi.advanceTimersByTimeAsync(100);
    expect([other.state, taken]).toEqual(['pending', []]);
    await vi.advanceTimersByTimeAsync(200);
    expect([other.state, taken]).toEqual(['fulfilled', [0, 1]]);
    expect(budget.takenBytes).toBe(100);
    release(other.value());
    expect(budget.takenBytes).toBe(80);
  });

  it('do not take from a request that only waited for its room', async () => {
    const budget = createBudget();
    const holder = await budget.reserve(100, { address: 'greedy' });
    const waiting = budget.reserve(100, { address: 'greedy' });
    await vi.advanceTimersByTimeAsync(1000);
    release(holder);
    const taken = vi.fn<() => void>();
    (await waiting).arriving(taken);
    const other = watch(budget.reserve(20, { address: 'other' }));
    await vi.advanceTimersByTimeAsync(400);
    expect([other.state, taken.mock.calls.length]).toEqual(['pending', 0]);
    await vi.advanceTimersByTimeAsync(200);
    expect([other.state, taken.mock.calls.length]).toEqual(['fulfilled', 1]);
    release(other.value());
  });

  it('do not take from each other beyond a share, nor what has arrived', async () => {
    const budget = createBudget();
    const { taken, reservations } = await arrive(budget, 'greedy', 10);
    for (const reservation of reservations.slice(0, 4)) reservation.arrived();
    await vi.advanceTimersByTimeAsync(1000);
    using _other = await budget.reserve(50, { address: 'other' });
    expect(taken).toEqual([4, 5, 6, 7, 8]);
    const more = expect(budget.reserve(10, { address: 'other' })).rejects.toMatchObject({ code: 'unavailable' });
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    await more;
    expect(taken).toHaveLength(5);
  });

  it('that can only wait for each other: the one with most gives up its last request', async () => {
    const budget = createBudget();
    const other = await budget.reserve(30, { address: 'other' });
    const [first, last] = [
      await budget.reserve(40, { address: 'most' }),
      await budget.reserve(20, { address: 'most' }),
    ];
    const behind = await budget.reserve(10, { address: 'least' });
    const growths = [other, first, behind].map((reservation) => watch(reservation.grow(5)));
    await expect(last.grow(5)).rejects.toMatchObject({ code: 'unavailable' });
    release(last);
    await settleMicrotasks();
    expect(growths.map(({ state }) => state)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    [other, first, behind].forEach(release);
  });

  it('with one request each: the last is refused, however little it holds, so that the first finishes', async () => {
    const budget = createBudget();
    const first = await budget.reserve(60, { address: 'first' });
    const last = await budget.reserve(20, { address: 'last' });
    const growth = watch(first.grow(30));
    await expect(last.grow(80)).rejects.toMatchObject({ code: 'unavailable' });
    release(last);
    await settleMicrotasks();
    expect(growth.state).toBe('fulfilled');
    release(first);
  });

  it('take nothing from each other for a body that exceeds a share', async () => {
    const budget = createBudget();
    const taken: unknown[] = [];
    const first = await budget.reserve(60, { address: 'first', expectedBytes: 90 });
    first.arriving((error) => taken.push(error));
    await vi.advanceTimersByTimeAsync(1_000);
    const second = watch(budget.reserve(45, { address: 'second', expectedBytes: 90 }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect([taken, second.state]).toEqual([[], 'pending']);
    const third = watch(budget.reserve(33, { address: 'third', expectedBytes: 33 }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect([taken.length, third.state]).toEqual([1, 'fulfilled']);
    release(first);
    release(third.value());
  });

  it('a request of an address with less goes before all that wait of one with more', async () => {
    const budget = createBudget();
    const { reservations } = await arrive(budget, 'greedy', 10);
    for (const reservation of reservations) reservation.arrived();
    const growing = watch(reservations[1]?.grow(10) ?? Promise.reject(new Error()));
    const waiting = watch(budget.reserve(10, { address: 'greedy' }));
    const other = watch(budget.reserve(10, { address: 'other' }));
    await settleMicrotasks();
    for (const reservation of reservations.slice(0, 1)) release(reservation);
    await settleMicrotasks();
    expect([growing.state, waiting.state, other.state]).toEqual(['pending', 'pending', 'fulfilled']);
    for (const reservation of reservations.slice(2)) release(reservation);
    await settleMicrotasks();
    expect([growing.state, waiting.state]).toEqual(['fulfilled', 'fulfilled']);
  });

  it('an address with many that wait gives up its last for one that has none', async () => {
    const budget = createBudget({ maxWaiting: 3 });
    using _holder = await budget.reserve(100, { address: 'greedy' });
    const waiting = [1, 2, 3].map(() => watch(budget.reserve(1, { address: 'greedy' })));
    const other = watch(budget.reserve(1, { address: 'other' }));
    await settleMicrotasks();
    expect([...waiting, other].map(({ state }) => state)).toEqual(['pending', 'pending', 'rejected', 'pending']);
    await expect(budget.reserve(1, { address: 'greedy' })).rejects.toMatchObject({ code: 'resource_exhausted' });
  });
});
