/** Which spans of a trace cannot be read whole, found out by reading all of them. */
import { Budget } from '../../query/budget.ts';
import type { DamagedSpan, DamagedSpans, SkeletonPosition } from '../browse-port.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { readDecodedSpans } from '../rows/stored-spans.ts';
import { describeLostRow, readRowsAround } from '../rows/unreadable-rows.ts';
import { selectAfter } from './trace-skeleton.ts';

/** Opening originals takes as long as they are large. */
const SEARCH_MS = 1000;

/** Those with the earliest start first; a trace that takes long is searched in part. Index: spans_of_trace. */
export async function findDamagedSpans(scope: ReadScope, traceRowId: number): Promise<DamagedSpans> {
  const budget = new Budget(SEARCH_MS);
  const spans: DamagedSpan[] = [];
  let searchedCount = 0;
  for (let after: SkeletonPosition | null = null; ; ) {
    const places: readonly SkeletonPosition[] = await selectAfter(scope, traceRowId, after)
      .select(['start_us as startTimeUs', 'id as rowId'])
      .limit(STEP_SPANS)
      .execute();
    spans.push(...(await findAmong(scope, places)));
    searchedCount += places.length;
    after = places.at(-1) ?? null;
    const isWhole = places.length < STEP_SPANS;
    if (isWhole || budget.isOver || spans.length >= MAX_NAMED) {
      return { spans: spans.slice(0, MAX_NAMED), searchedCount, isWhole: isWhole && spans.length <= MAX_NAMED };
    }
  }
}

async function findAmong(scope: ReadScope, places: readonly SkeletonPosition[]): Promise<readonly DamagedSpan[]> {
  const rowIds = places.map(({ rowId }) => rowId);
  const { rows, lost } = await readRowsAround(scope, rowIds, (some) =>
    scope.db
      .selectFrom('spans')
      .select(['id as rowId', 'span_id as spanId', 'name'])
      .select(['otel_resource_id as otelResourceId', 'instrumentation_scope_id as instrumentationScopeId'])
      .where('id', 'in', scope.dialect.numbersOf(some))
      .orderBy('start_us')
      .orderBy('id')
      .execute(),
  );
  const damage = new Map<number, string>();
  const onDamaged = (rowId: number, { message }: Error) => void damage.set(rowId, message);
  for await (const _whole of readDecodedSpans(scope, rows, { onDamaged }));
  return [
    ...lost.map((span) => ({ rowId: null, spanId: span.spanId, name: '', damage: describeLostRow(span) })),
    ...rows.flatMap(({ rowId, spanId, name }) => {
      const message = damage.get(rowId);
      return message === undefined ? [] : [{ rowId, spanId, name, damage: message }];
    }),
  ];
}

const STEP_SPANS = 250;
const MAX_NAMED = 100;
