import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Counts, Order } from './give-back.fixture.ts';
import { giveBackWhenIdle } from './give-back.ts';

it('gives back what was dropped once the thread has nothing to do', async () => {
  let isIdle = false;
  let looks = 0;
  let dropped = 0;
  const look = () => {
    looks += 1;
    return isIdle;
  };
  const looksAgain = async () => {
    const before = looks;
    // The first of them may be under way.
    await vi.waitFor(() => expect(looks).toBeGreaterThan(before + 2), { interval: 1 });
  };
  onTestFinished(giveBackWhenIdle({ isIdle: look, dropCaches: () => dropped++, everyMs: 5 }));
  const before = process.memoryUsage().arrayBuffers;
  let held: Uint8Array | undefined = new Uint8Array(40_000_000).fill(1);
  await looksAgain();
  expect([dropped, held.length]).toEqual([0, 40_000_000]);
  held = undefined;
  isIdle = true;
  await vi.waitFor(() => expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000));
  await vi.waitFor(() => expect(dropped).toBeGreaterThan(0));
  const collections = dropped;
  await looksAgain();
  expect(dropped, 'nothing was allocated since').toBe(collections);
});

it('waits for a thread that does one thing after the other, with pauses, unless it holds much', async () => {
  const thread = new Worker(new URL('./give-back.fixture.ts', import.meta.url));
  onTestFinished(async () => void (await thread.terminate()));
  const tell = async (order: Order = {}): Promise<Counts> => {
    thread.postMessage(order);
    const [counts] = (await once(thread, 'message')) as [Counts];
    return counts;
  };
  const until = (holds: (counts: Counts) => boolean) =>
    vi.waitFor(async () => {
      const counts = await tell();
      expect(holds(counts)).toBe(true);
      return counts;
    }, 10_000);
  const looksAgain = async () => {
    const before = await tell();
    return until(({ looks }) => looks > before.looks + 3);
  };
  await tell({ hold: 10_000_000 });
  await until(({ gifts }) => gifts > 0);
  await tell({ works: true });
  const first = await looksAgain();
  await tell({ hold: 40_000_000 });
  expect(await looksAgain()).toMatchObject({ gifts: first.gifts });
  await tell({ hold: 60_000_000 });
  const second = await until(({ gifts }) => gifts > first.gifts);
  await tell({ hold: 40_000_000 });
  expect(await looksAgain()).toMatchObject({ gifts: second.gifts });
  await tell({ works: false });
  await until(({ gifts }) => gifts > second.gifts);
});

it('ends with the work of the thread', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const isIdle = vi.fn<() => boolean>(() => false);
  const stop = giveBackWhenIdle({ isIdle, everyMs: 10 });
  vi.advanceTimersByTime(30);
  expect(isIdle).toHaveBeenCalledTimes(3);
  stop();
  vi.advanceTimersByTime(30);
  expect(isIdle).toHaveBeenCalledTimes(3);
});
