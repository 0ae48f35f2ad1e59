import { expect, it, onTestFinished, vi } from 'vitest';
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
  let [looks, dropped] = [0, 0];
  const isIdle = () => ++looks > 0;
  onTestFinished(giveBackWhenIdle({ isIdle, dropCaches: () => dropped++, everyMs: 50 }));
  await vi.waitFor(() => expect(dropped).toBeGreaterThan(0), { timeout: 10_000 });
  const work = setInterval(() => {
    for (const end = performance.now() + 5; performance.now() < end; );
  }, 10);
  onTestFinished(() => clearInterval(work));
  const looksAgain = async () => {
    const before = looks;
    await vi.waitFor(() => expect(looks).toBeGreaterThan(before + 3), { timeout: 10_000 });
  };
  await looksAgain();
  const before = dropped;
  const held = [new Uint8Array(40_000_000).fill(1)];
  await looksAgain();
  expect(dropped).toBe(before);
  held.push(new Uint8Array(60_000_000).fill(1));
  await vi.waitFor(() => expect(dropped).toBeGreaterThan(before), { timeout: 10_000 });
  expect(held).toHaveLength(2);
  const after = dropped;
  held.push(new Uint8Array(40_000_000).fill(1));
  await looksAgain();
  expect(dropped).toBe(after);
  clearInterval(work);
  await vi.waitFor(() => expect(dropped).toBeGreaterThan(after), { timeout: 10_000 });
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
