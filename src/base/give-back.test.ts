import { expect, it, vi } from 'vitest';
import { giveBackWhenIdle } from './give-back.ts';

it('gives back what was dropped once the thread has nothing to do', async () => {
  let isIdle = false;
  let dropped = 0;
  giveBackWhenIdle({ isIdle: () => isIdle, dropCaches: () => dropped++, everyMs: 5 });
  const before = process.memoryUsage().arrayBuffers;
  allocate();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect([dropped, process.memoryUsage().arrayBuffers - before > 30_000_000]).toEqual([0, true]);
  isIdle = true;
  await vi.waitFor(() => expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000));
  const collections = dropped;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(dropped, 'nothing was allocated since').toBe(collections);
});

/** In a function of its own, so that nothing holds it afterwards. */
function allocate(): void {
  new Uint8Array(40_000_000).fill(1);
}
