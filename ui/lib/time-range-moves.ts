/** A time range that is moved or made longer or shorter, without typing. */
import { LONGEST_MINUTES, narrowTimeRange, resolveTimeRange, type TimeRange } from './time-range.ts';

const MINUTE_MS = 60_000;
const SHORTEST_MS = MINUTE_MS;

/**
 * The range half its length earlier or later. Moved up to now, it follows the clock again; undefined where it cannot be moved:
 * all of the time, and what already reaches up to now.
 */
export function stepTimeRange(range: TimeRange, direction: -1 | 1, nowMs: number): TimeRange | undefined {
  const window = windowOf(range, nowMs);
  if (window === undefined || (direction === 1 && window.endMs >= nowMs)) return undefined;
  const shiftMs = (direction * (window.endMs - window.startMs)) / 2;
  return toRange(window.startMs + shiftMs, window.endMs + shiftMs, nowMs);
}

/**
 * The range twice or half as long: of one that reaches up to now the end stays, of others the middle. Undefined where it is as
 * short as can be, or all of the time.
 */
export function zoomTimeRange(range: TimeRange, direction: 'in' | 'out', nowMs: number): TimeRange | undefined {
  const window = windowOf(range, nowMs);
  if (range.kind === 'all') return direction === 'in' ? narrowTimeRange(range) : undefined;
  if (window === undefined) return direction === 'out' ? ALL : undefined;
  const { startMs, endMs } = window;
  const lengthMs = endMs - startMs;
  const nextMs = direction === 'in' ? Math.max(SHORTEST_MS, lengthMs / 2) : lengthMs * 2;
  if (nextMs === lengthMs) return undefined;
  if (nextMs > LONGEST_MINUTES * MINUTE_MS) return ALL;
  if (endMs >= nowMs) return toRange(nowMs - nextMs, nowMs, nowMs);
  const aheadMs = (nextMs - lengthMs) / 2;
  return toRange(startMs - aheadMs, endMs + aheadMs, nowMs);
}

const ALL: TimeRange = { kind: 'all' };

/** Both ends of a range; undefined where it has no beginning. */
function windowOf(range: TimeRange, nowMs: number): { readonly startMs: number; readonly endMs: number } | undefined {
  const { start, end } = resolveTimeRange(range, nowMs);
  if (start === undefined) return undefined;
  const startMs = Date.parse(start);
  const endMs = end === undefined ? Math.max(nowMs, startMs + SHORTEST_MS) : Date.parse(end);
  return { startMs, endMs };
}

/** In whole minutes; what reaches up to now is relative to it. */
function toRange(startMs: number, endMs: number, nowMs: number): TimeRange {
  const minutes = Math.max(1, Math.round((endMs - startMs) / MINUTE_MS));
  if (endMs >= nowMs) return { kind: 'last', minutes };
  const end = Math.round(endMs / MINUTE_MS) * MINUTE_MS;
  const iso = (ms: number) => new Date(ms).toISOString();
  return { kind: 'between', start: iso(end - minutes * MINUTE_MS), end: iso(end) };
}
