import { expect, it } from 'vitest';
import { spanId } from '../../../test/harness/otlp-json.ts';
import { openDeletionStore } from '../deletion/deletion.fixture.ts';
import { readItems } from '../jobs/job-items.ts';
import { findJobs } from '../jobs/job-rows.ts';
import { beginBulkAction } from './begin.ts';
import type { BulkInput, BulkProgress } from './bulk-action.ts';

import { noteChosen, refuseNext } from './steps.ts';

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
