/** What the server counts of itself, for Prometheus. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type Signal, SIGNALS } from '#otlp/signal';
import type { SegmentKeeping } from '#store/background/coordinate-segments';
import type { CompactionOptions } from '#store/compaction/compaction-job';
import type { ReindexStep } from '#store/reindex/pass-job';
import type { SearchIndexStep } from '#store/search/search-job';
import type { WriteOutcome } from '#store/writer/port';

/** The server's metrics and the registry that prints them. */
export interface Metrics {
  readonly registry: Registry;
  /** Counts what became of the spans, log records or data points of one request. */
  countItems(signal: Signal, outcome: WriteOutcome): void;
  /** Counts a request that was not acknowledged, by why. */
  countRefusedExport(code: string): void;
  /** Times from a body's arrival to its acknowledgement, in seconds. */
  timeExport(seconds: number): void;
  /** Counts bytes of blocks before and after they were packed together, and the processor time that it took. */
  readonly countCompaction: CompactionOptions['onCompacted'];
  /** Counts spans that were written column by column, and what that took. */
  readonly countSegment: SegmentKeeping['onBuilt'];
  /** Says how many spans are read from their rows alone. */
  readonly setColumnLag: SegmentKeeping['onLag'];
  /** Counts stored spans that were read anew, and how many of them changed. */
  readonly countReindex: (step: ReindexStep) => void;
  /** Counts spans that were erased after they were deleted. */
  readonly countErased: (spanCount: number) => void;
  /** Counts spans whose texts were indexed, and how many wait. */
  readonly countSearchIndexing: (step: SearchIndexStep) => void;
  /** Counts threads that died and were replaced. */
  countThreadDeath(): void;
}

const ITEMS: Readonly<Record<Signal, { readonly name: string; readonly what: string }>> = {
  traces: { name: 'cairn_ingest_spans_total', what: 'Spans' },
  logs: { name: 'cairn_ingest_log_records_total', what: 'Log records' },
  metrics: { name: 'cairn_ingest_data_points_total', what: 'Data points of metrics' },
};

/** What can become of them beside being rejected. */
const COUNTED_OUTCOMES = {
  traces: ['stored', 'replaced', 'duplicate'],
  logs: ['stored', 'duplicate', 'dropped'],
  metrics: ['dropped'],
} as const satisfies Record<Signal, readonly (keyof WriteOutcome)[]>;

/** New metrics in a registry of their own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const items = Object.fromEntries(
    SIGNALS.map((signal) => {
      const { name, what } = ITEMS[signal];
      const help = `${what} received, by outcome.`;
      return [signal, new Counter({ name, help, labelNames: ['outcome', 'reason'], registers })];
    }),
  ) as Record<Signal, Counter<'outcome' | 'reason'>>;
  const refused = new Counter({
    name: 'cairn_ingest_refused_requests_total',
    help: 'Export requests that were not acknowledged, by error code.',
    labelNames: ['code'],
    registers,
  });
  const seconds = new Histogram({
    name: 'cairn_ingest_acknowledge_seconds',
    help: 'Time from the arrival of a body to its acknowledgement.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const compacted = new Counter({
    name: 'cairn_compaction_bytes_total',
    help: 'Bytes of compacted blocks, before and after.',
    labelNames: ['when'],
    registers,
  });
  const compactionSeconds = new Counter({
    name: 'cairn_compaction_cpu_seconds_total',
    help: 'Processor time spent on compacting blocks.',
    registers,
  });
  const columnSpans = new Counter({
    name: 'cairn_columns_spans_total',
    help: 'Spans written to columns, including those rewritten because their segment had changed.',
    registers,
  });
  const columnBytes = new Counter({
    name: 'cairn_columns_bytes_total',
    help: 'Bytes of columns written.',
    registers,
  });
  const columnSeconds = new Counter({
    name: 'cairn_columns_cpu_seconds_total',
    help: 'Processor time spent on building columns.',
    registers,
  });
  const columnLag = new Gauge({
    name: 'cairn_columns_lag_spans',
    help: 'Spans that wait to be written to columns, because their segment is full or they have changed. The newest spans, up to 4,095, wait for nothing until their segment is full.',
    registers,
  });
  const reindexed = new Counter({
    name: 'cairn_reindex_spans_total',
    help: 'Stored spans that were read again, by whether that changed them.',
    labelNames: ['changed'],
    registers,
  });
  const reindexProgress = new Gauge({
    name: 'cairn_reindex_progress_ratio',
    help: 'Share of the stored spans that the current reindexing has read again; 1 if nothing is left to do.',
    registers,
  });
  reindexProgress.set(1);
  const erased = new Counter({
    name: 'cairn_erased_spans_total',
    help: 'Deleted spans that were erased.',
    registers,
  });
  const searchIndexed = new Counter({
    name: 'cairn_search_indexed_spans_total',
    help: 'Spans whose texts were indexed for search.',
    registers,
  });
  const searchPending = new Gauge({
    name: 'cairn_search_pending_spans',
    help: 'Stored spans that are not searchable yet.',
    registers,
  });
  const deaths = new Counter({
    name: 'cairn_thread_deaths_total',
    help: 'Worker threads that died and were replaced.',
    registers,
  });
  return {
    registry,
    countItems(signal, { rejected, ...outcome }) {
      for (const name of COUNTED_OUTCOMES[signal]) items[signal].inc({ outcome: name, reason: '' }, outcome[name]);
      for (const { reason } of rejected) items[signal].inc({ outcome: 'rejected', reason });
    },
    countRefusedExport: (code) => refused.inc({ code }),
    timeExport: (value) => seconds.observe(value),
    countCompaction: ({ bytesBefore, bytesAfter, cpuSeconds }) => {
      compactionSeconds.inc(cpuSeconds);
      compacted.inc({ when: 'before' }, bytesBefore);
      compacted.inc({ when: 'after' }, bytesAfter);
    },
    countSegment: ({ rowCount, bytes, cpuSeconds }) => {
      columnSpans.inc(rowCount);
      columnBytes.inc(bytes);
      columnSeconds.inc(cpuSeconds);
    },
    setColumnLag: (rowCount) => columnLag.set(rowCount),
    countReindex: ({ readCount, changedCount, progress }) => {
      reindexed.inc({ changed: 'false' }, readCount - changedCount);
      reindexed.inc({ changed: 'true' }, changedCount);
      reindexProgress.set(progress);
    },
    countErased: (spanCount) => erased.inc(spanCount),
    countSearchIndexing: ({ spanCount, pendingCount }) => {
      searchIndexed.inc(spanCount);
      searchPending.set(pendingCount);
    },
    countThreadDeath: () => deaths.inc(),
  };
}
