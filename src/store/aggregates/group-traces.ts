/** Traces by what their root spans, any of their spans, or their sessions have in common, as rows of a table. */
import { AppError } from '#base/errors';
import { Budget } from '../query/budget.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { GroupKeys, NO_GROUP, openDimension } from './group-keys.ts';
import { openOwners } from './matcher.ts';
import { type GroupAnswer, type GroupFigure, type GroupQuestion, MAX_GROUPS, type RowGroup } from './port.ts';
import { assertForward, closeRange } from './range.ts';
import { rankGroups } from './rank-groups.ts';
import type { ScanNeeds } from './scan.ts';
import { type Figures, TraceFigures } from './trace-figures.ts';
import { readRootKeys, readSpanKeys, SESSION_KEYS, type TraceKeys } from './trace-keys.ts';
import { countTraces, readTraceRows, type TraceRows } from './trace-rows.ts';

/** Reads the rows of traces, then the values of spans; what is asked of spans is asked of their owners. */
export async function groupTraces(scope: ReadScope, question: GroupQuestion, budgetMs: number): Promise<GroupAnswer> {
  assertAskable(question);
  const budget = new Budget(budgetMs);
  const range = await closeRange(scope, 'traces', question);
  const traces = new Traces();
  const owners = openOwners(scope, question, budget);
  let readCount = 0;
  for await (const part of readTraceRows(scope, question.projectRowId, range, budget)) {
    await owners?.look(part.id);
    traces.add(part, owners);
    readCount += part.id.length;
  }
  const total = budget.isExceeded ? await countTraces(scope, question.projectRowId, range) : readCount;
  const keys = await readKeys(scope, question, traces, budget);
  traces.divide(keys);
  const found = traces.figuresOf(new Map(traces.keys.map((key, place) => [key, place])));
  const order = rankGroups({
    values: found[question.order.by].subarray(0, traces.keys.length),
    counts: found.count,
    direction: question.order.direction,
  });
  const named = order.slice(0, question.maxGroups).map((place) => traces.keys[place] ?? NO_GROUP);
  const figures = traces.figuresOf(new Map(named.map((key, place) => [key, place])));
  const rows = [...named, null].map((key, place) => toRow(figures, place, key === null ? null : keys.valueOf(key)));
  return {
    groups: rows.filter(({ count }) => count > 0),
    otherGroupCount: traces.keys.length - named.length,
    isPartial: budget.isExceeded || keys.coverage.isPartial,
    share: (total === 0 ? 1 : Math.min(readCount / total, 1)) * keys.coverage.share,
  };
}

/** Tells the traces their groups: by their rows alone, or by what their spans say. */
function readKeys(
  scope: ReadScope,
  { dimension, projectRowId, ofSpans }: GroupQuestion,
  traces: Traces,
  budget: Budget,
): Promise<TraceKeys> {
  if (dimension.kind === 'session') return Promise.resolve(SESSION_KEYS);
  const needs: ScanNeeds = { columns: new Set(), attributes: new Set() };
  const keys = new GroupKeys([openDimension(dimension, needs)]);
  const times = traces.times(projectRowId);
  return ofSpans === 'all'
    ? readSpanKeys(scope, traces.rowIds, times, budget, needs, keys)
    : readRootKeys(scope, traces.rootRowIds, times, budget, needs, keys);
}

function assertAskable(question: GroupQuestion): void {
  assertForward(question);
  if (question.condition !== null) throw new AppError('invalid_argument', 'Traces are grouped by a filter of traces.');
  if (question.maxGroups >= 1 && question.maxGroups <= MAX_GROUPS) return;
  throw new AppError('invalid_argument', `A response has 1 to ${MAX_GROUPS} groups, plus one group for all others.`);
}

/** Rows of traces with the group of each. */
class Traces {
  readonly #parts: TraceRows[] = [];
  /** Of the traces of each part, whether they match. */
  readonly #matches: Uint8Array[] = [];
  #keys: TraceKeys | undefined;
  /** Groups, in the order in which they are found; {@link NO_GROUP} is none. */
  keys: readonly number[] = [];

  add(part: TraceRows, owners: { has(traceRowId: number): boolean } | null): void {
    this.#parts.push(part);
    this.#matches.push(Uint8Array.from(part.id, (rowId) => (owners === null || owners.has(rowId) ? 1 : 0)));
  }

  /** Of traces that match. */
  get rowIds(): readonly number[] {
    const rowIds: number[] = [];
    this.#forEach((part, row) => rowIds.push(part.id[row] ?? 0));
    return rowIds;
  }

  /** Of their root spans, latest first. */
  get rootRowIds(): readonly number[] {
    const rowIds: number[] = [];
    this.#forEach((part, row) => {
      const rowId = part.root_span_row_id[row] ?? Number.NaN;
      if (!Number.isNaN(rowId)) rowIds.push(rowId);
    });
    return rowIds.sort((a, b) => b - a);
  }

  /** In which their spans start. */
  times(projectRowId: number) {
    let [startTimeUs, endUs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    this.#forEach((part, row) => {
      startTimeUs = Math.min(startTimeUs, part.start_us[row] ?? 0);
      endUs = Math.max(endUs, part.end_us[row] ?? 0);
    });
    return { projectRowId, startTimeUs, endTimeUs: endUs + 1 };
  }

  /** Takes over in which groups they are; those that time did not suffice for are left out. */
  divide(keys: TraceKeys): void {
    this.#keys = keys;
    const all = new Set<number>();
    for (const [place, part] of this.#parts.entries()) {
      const matches = this.#matches[place] ?? new Uint8Array();
      for (let row = 0; row < part.id.length; row++) {
        if (matches[row] !== 1) continue;
        const own = this.#keysAt(part, row);
        if (own === undefined) matches[row] = 0;
        for (const key of own ?? []) all.add(key);
      }
    }
    all.delete(NO_GROUP);
    this.keys = [...all];
  }

  /** The figures of groups by their places; those of all others at the end. */
  figuresOf(places: ReadonlyMap<number, number>): Figures {
    const figures = new TraceFigures(places.size + 1);
    this.#forEach((part, row) => {
      const own = this.#keysAt(part, row) ?? [];
      // Of a trace in several groups that are not named, the rest has one row.
      for (const cell of new Set(own.map((key) => places.get(key) ?? places.size))) figures.add(cell, part, row);
    });
    return figures.read();
  }

  #keysAt(part: TraceRows, row: number): readonly number[] | undefined {
    return this.#keys?.keysOf({
      rowId: part.id[row] ?? 0,
      rootRowId: part.root_span_row_id[row] ?? Number.NaN,
      sessionRowId: part.session_row_id[row] ?? 0,
    });
  }

  #forEach(look: (part: TraceRows, row: number) => void): void {
    for (const [place, part] of this.#parts.entries()) {
      const matches = this.#matches[place];
      for (let row = 0; row < part.id.length; row++) if (matches?.[row] === 1) look(part, row);
    }
  }
}

function toRow(figures: Figures, place: number, key: RowGroup['key'] | undefined): RowGroup {
  const at = (figure: GroupFigure) => figures[figure][place] ?? Number.NaN;
  return {
    key: key ?? null,
    count: at('count'),
    error_rate: at('error_rate'),
    latency_p50: at('latency_p50'),
    latency_p95: at('latency_p95'),
    tokens: at('tokens'),
    cost: at('cost'),
    first_start: at('first_start'),
    last_start: at('last_start'),
  };
}
