/** Spans as the API gives many of them at once: a list for each thing that the tree knows of them. */
import type { SpanKind as DomainKind } from '#domain/span';
import type { SpanKind, SpanStatus, TraceSpan } from './trace-span.ts';

/** The text of `TraceSkeleton.columns`, parsed. */
export interface SkeletonColumns {
  readonly rowIds: readonly number[];
  readonly spanIds: readonly string[];
  readonly parentIds: readonly (string | null)[];
  readonly names: readonly string[];
  /** Places in `kindNames`. */
  readonly kinds: readonly number[];
  readonly kindNames: readonly DomainKind[];
  /** Places in `statusNames`. */
  readonly statusCodes: readonly number[];
  readonly statusNames: readonly SpanStatus[];
  /** Microseconds since the epoch. */
  readonly startTimesUs: readonly number[];
  readonly endTimesUs: readonly (number | null)[];
  readonly tokenCounts: readonly (number | null)[];
  readonly countedPromptTokens: readonly number[];
  readonly countedCompletionTokens: readonly number[];
  /** What counts in sums. */
  readonly costsNanoUsd: readonly number[];
  readonly modelNames: readonly (string | null)[];
}

/** The spans, in the order of the lists. */
export function readSkeleton(columns: SkeletonColumns): readonly TraceSpan[] {
  const kinds = columns.kindNames.map((name) => name.toLowerCase() as SpanKind);
  return columns.rowIds.map((rowId, place) => {
    const endUs = columns.endTimesUs[place] ?? null;
    return {
      id: btoa(`Span:${rowId}`),
      spanId: columns.spanIds[place] ?? '',
      parentId: columns.parentIds[place] ?? null,
      name: columns.names[place] ?? '',
      kind: kinds[columns.kinds[place] ?? 0] ?? 'unknown',
      status: columns.statusNames[columns.statusCodes[place] ?? 0] ?? 'UNSET',
      startMs: (columns.startTimesUs[place] ?? 0) / 1000,
      endMs: endUs === null ? null : endUs / 1000,
      tokenCount: columns.tokenCounts[place] ?? null,
      countsInSums: (columns.countedPromptTokens[place] ?? 0) + (columns.countedCompletionTokens[place] ?? 0) > 0,
      costNanoUsd: columns.costsNanoUsd[place] ?? 0,
      modelName: columns.modelNames[place] ?? null,
    };
  });
}
