import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase, describePostgres } from '../../../test/harness/postgres/databases.ts';
import { COORDINATED, startServer } from '../postgres/coordination.fixture.ts';
import { ReaderPool } from '../threads/reader-pool.ts';
import { Thread, type ThreadOptions } from '../threads/thread.ts';
import { coordinateSearch } from './coordinate-search.ts';

/** A thread that answers each call with no, also whether there is anything to index. */
const SAYS_NO = `const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ id }) => parentPort.postMessage({ id, result: false }));`;

const THREAD: ThreadOptions = {
  spawn: () => new Worker(SAYS_NO, { eval: true }),
  onDeath: () => undefined,
  onLog: () => undefined,
};

/** A server looks every ten seconds where nobody tells it anything. */
const SOON_MS = 9000;

describePostgres('the server that keeps the search index up', () => {
  it('looks when another server has stored something, without waiting for its next look', async () => {
    const database = await createTestDatabase();
    await database.query(`${COORDINATED}; UPDATE jobs SET kind = 'search'`);
    const [one, other] = [startServer(database.address, 'a'), startServer(database.address, 'b')];
    const readers = new ReaderPool<never>(1, THREAD);
    const threads = { writer: new Thread<never>(THREAD), readers, background: new Thread<never>(THREAD) };
    onTestFinished(async () => {
      await Promise.all([one, other].map(({ coordination }) => coordination.close()));
      await Promise.all([readers, threads.writer, threads.background].map((thread) => thread.close()));
      await database.drop();
    });
    const looks = vi.spyOn(readers, 'callUnrefused');
    const failures: unknown[] = [];
    coordinateSearch({ restRatio: 0, busyRestRatio: 0, onStep: () => undefined }, threads, one.coordination, (error) =>
      failures.push(error),
    );
    await expect.poll(() => looks.mock.results.length).toBe(1);
    const lookedAtMs = performance.now();
    other.coordination.tell({ kind: 'touched', touched: [{ projectRowId: 1, traceIds: null, changedAtUs: 1 }] });
    await expect.poll(() => looks.mock.results.length).toBe(2);
    expect(performance.now() - lookedAtMs).toBeLessThan(SOON_MS);
    expect([one.errors, other.errors, failures]).toEqual([[], [], []]);
  });
});
