/** Export requests in files, as an exporter or a collector wrote them, explained together. */
import type { SpanRecord } from '#normalize/dialects/dialect';
import { explainRequest } from '#normalize/explain/explain-request';
import type { SpanReading } from '#normalize/explain/span-reading';
import { toSpanRecord } from '#normalize/log-record';
import { readSpanId, readTraceId } from '#normalize/otel-id';
import type { ExportLogsRequest } from '#otlp/messages';
import type { Explanation } from './explanation.ts';
import { readExportFile } from './export-file.ts';

/**
 * Explains the spans of the files, with the log records of the same files that name them.
 * @throws AppError `invalid_argument` where a file cannot be read, or is no export request
 */
export function readFiles(paths: readonly string[]): Explanation {
  const requests = paths.map(readExportFile);
  const records = new RecordsOfSpans();
  for (const { logs } of requests) if (logs !== undefined) records.add(logs);
  const spans: SpanReading[] = [];
  const remarks: string[] = [];
  for (const { traces } of requests) {
    if (traces === undefined) continue;
    const reading = explainRequest(traces, (traceId, spanId) => records.take(traceId, spanId));
    for (const span of reading.spans) spans.push(span);
    for (const { message } of reading.rejected) remarks.push(`A span would be rejected. ${message}`);
  }
  if (spans.length === 0 && remarks.length === 0) remarks.push('The input holds no spans.');
  return { spans, remarks: [...remarks, ...records.remarks()] };
}

/** Log records by the span that they name. */
class RecordsOfSpans {
  readonly #bySpan = new Map<string, SpanRecord[]>();
  #unaddressedCount = 0;
  #malformedCount = 0;

  add({ resourceLogs }: ExportLogsRequest): void {
    for (const original of resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap((scope) => scope.logRecords))) {
      if ('malformed' in original) this.#malformedCount++;
      else if (original.spanId.length === 0) this.#unaddressedCount++;
      else {
        const key = keyOf(readTraceId(original.traceId), readSpanId(original.spanId));
        const ofSpan = this.#bySpan.get(key) ?? [];
        this.#bySpan.set(key, ofSpan);
        ofSpan.push(toSpanRecord(original));
      }
    }
  }

  /** The records of a span, by time. */
  take(traceId: string, spanId: string): readonly SpanRecord[] {
    const key = keyOf(traceId, spanId);
    const records = this.#bySpan.get(key) ?? [];
    this.#bySpan.delete(key);
    return records.toSorted((a, b) => Number(a.timeUnixNano - b.timeUnixNano));
  }

  /** What is to be said of those that nobody took. */
  remarks(): readonly string[] {
    const strayCount = [...this.#bySpan.values()].reduce((sum, records) => sum + records.length, 0);
    return [
      ...(strayCount === 0 ? [] : [`Log records whose spans are not in the input: ${strayCount}.`]),
      ...(this.#unaddressedCount === 0
        ? []
        : [`Log records that name no span: ${this.#unaddressedCount}. A server infers which span they belong to.`]),
      ...(this.#malformedCount === 0 ? [] : [`Log records that cannot be read: ${this.#malformedCount}.`]),
    ];
  }
}

function keyOf(traceId: string, spanId: string): string {
  return `${traceId} ${spanId}`;
}
