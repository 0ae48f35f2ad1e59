/** Spans for the tests of the tree. */
import type { TraceSpan } from './trace-span.ts';

/** A span that lasts from 0 to 10 ms, changed as given. */
export function span(spanId: string, changes: Partial<TraceSpan> = {}): TraceSpan {
  return {
    id: `node-${spanId}`,
    spanId,
    parentId: null,
    name: spanId,
    kind: 'chain',
    status: 'OK',
    startMs: 0,
    endMs: 10,
    tokenCount: null,
    countsInSums: false,
    costNanoUsd: 0,
    modelName: null,
    ...changes,
  };
}

/** Spans by lines such as `b < a`: b's parent is a. They start one after the other, a millisecond apart. */
export function family(...lines: string[]): TraceSpan[] {
  return lines.map((line, place) => {
    const [spanId, parentId] = line.split(' < ') as [string, string | undefined];
    return span(spanId, { parentId: parentId ?? null, startMs: place, endMs: place + 10 });
  });
}
