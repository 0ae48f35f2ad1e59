/** What the writer's thread does for bulk actions that are jobs. */
import type { WriteEngine } from '../engine/engine.ts';
import type { CallHandlers } from '../threads/rpc.ts';
import type { DeriveScope } from '../spans/write/derive-again.ts';
import type { RelationalSpanWriter } from '../writer/writer.ts';
import type { BulkProgress } from './bulk-action.ts';
import type { ChosenRows } from './choose-rows.ts';
import { actOnNext, type BulkStep, failBulkAction, noteChosen, refuseNext, sampleNext } from './steps.ts';

/** The handlers, each of which runs alone with the connection. */
export function bulkCalls(writer: RelationalSpanWriter, engine: Pick<WriteEngine, 'tell'>) {
  /** Other servers hear what it touched. */
  const step = (work: (scope: DeriveScope) => Promise<BulkStep>): Promise<BulkStep> =>
    writer.change(async (scope) => {
      const result = await work(scope);
      await engine.tell(result.touched);
      return result;
    });
  return {
    noteChosen: (jobId: number, before: BulkProgress, chosen: ChosenRows) =>
      step((scope) => noteChosen(scope, jobId, before, chosen)),
    sampleNext: (jobId: number, before: BulkProgress, lastRank: number) =>
      step((scope) => sampleNext(scope, jobId, before, lastRank)),
    actOnNext: (jobId: number, most: number) => step((scope) => actOnNext(scope, jobId, most)),
    refuseNext: (jobId: number, before: BulkProgress) => step((scope) => refuseNext(scope, jobId, before)),
    failBulkAction: (jobId: number, error: string) => step((scope) => failBulkAction(scope, jobId, error)),
  } satisfies CallHandlers;
}

/** The handlers as somebody calls them who has the writer's thread. */
export type BulkCalls = ReturnType<typeof bulkCalls>;
