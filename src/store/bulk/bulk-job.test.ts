import { expect, it } from 'vitest';
import { AppError } from '#base/errors';
import type { BulkInput, BulkJob, BulkProgress } from './bulk-action.ts';
import { StorageError } from '../engine/storage-error.ts';
import { bulkJob } from './bulk-job.ts';

const INPUT: BulkInput = {
  kind: 'delete',
  rows: 'trace',
  matching: null,
  below: { span: 9, trace: 9, session: 9 },
};
const PROGRESS: BulkProgress = {
  phase: 'acting',
  after: null,
  notedCount: 3,
  doneCount: 0,
  goneCount: 0,
  refusedCount: 0,
};
const JOB: BulkJob = {
  id: 7,
  kind: 'bulk',
  projectRowId: 1,
  input: INPUT,
  progress: PROGRESS,
  state: 'running',
  result: null,
  error: null,
  startedAtUs: 1,
  finishedAtUs: null,
};

const CHANGED = { outcome: 'changed', touched: [] } as const;

/** Runs a job over rows, of which some cannot be changed; returns what was done with which. */
async function run(rowIds: readonly number[], fails: (rowId: number) => Error | undefined) {
  const left = [...rowIds];
  const done: number[] = [];
  const refused: number[] = [];
  const errors: unknown[] = [];
  const ended = Promise.withResolvers<void>();
  const job = bulkJob({
    writer: {
      noteChosen: () => expect.fail('nothing is to be noted'),
      sampleNext: () => expect.fail('no sample is to be taken'),
      actOnNext: async (_id, most) => {
        const part = left.slice(0, most);
        for (const rowId of part) {
          const error = fails(rowId);
          if (error !== undefined) throw error;
        }
        if (part.length === 0) return { outcome: 'finished', touched: [] };
        done.push(...left.splice(0, part.length));
        return CHANGED;
      },
      failBulkAction: () => expect.fail('nothing is to be given up'),
      refuseNext: async () => {
        refused.push(...left.splice(0, 1));
        return CHANGED;
      },
    },
    plan: async () => ({ job: JOB, next: 'act' }),
    isBusy: () => false,
    restRatio: 0,
    onTouched: () => undefined,
    onOver: () => ended.resolve(),
    onError: (_message, error) => {
      errors.push(error);
      if (errors.length > 5) void job.stop();
    },
  });
  await ended.promise;
  return { done, refused, errors };
}

it('leaves out the rows alone that cannot be changed', async () => {
  const { done, refused, errors } = await run([1, 2, 3, 4], (rowId) => (rowId === 2 ? new Error('broken') : undefined));
  expect({ done, refused }).toEqual({ done: [1, 3, 4], refused: [2] });
  expect(errors).toHaveLength(1);
});

it('leaves out rows that a statement does not take', async () => {
  const refusal = new StorageError('statement', 'a number out of range', undefined);
  const { done, refused } = await run([1, 2, 3], (rowId) => (rowId === 2 ? refusal : undefined));
  expect({ done, refused }).toEqual({ done: [1, 3], refused: [2] });
});

it('tries again where the storage failed, and leaves nothing out', async () => {
  let failures = 1;
  const { done, refused } = await run([1, 2], () =>
    failures-- > 0 ? new AppError('unavailable', 'the disk is busy') : undefined,
  );
  expect({ done, refused }).toEqual({ done: [1, 2], refused: [] });
});
