import { Worker } from 'node:worker_threads';
import { afterAll, expect, it } from 'vitest';
import { withSignal } from '#base/cancellation';
import { ReaderPool } from './reader-pool.ts';
import type { FixtureCalls } from './thread.fixture.ts';

const pool = new ReaderPool<FixtureCalls>(2, {
  spawn: () => new Worker(new URL('./thread.fixture.ts', import.meta.url)),
  onDeath: () => undefined,
  onLog: () => undefined,
});

afterAll(() => pool.close());

it('shares calls out, and refuses more than a thousand that wait', async () => {
  const calls = Array.from({ length: 1001 }, (_, index) => pool.call('echo', [index]));
  const ownWork = pool.callUnrefused('echo', ['own']);
  const answers = await Promise.allSettled(calls);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1000);
  expect(answers.at(-1)).toMatchObject({ reason: { code: 'resource_exhausted', retryAfterSeconds: 1 } });
  expect(await ownWork).toBe('own');
  expect(await pool.call('echo', ['again'])).toBe('again');
});

it('lets the calls of one caller wait for each other, however many, and those of others pass', async () => {
  const answered: unknown[] = [];
  const { signal } = new AbortController();
  const ofOne = withSignal(signal, () =>
    Array.from({ length: 3000 }, async () => answered.push(await pool.call('echo', ['one']))),
  );
  answered.push(await pool.call('echo', ['another']));
  expect(answered.length).toBeLessThan(20);
  await Promise.all(ofOne);
  expect(answered).toHaveLength(3001);
});

it('ends the calls of a caller who goes, those that wait for others included', async () => {
  const leaving = new AbortController();
  const calls = withSignal(leaving.signal, () => Array.from({ length: 20 }, () => pool.call('untilCancelled', [])));
  leaving.abort(new Error('gone'));
  for (const call of calls) await expect(call).rejects.toThrow('gone');
  expect(await pool.call('echo', ['again'])).toBe('again');
});
