/** What resolvers of traces wait for, read for all traces of an answer at once. */
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { ForCaller } from '#domain/caller';
import type { SpanKind } from '#domain/span';
import type { LinkedTraces, TelemetryBrowser } from '#store/spans/browse-port';
import type { TraceRow } from '#store/spans/port';

/** Values are `undefined` where there is nothing. */
export interface TraceLoaders {
  readonly trace: RowLoader<TraceRow>;
  readonly spanCountsByKind: RowLoader<ReadonlyMap<SpanKind, number>>;
  readonly linkedTraces: RowLoader<LinkedTraces>;
  readonly traceUser: RowLoader<string>;
}

/** The loaders on a store. */
export function createTraceLoaders(spans: ForCaller<TelemetryBrowser>): TraceLoaders {
  return {
    trace: defineRowLoader((caller, rowIds) => spans(caller).findTraces(rowIds)),
    spanCountsByKind: defineRowLoader((caller, rowIds) => spans(caller).countSpansByKind(rowIds)),
    linkedTraces: defineRowLoader((caller, rowIds) => spans(caller).findLinkedTraces(rowIds)),
    traceUser: defineRowLoader((caller, rowIds) => spans(caller).findTraceUsers(rowIds)),
  };
}
