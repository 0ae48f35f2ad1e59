/** What the addresses of a project's pages carry beside their path. */
import type { TimeRangeSearch } from '#ui/lib/time-range.ts';
import { readTargetChoice, type TargetChoice } from '../annotate/model/target.ts';
import { readTraceView, type TraceView } from '../trace/trace-view.ts';

/** On every page of a project. */
export type ProjectSearch = TimeRangeSearch;

/** On every page with a table. */
export interface ListSearch {
  /** `column:direction`. */
  readonly sort?: string | undefined;
  /** Which spans are listed; absent: all of them. */
  readonly spans?: 'roots' | undefined;
  /** By what rows are grouped, see `groups/groupings.ts`; absent: not. */
  readonly group?: string | undefined;
  /** In the filter language; absent: none. */
  readonly filter?: string | undefined;
  /** Id of the view that the rest started from; `none`: not even the default one. */
  readonly saved?: string | undefined;
}

/** Where something is shown beside a table. */
export interface PeekSearch {
  /** Absent: docked. */
  readonly view?: 'full' | undefined;
  /** Absent: the one that was chosen last. */
  readonly traceView?: TraceView | undefined;
  readonly selectedSpanNodeId?: string | undefined;
  /** Hexadecimal: the trace beside a session's conversation. */
  readonly selectedTraceId?: string | undefined;
  /** What the annotate panel is open for; absent: it is closed. */
  readonly annotate?: TargetChoice | undefined;
}

/** Reads {@link ProjectSearch}; what makes no sense is left out. */
export function readProjectSearch(search: Readonly<Record<string, unknown>>): ProjectSearch {
  return { range: textOf(search['range']), start: textOf(search['start']), end: textOf(search['end']) };
}

/** Reads {@link ListSearch}; what makes no sense is left out. */
export function readListSearch(search: Readonly<Record<string, unknown>>): ListSearch {
  return {
    sort: textOf(search['sort']),
    spans: search['spans'] === 'roots' ? 'roots' : undefined,
    group: textOf(search['group']),
    filter: readFilterSearch(search),
    saved: textOf(search['saved']),
  };
}

/** The filter of an address; undefined: none, or one that is too long. */
export function readFilterSearch(search: Readonly<Record<string, unknown>>): string | undefined {
  return textOf(search['filter'], MAX_FILTER_LENGTH) || undefined;
}

/** Reads {@link PeekSearch}; what makes no sense is left out. */
export function readPeekSearch(search: Readonly<Record<string, unknown>>): PeekSearch {
  return {
    view: search['view'] === 'full' ? 'full' : undefined,
    traceView: readTraceView(search['traceView']),
    selectedSpanNodeId: textOf(search['selectedSpanNodeId']),
    selectedTraceId: textOf(search['selectedTraceId']),
    annotate: readTargetChoice(search['annotate']),
  };
}

/** The search part of a list's address, without what says what is open beside it. */
export function withoutPeekSearch<Search extends PeekSearch>(search: Search): Omit<Search, keyof PeekSearch> {
  const {
    view: _view,
    traceView: _traceView,
    selectedSpanNodeId: _span,
    selectedTraceId: _trace,
    annotate: _annotate,
    ...list
  } = search;
  return list;
}

/** Longer ones do not fit into addresses. */
const MAX_FILTER_LENGTH = 8000;

function textOf(value: unknown, maxLength = 200): string | undefined {
  return typeof value === 'string' && value.length <= maxLength ? value : undefined;
}
