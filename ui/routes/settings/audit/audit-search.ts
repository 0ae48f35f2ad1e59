/** What the address of the audit log carries: which events are listed. */
import {
  readTimeRange,
  resolveTimeRange,
  type TimeRange,
  type TimeRangeSearch,
  writeTimeRange,
} from '#ui/lib/time-range.ts';

/** See the file; what is absent narrows nothing. */
export interface AuditSearch extends TimeRangeSearch {
  /** Name of who did it. */
  readonly by?: string | undefined;
  /** Global id of the account that did it, whatever it was called then, and what it is called. */
  readonly user?: string | undefined;
  readonly userName?: string | undefined;
  /** As `users.add`. */
  readonly action?: string | undefined;
  readonly outcome?: 'done' | 'refused' | undefined;
  /** Global id of what it was done to, and what that is called. */
  readonly object?: string | undefined;
  readonly objectName?: string | undefined;
}

/** Reads it; what makes no sense is left out. */
export function readAuditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  const outcome = search['outcome'];
  const range = readTimeRange({
    range: textOf(search['range']),
    start: textOf(search['start']),
    end: textOf(search['end']),
  });
  return {
    by: textOf(search['by']),
    user: textOf(search['user']),
    userName: textOf(search['userName']),
    action: textOf(search['action']),
    outcome: outcome === 'done' || outcome === 'refused' ? outcome : undefined,
    object: textOf(search['object']),
    objectName: textOf(search['objectName']),
    ...(range !== undefined && range.kind !== 'all' && writeTimeRange(range)),
  };
}

/** The time that the address names; all of it unless it does. */
export function rangeOf(search: AuditSearch): TimeRange {
  return readTimeRange(search) ?? { kind: 'all' };
}

/** Whether the address narrows the log. */
export function isNarrowed({ by, user, action, outcome, object, ...range }: AuditSearch): boolean {
  return [by, user, action, outcome, object].some((part) => part !== undefined) || rangeOf(range).kind !== 'all';
}

/** The filter of GraphQL. */
export function toAuditFilter(search: AuditSearch, nowMs: number) {
  const { by, user, action, outcome, object } = search;
  return {
    callerName: by ?? null,
    userId: user ?? null,
    operation: action ?? null,
    outcome: outcome === undefined ? null : outcome === 'done' ? ('DONE' as const) : ('REFUSED' as const),
    objectId: object ?? null,
    timeRange: resolveTimeRange(rangeOf(search), nowMs),
  };
}

/** Path that gives the same events as a file. */
export function exportPath(search: AuditSearch, format: 'csv' | 'jsonl', nowMs: number): string {
  const { start, end } = resolveTimeRange(rangeOf(search), nowMs);
  const parameters = {
    caller_name: search.by,
    user_id: search.user,
    operation: search.action,
    outcome: search.outcome,
    object_id: search.object,
    start_time: start,
    end_time: end,
  };
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return `/v1/audit_events/export?${query}`;
}

const MAX_LENGTH = 1000;

function textOf(value: unknown): string | undefined {
  // A search that is a number stands in an address without quotes.
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' && text.length <= MAX_LENGTH ? text : undefined;
}
