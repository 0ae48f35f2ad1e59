import { expect, it, onTestFinished, vi } from 'vitest';
import { giveBackWhenIdle } from './give-back.ts';

it('gives back what was dropped once the thread has nothing to do', async () => {
  let isIdle = false;
  let dropped = 0;
  onTestFinished(giveBackWhenIdle({ isIdle: () => isIdle, dropCaches: () => dropped++, everyMs: 5 }));
  const before = process.memoryUsage().arrayBuffers;
  let held: Uint8Array | undefined = new Uint8Array(40_000_000).fill(1);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect([dropped, held.length]).toEqual([0, 40_000_000]);
  held = undefined;
  isIdle = true;
  await vi.waitFor(() => expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000));
  await vi.waitFor(() => expect(dropped).toBeGreaterThan(0));
  const collections = dropped;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(dropped, 'nothing was allocated since').toBe(collections);
});

it('ends with the work of the thread', async () => {
  const isIdle = vi.fn<() => boolean>(() => false);
  const stop = giveBackWhenIdle({ isIdle, everyMs: 1 });
  await vi.waitFor(() => expect(isIdle).toHaveBeenCalled());
  stop();
  const calls = isIdle.mock.calls.length;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isIdle).toHaveBeenCalledTimes(calls);
});
