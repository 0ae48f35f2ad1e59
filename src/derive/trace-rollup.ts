/**
 * What spans change in the row of their trace. Pure: the writer reads what this needs, applies what it says, and any
 * order of arrival ends in the same row.
 *
 * Sums move by differences. What is first (start, root, session) is the minimum of what was and what comes; only when the
 * very span that decided it is replaced by a later one must all spans be looked at again, which
 * {@link TraceChange.stale} says.
 */
import { addUsage, NO_USAGE, type SpanFacts, type Usage } from './usage.ts';

/** The span that decided something by being first: earliest start, then lowest row id. */
export interface Decider {
  readonly rowId: number;
  readonly startUs: number;
}

/** The sums of a trace. */
export interface TraceRollup {
  readonly startUs: number;
  readonly endUs: number;
  readonly spanCount: number;
  readonly errorCount: number;
  readonly usage: Usage;
  /** The earliest span without a parent here; `null` while every span has one. */
  readonly root: (Decider & { readonly parentSpanId: string | null }) | null;
  /** The session of the earliest span that names one. */
  readonly session: (Decider & { readonly sessionId: string }) | null;
}

/** A stored span with what counts of it. */
export interface CountedSpan {
  readonly facts: SpanFacts;
  readonly counted: Usage;
}

/** Everything that the change of one trace depends on. */
export interface TraceArrival {
  /** `undefined` for a trace that is not stored yet. */
  readonly before: TraceRollup | undefined;
  /** Spans that arrive, each id once, with what counts of them. */
  readonly arriving: readonly CountedSpan[];
  /** The stored versions that arriving spans replace, and spans that are deleted. */
  readonly replaced: readonly CountedSpan[];
  /** What counts now of other stored spans, less what did. */
  readonly recounted: Usage;
  /** Ids of other stored spans, those of the parents of arriving spans among them. */
  readonly neighbours: ReadonlySet<string>;
}

/** What becomes of a trace. */
export interface TraceChange {
  readonly after: TraceRollup;
  /** Parts of `after` that must be read again from all spans, because what decided them is gone or comes later now. */
  readonly stale: { readonly times: boolean; readonly root: boolean; readonly session: boolean };
}

/** Computes what arriving spans change in their trace. */
export function changeTrace({ before, arriving: counted, replaced, recounted, neighbours }: TraceArrival): TraceChange {
  const arriving = counted.map(({ facts }) => facts);
  let usage = addUsage(before?.usage ?? NO_USAGE, recounted);
  for (const one of counted) usage = addUsage(usage, one.counted);
  for (const one of replaced) usage = addUsage(usage, one.counted, -1);
  const replacedRows = new Set(replaced.map(({ facts }) => facts.rowId));
  // Children of a span that does not come again are without a parent now, and one of them may be the earliest such.
  const arrivingRows = new Set(arriving.map((span) => span.rowId));
  const isAnyDeleted = replaced.some(({ facts }) => !arrivingRows.has(facts.rowId));
  const [start, end] = [least(arriving), most(arriving)];
  const isRootGone =
    before?.root != null && (replacedRows.has(before.root.rowId) || hasParentArrived(before.root, arriving));
  const isSessionGone = before?.session != null && replacedRows.has(before.session.rowId);
  const root = nextRoot(isRootGone ? null : (before?.root ?? null), arriving, neighbours);
  const session = nextSession(isSessionGone ? null : (before?.session ?? null), arriving);
  const errors = arriving.filter((span) => span.isError).length - replaced.filter(({ facts }) => facts.isError).length;
  return {
    after: {
      startUs: Math.min(start, before?.startUs ?? start),
      endUs: Math.max(end, before?.endUs ?? end),
      spanCount: (before?.spanCount ?? 0) + arriving.length - replaced.length,
      errorCount: (before?.errorCount ?? 0) + errors,
      usage,
      root,
      session,
    },
    stale: {
      times:
        before !== undefined &&
        replaced.some(
          ({ facts }) =>
            (facts.startUs === before.startUs && start > before.startUs) ||
            (facts.endUs === before.endUs && end < before.endUs),
        ),
      root: isAnyDeleted || (isRootGone && isLater(root, before.root)),
      session: isSessionGone && isLater(session, before.session),
    },
  };
}

/** Which of two deciders is first. */
export function isBefore(a: Decider, b: Decider): boolean {
  return a.startUs < b.startUs || (a.startUs === b.startUs && a.rowId < b.rowId);
}

/** Whether another span may come before the new decider now, which is so unless it comes no later than the old one. */
function isLater(now: Decider | null, was: Decider | null): boolean {
  return now === null || was === null || isBefore(was, now);
}

function least(spans: readonly SpanFacts[]): number {
  return spans.reduce((start, span) => Math.min(start, span.startUs), Number.MAX_SAFE_INTEGER);
}

function most(spans: readonly SpanFacts[]): number {
  return spans.reduce((end, span) => Math.max(end, span.endUs), 0);
}

function nextRoot(
  before: TraceRollup['root'],
  arriving: readonly SpanFacts[],
  neighbours: ReadonlySet<string>,
): TraceRollup['root'] {
  const arrivingIds = new Set(arriving.map((span) => span.spanId));
  const isHere = (spanId: string) => arrivingIds.has(spanId) || neighbours.has(spanId);
  let root = before;
  for (const span of arriving) {
    const { rowId, startUs, parentSpanId } = span;
    const isRoot = parentSpanId === null || parentSpanId === span.spanId || !isHere(parentSpanId);
    if (isRoot && (root === null || isBefore(span, root))) root = { rowId, startUs, parentSpanId };
  }
  return root;
}

/** Whether the stored root was an orphan whose parent arrives now. */
function hasParentArrived(root: NonNullable<TraceRollup['root']>, arriving: readonly SpanFacts[]): boolean {
  return arriving.some((span) => span.spanId === root.parentSpanId && span.rowId !== root.rowId);
}

function nextSession(before: TraceRollup['session'], arriving: readonly SpanFacts[]): TraceRollup['session'] {
  let session = before;
  for (const { rowId, startUs, sessionId } of arriving) {
    if (sessionId === null) continue;
    const candidate = { rowId, startUs, sessionId };
    if (session === null || isBefore(candidate, session)) session = candidate;
  }
  return session;
}
