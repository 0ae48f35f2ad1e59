import type { SpanReading } from '#normalize/explain/span-reading';

/** What is printed. */
export interface Explanation {
  readonly spans: readonly SpanReading[];
  /** What else is to be known, a sentence each: spans that would be refused, log records that belong to no span. */
  readonly remarks: readonly string[];
}
