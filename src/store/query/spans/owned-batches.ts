/** Batches narrowed by what is asked of the traces that own their spans. */
import type { Condition } from '#filter/tree';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import type { OrderedPart } from './batch-source.ts';
import type { Budget } from '../budget.ts';
import type { DecidedBatch } from './find-page.ts';
import { openOwnerVerdicts, type OwnerVerdicts } from '../grains/owner-verdicts.ts';
import { NO } from '../verdicts.ts';

/** What is asked of traces, and where those are. */
export interface TraceNarrowing {
  readonly projectRowId: number;
  readonly condition: Condition;
  /** Of the spans; their traces may have started before. */
  readonly startTimeUs?: number | undefined;
}

/** Looks at traces as the batches come, or at all together where those come in no order of time. */
export function openTraces(
  scope: ReadScope,
  { projectRowId, condition, startTimeUs }: TraceNarrowing,
  { column }: Pick<OrderedPart, 'column'>,
  budget: Pick<Budget, 'assertNotLost'>,
): OwnerVerdicts | null {
  const isByTime = column === null || column.column === 'start_us';
  const window = isByTime ? null : { startUs: startTimeUs ?? -Infinity, endUs: Infinity };
  const assertNotLost = () => budget.assertNotLost();
  return openOwnerVerdicts(scope, { traceCondition: condition }, { projectRowId, window, assertNotLost });
}

/** Leaves out rows whose trace does not match, in place. The batch must have the column `trace_row_id`. */
export async function narrowByTraces({ batch, verdicts }: DecidedBatch, traces: OwnerVerdicts): Promise<void> {
  const traceRowIds = batch.numbers('trace_row_id');
  const asked = new Set<number>();
  for (let row = 0; row < verdicts.length; row++) if (verdicts[row] !== NO) asked.add(traceRowIds[row] ?? 0);
  await traces.look(asked);
  for (let row = 0; row < verdicts.length; row++) {
    if (verdicts[row] !== NO && !traces.has(traceRowIds[row] ?? 0)) verdicts[row] = NO;
  }
}
