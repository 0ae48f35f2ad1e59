import type { RecordedSpan } from './otlp.ts';
import type { RecordedTrace } from './trace.ts';

const MAX_SPANS = 512;

/** Groups the traces into requests of about 512 spans, as exporters do by default; a trace stays whole. */
export function* batchSpans(traces: Iterable<RecordedTrace>): Generator<readonly RecordedSpan[]> {
  let batch: RecordedSpan[] = [];
  for (const { spans } of traces) {
    if (batch.length > 0 && batch.length + spans.length > MAX_SPANS) {
      yield batch;
      batch = [];
    }
    batch = batch.concat(spans);
  }
  if (batch.length > 0) yield batch;
}
