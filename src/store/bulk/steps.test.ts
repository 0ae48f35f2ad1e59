import { expect, it } from 'vitest';
import { spanId } from '../../../test/harness/otlp-json.ts';
import { openDeletionStore } from '../deletion/deletion.fixture.ts';
import { sql } from 'kysely';
import { addItems, readItems } from '../jobs/job-items.ts';
import { findJobs } from '../jobs/job-rows.ts';
import { beginBulkAction } from './begin.ts';
import type { BulkInput, BulkProgress } from './bulk-action.ts';

import type { DeriveScope } from '../spans/write/derive-again.ts';
import { actOnNext, type BulkStep, cancelBulkAction, failBulkAction, noteChosen, refuseNext } from './steps.ts';

const EVERYTHING = { filter: null, traceFilter: null, rootsOnly: false, exceptRowIds: [] };

it('a row is left out only while the job is where the row failed', async () => {
  const store = await openDeletionStore(1);
  await store.send([{ spanId: spanId(1) }], 'app');
  const projectRowId = await store.projectRowId('app');
  await store.writer.change(async (scope) => {
    const { action } = await beginBulkAction(
      scope,
      { projectRowId, rows: 'trace', chosen: { matching: EVERYTHING } },
      { kind: 'delete' },
      1,
    );
    const progress = async () => {
      const [job] = await findJobs<BulkInput, BulkProgress>(scope, 'bulk', [action.rowId]);
      return job?.progress ?? expect.fail('the job is gone');
    };
    const before = await progress();
    await noteChosen(scope, action.rowId, before, { rowIds: [11, 12], next: null });
    expect(await refuseNext(scope, action.rowId, before)).toMatchObject({ outcome: 'unchanged' });
    expect(await readItems(scope, action.rowId, 9)).toEqual([11, 12]);
    expect(await refuseNext(scope, action.rowId, await progress())).toMatchObject({ outcome: 'changed' });
    expect(await readItems(scope, action.rowId, 9)).toEqual([12]);
    expect((await progress()).refusedCount).toBe(1);
  });
});

/** A store with a job that has noted so many rows. */
async function openNoted(rowCount: number) {
  const store = await openDeletionStore(1);
  await store.send([{ spanId: spanId(1) }], 'app');
  const request = {
    projectRowId: await store.projectRowId('app'),
    rows: 'trace',
    chosen: { matching: EVERYTHING },
  } as const;
  const begin = () =>
    store.writer.change(async (scope) => {
      const { action } = await beginBulkAction(scope, request, { kind: 'delete' }, 1);
      await addItems(
        scope,
        action.rowId,
        Array.from({ length: rowCount }, (_, place) => place + 1000),
      );
      return action.rowId;
    });
  const leftOf = async (jobId: number) => (await readItems(store, jobId, rowCount)).length;
  return { store, begin, leftOf, ...request };
}

it('what a cancelled job had yet to do is swept some thousands at a time, and nothing of one that runs', async () => {
  const { store, begin, leftOf } = await openNoted(12_000);
  const [running, cancelled] = [await begin(), await begin()];
  await store.writer.change((scope) => cancelBulkAction(scope, { rowId: cancelled }, 2));
  expect(await leftOf(cancelled)).toBe(12_000);
  let sweepCount = 0;
  const remover = store.restart((call) => {
    if (call === 'before sweepItems') sweepCount++;
  });
  remover.resume();
  await remover.finished();
  await remover.stop();
  expect(sweepCount).toBe(3);
  expect([await leftOf(running), await leftOf(cancelled)]).toEqual([12_000, 0]);
});

it('one that fails, or whose project is gone, gives up its rows some thousands a step, and then ends', async () => {
  const { store, begin, leftOf, projectRowId } = await openNoted(6000);
  const [failing, orphaned] = [await begin(), await begin()];
  await store.rows(sql`UPDATE jobs SET progress = replace(progress, 'noting', 'acting')`);
  const outcomes = async (jobId: number, step: (scope: DeriveScope) => Promise<BulkStep>) => {
    const seen: unknown[] = [];
    for (;;) {
      const { outcome } = await store.writer.change(step);
      seen.push(outcome, await leftOf(jobId));
      if (outcome !== 'changed') return seen;
    }
  };
  const inSteps = ['changed', 1000, 'changed', 0, 'finished', 0];
  expect(await outcomes(failing, (scope) => failBulkAction(scope, failing, 'broken'))).toEqual(inSteps);
  await store.remover.deleteProject(projectRowId);
  // What it erases afterwards has transactions of its own, which a thread's turns keep apart elsewhere.
  await store.remover.finished();
  expect(await outcomes(orphaned, (scope) => actOnNext(scope, orphaned, 9))).toEqual(inSteps);
  const counts = await findJobs<BulkInput, BulkProgress>(store, 'bulk', [failing, orphaned]);
  expect(counts.map(({ state, progress }) => [state, progress.refusedCount, progress.goneCount])).toEqual([
    ['failed', 6000, 0],
    ['done', 0, 6000],
  ]);
});
