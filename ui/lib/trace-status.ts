/** How a trace as a whole is told to have ended, the same wherever it is shown. */

/** See {@link traceStatus}. */
export interface TraceEnd {
  /** Spans that failed. */
  readonly errorCount: number;
  /** Null without an end, as long as every span is open. */
  readonly latencyMs: number | null | undefined;
  /** The earliest span without a parent; none while every span names one. */
  readonly rootSpan:
    | { readonly statusCode: 'ERROR' | 'OK' | 'UNSET'; readonly endTime: string | null | undefined }
    | null
    | undefined;
}

/** Failed where any span failed, open until the root has ended, else what the root says of itself. */
export function traceStatus({ errorCount, latencyMs, rootSpan }: TraceEnd): 'ERROR' | 'OK' | 'OPEN' | 'UNSET' {
  if (errorCount > 0) return 'ERROR';
  if (latencyMs == null || rootSpan == null || rootSpan.endTime == null) return 'OPEN';
  return rootSpan.statusCode;
}
