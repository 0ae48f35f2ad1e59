import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { ReaderPool } from './reader-pool.ts';
import type { FixtureCalls } from './thread.fixture.ts';

const pool = new ReaderPool<FixtureCalls>(2, {
  spawn: () => new Worker(new URL('./thread.fixture.ts', import.meta.url)),
  onDeath: () => undefined,
  onLog: () => undefined,
});

afterEach(() => pool.close());

it('shares calls out, and refuses more than a thousand that wait', async () => {
  const calls = Array.from({ length: 1001 }, (_, index) => pool.call('echo', [index]));
  const ownWork = pool.callUnrefused('echo', ['own']);
  const answers = await Promise.allSettled(calls);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1000);
  expect(answers.at(-1)).toMatchObject({ reason: { code: 'resource_exhausted', retryAfterSeconds: 1 } });
  expect(await ownWork).toBe('own');
  expect(await pool.call('echo', ['again'])).toBe('again');
});
