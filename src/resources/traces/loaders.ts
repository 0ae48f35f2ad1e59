/** What resolvers of traces wait for, read for all traces of an answer at once. */
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
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
export function createTraceLoaders(spans: TelemetryBrowser): TraceLoaders {
  return {
    trace: defineRowLoader((rowIds) => spans.findTraces(rowIds)),
    spanCountsByKind: defineRowLoader((rowIds) => spans.countSpansByKind(rowIds)),
    linkedTraces: defineRowLoader((rowIds) => spans.findLinkedTraces(rowIds)),
    traceUser: defineRowLoader((rowIds) => spans.findTraceUsers(rowIds)),
  };
}
