import { useDeferredValue, useMemo } from 'react';
import { buildForest, type TreeNode } from '../trace/model/forest.ts';
import type { TraceState } from '../trace/trace-source.ts';
import { useTrace } from '../trace/use-trace.ts';
import { alignForests, type Alignment } from './model/align.ts';
import { compareTraces, type Comparison, type DigestsById } from './model/differences.ts';
import { type DigestsState, useDigests } from './use-digests.ts';

/** Which trace. */
export interface TraceRef {
  /** Global id. */
  readonly projectId: string;
  readonly projectName: string;
  /** Hexadecimal. */
  readonly traceId: string;
}

/** One of the two traces, as far as it is read. */
export interface ComparedTrace {
  readonly ref: TraceRef;
  readonly state: TraceState;
  readonly contents: DigestsState;
  readonly retry: () => void;
}

/** Two traces side by side. */
export interface TraceComparison {
  readonly a: ComparedTrace;
  readonly b: ComparedTrace;
  readonly alignment: Alignment;
  readonly comparison: Comparison;
  /** Whether spans of either are still being read. */
  readonly isLoading: boolean;
  /** Whether the contents of all spans were compared. */
  readonly isWhole: boolean;
}

/** More spans than this are shown before their contents were compared. */
const MAX_AWAITED_SPANS = 2000;

/** Reads both traces and what their spans hold, and compares them again whenever either changes. */
export function useComparison(aRef: TraceRef, bRef: TraceRef): TraceComparison {
  const a = useComparedTrace(aRef);
  const b = useComparedTrace(bRef);
  const isRead = [a, b].every(({ state }) => state.phase === 'complete' || state.phase === 'missing');
  const isWhole = a.contents.isComplete && b.contents.isComplete;
  const spanCount = a.state.forest.nodes.length + b.state.forest.nodes.length;
  const hasFailed = [a, b].some(({ contents }) => contents.error !== undefined);
  const isReady = isRead && (isWhole || hasFailed || spanCount > MAX_AWAITED_SPANS);
  const left = useDeferredValue(isReady ? a.state.forest : EMPTY);
  const right = useDeferredValue(isReady ? b.state.forest : EMPTY);
  // Pairs are found with the contents of all spans, or with those of none: they would change with each page.
  const leftDigests = useDeferredValue(isWhole ? a.contents.digests : NONE);
  const rightDigests = useDeferredValue(isWhole ? b.contents.digests : NONE);
  const alignment = useMemo(
    () => alignForests(left, right, (node) => contentKey(node, leftDigests) ?? contentKey(node, rightDigests)),
    [left, right, leftDigests, rightDigests],
  );
  const comparison = useMemo(
    () => compareTraces(alignment, leftDigests, rightDigests),
    [alignment, leftDigests, rightDigests],
  );
  const isLoading = !isReady || left !== a.state.forest || right !== b.state.forest;
  return { a, b, alignment, comparison, isLoading, isWhole };
}

function useComparedTrace(ref: TraceRef): ComparedTrace {
  const { state, retry } = useTrace(ref.projectId, ref.traceId);
  const { retry: retryContents, ...contents } = useDigests(
    state.summary?.id,
    state.phase === 'complete' ? state.forest : undefined,
  );
  return {
    ref,
    state,
    contents,
    retry: () => {
      if (contents.error !== undefined) retryContents();
      if (state.error !== null) retry();
    },
  };
}

/** What tells repeated steps apart: what they hold. */
function contentKey({ span }: TreeNode, digests: DigestsById): string | undefined {
  const own = span === null ? undefined : digests.get(span.id);
  return own === undefined ? undefined : Object.values(own).join();
}

const NONE: DigestsById = new Map();
const EMPTY = buildForest([]);
