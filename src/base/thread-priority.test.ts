import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

it.runIf(process.platform === 'linux')('gives way with the thread that asks, and with no other', async () => {
  const before = getPriority();
  const worker = new Worker(new URL('./thread-priority.fixture.ts', import.meta.url));
  const priorities = await new Promise((resolve) => worker.once('message', resolve));
  await worker.terminate();
  expect(priorities).toEqual({ ofThread: 19, ofProcess: before });
  expect(getPriority()).toBe(before);
});
