/** What the server counts of itself, for Prometheus. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CompactorOptions } from '#store/compaction/compactor';
import type { WriteOutcome } from '#store/writer-port';

/** The server's metrics and the registry that prints them. */
export interface Metrics {
  readonly registry: Registry;
  /** Counts what became of the spans of one request. */
  countSpans(outcome: WriteOutcome): void;
  /** Counts a request that was not acknowledged, by why. */
  countRefusedExport(code: string): void;
  /** Times from a body's arrival to its acknowledgement, in seconds. */
  timeExport(seconds: number): void;
  /** Counts bytes of blocks before and after they were packed together, and the processor time that it took. */
  readonly countCompaction: CompactorOptions['onCompacted'];
  /** Counts threads that died and were replaced. */
  countThreadDeath(): void;
}

/** New metrics in a registry of their own. */
export function createMetrics(inFlightBytes: () => number): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const spans = new Counter({
    name: 'cairn_ingest_spans_total',
    help: 'Spans received, by what became of them.',
    labelNames: ['outcome', 'reason'],
    registers,
  });
  const refused = new Counter({
    name: 'cairn_ingest_refused_requests_total',
    help: 'Export requests that were not acknowledged, by error code.',
    labelNames: ['code'],
    registers,
  });
  const seconds = new Histogram({
    name: 'cairn_ingest_acknowledge_seconds',
    help: 'Time from a body that has arrived to its acknowledgement.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const compacted = new Counter({
    name: 'cairn_compaction_bytes_total',
    help: 'Bytes of blocks that were packed together, before and after.',
    labelNames: ['when'],
    registers,
  });
  const compactionSeconds = new Counter({
    name: 'cairn_compaction_cpu_seconds_total',
    help: 'Processor time spent on packing blocks together.',
    registers,
  });
  const deaths = new Counter({
    name: 'cairn_thread_deaths_total',
    help: 'Worker threads that died and were replaced.',
    registers,
  });
  new Gauge({
    name: 'cairn_ingest_in_flight_bytes',
    help: 'Bytes of export requests that are not answered yet.',
    registers,
    collect() {
      this.set(inFlightBytes());
    },
  });
  return {
    registry,
    countSpans({ stored, replaced, duplicate, rejected }) {
      spans.inc({ outcome: 'stored', reason: '' }, stored);
      spans.inc({ outcome: 'replaced', reason: '' }, replaced);
      spans.inc({ outcome: 'duplicate', reason: '' }, duplicate);
      for (const { reason } of rejected) spans.inc({ outcome: 'rejected', reason });
    },
    countRefusedExport: (code) => refused.inc({ code }),
    timeExport: (value) => seconds.observe(value),
    countCompaction: ({ bytesBefore, bytesAfter, cpuSeconds }) => {
      compactionSeconds.inc(cpuSeconds);
      compacted.inc({ when: 'before' }, bytesBefore);
      compacted.inc({ when: 'after' }, bytesAfter);
    },
    countThreadDeath: () => deaths.inc(),
  };
}
