import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

it.runIf(process.platform === 'linux').each([
  { steps: [undefined], lessBy: 19 },
  // From what it has: a server may have little of its own.
  { steps: [3, 4], lessBy: 7 },
])('gives way with the thread that asks, and with no other: $steps', async ({ steps, lessBy }) => {
  const before = getPriority();
  const worker = new Worker(new URL('./thread-priority.fixture.ts', import.meta.url), { workerData: steps });
  const priorities = await new Promise((resolve) => worker.once('message', resolve));
  await worker.terminate();
  expect(priorities).toEqual({ ofThread: Math.min(before + lessBy, 19), ofProcess: before });
  expect(getPriority()).toBe(before);
});
