/** Traces by what their root spans have in common, as rows of a table. */
import { NumberSet } from '#base/number-set';
import { AppError } from '#base/errors';
import { Budget } from '../query/budget.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { GroupKeys, NO_GROUP, openDimension, WITHOUT_VALUE } from './group-keys.ts';
import { openOwners } from './matcher.ts';
import {
  type Coverage,
  type DimensionValue,
  type GroupAnswer,
  type GroupFigure,
  type GroupQuestion,
  MAX_GROUPS,
  type RowGroup,
} from './port.ts';
import { assertForward, closeRange } from './range.ts';
import { rankGroups } from './rank-groups.ts';
import { RootBatches } from './root-batches.ts';
import type { ScanNeeds } from './scan.ts';
import { type Figures, TraceFigures } from './trace-figures.ts';
import { countTraces, readTraceRows, type TraceRows } from './trace-rows.ts';

/** Reads the rows of traces, then the values of their root spans; what is asked of spans is asked of their owners. */
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
  const { valueOf, coverage } = await findKeys(scope, question, traces, budget);
  const found = traces.figuresOf(new Map(traces.keys.map((key, place) => [key, place])));
  const order = rankGroups({
    values: found[question.order.by].subarray(0, traces.keys.length),
    counts: found.count,
    direction: question.order.direction,
  });
  const named = order.slice(0, question.maxGroups).map((place) => traces.keys[place] ?? NO_GROUP);
  const figures = traces.figuresOf(new Map(named.map((key, place) => [key, place])));
  const rows = [...named, null].map((key, place) => toRow(figures, place, key === null ? null : valueOf(key)));
  return {
    groups: rows.filter(({ count }) => count > 0),
    otherGroupCount: traces.keys.length - named.length,
    isPartial: budget.isExceeded || coverage.isPartial,
    share: (total === 0 ? 1 : Math.min(readCount / total, 1)) * coverage.share,
  };
}

interface FoundKeys {
  readonly valueOf: (key: number) => DimensionValue | undefined;
  readonly coverage: Coverage;
}

/** Tells the traces their groups: by their rows alone, or by what their root spans say. */
async function findKeys(
  scope: ReadScope,
  { dimension, projectRowId }: GroupQuestion,
  traces: Traces,
  budget: Budget,
): Promise<FoundKeys> {
  if (dimension.kind === 'session') {
    traces.useSessions();
    return { valueOf: toSessionValue, coverage: { isPartial: false, share: 1 } };
  }
  const needs: ScanNeeds = { columns: new Set(), attributes: new Set() };
  const keys = new GroupKeys([openDimension(dimension, needs)]);
  const roots = new RootBatches(scope, traces.rootRowIds, traces.rootTimes(projectRowId), budget);
  await traces.findKeys(roots, needs, keys);
  return { valueOf: (key) => keys.valuesOf(key)[0], coverage: roots.coverage };
}

/** Row ids begin with 1, so that they are other numbers than {@link WITHOUT_VALUE}. */
function toSessionValue(rowId: number): DimensionValue {
  return rowId === WITHOUT_VALUE ? { value: null, text: '' } : { value: rowId, text: String(rowId) };
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
  /** By the row id of a root span. */
  readonly #keyOf = new Map<number, number>();
  #isBySession = false;
  /** Groups, in the order in which they are found; {@link NO_GROUP} is none. */
  keys: readonly number[] = [];

  add(part: TraceRows, owners: { has(traceRowId: number): boolean } | null): void {
    this.#parts.push(part);
    this.#matches.push(Uint8Array.from(part.id, (rowId) => (owners === null || owners.has(rowId) ? 1 : 0)));
  }

  /** Of traces that match, latest first. */
  get rootRowIds(): readonly number[] {
    const rowIds: number[] = [];
    this.#forEach((part, row) => {
      const rowId = part.root_span_row_id[row] ?? Number.NaN;
      if (!Number.isNaN(rowId)) rowIds.push(rowId);
    });
    return rowIds.sort((a, b) => b - a);
  }

  /** In which their root spans start. */
  rootTimes(projectRowId: number) {
    let [startTimeUs, endUs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    this.#forEach((part, row) => {
      startTimeUs = Math.min(startTimeUs, part.start_us[row] ?? 0);
      endUs = Math.max(endUs, part.end_us[row] ?? 0);
    });
    return { projectRowId, startTimeUs, endTimeUs: endUs + 1 };
  }

  /** Notes what the root spans say. */
  async findKeys(roots: RootBatches, needs: ScanNeeds, keys: GroupKeys): Promise<void> {
    const wanted = new NumberSet();
    for (const rowId of this.rootRowIds) wanted.add(rowId);
    for await (const batch of roots.batches(needs)) {
      const rows: number[] = [];
      for (const [row, rowId] of batch.rowIds.entries()) if (wanted.has(rowId)) rows.push(row);
      const found = keys.keysOf(batch, { rows: Uint16Array.from(rows), count: rows.length });
      for (const [index, row] of rows.entries()) {
        this.#keyOf.set(batch.rowIds[row] ?? 0, found[index] ?? NO_GROUP);
      }
    }
    if (roots.coverage.isPartial) this.#leaveOutUnread();
    this.#collectKeys();
  }

  /** Takes the session of a trace for its group. */
  useSessions(): void {
    this.#isBySession = true;
    this.#collectKeys();
  }

  #collectKeys(): void {
    const all = new Set<number>();
    this.#forEach((part, row) => all.add(this.#keyAt(part, row)));
    all.delete(NO_GROUP);
    this.keys = [...all];
  }

  /** Where time ran out, an answer is of the traces whose root spans were read. */
  #leaveOutUnread(): void {
    for (const [place, part] of this.#parts.entries()) {
      for (const [row, rootRowId] of part.root_span_row_id.entries()) {
        const matches = this.#matches[place];
        if (matches !== undefined && !this.#keyOf.has(rootRowId)) matches[row] = 0;
      }
    }
  }

  /** The figures of groups by their places; those of all others at the end. */
  figuresOf(places: ReadonlyMap<number, number>): Figures {
    const figures = new TraceFigures(places.size + 1);
    this.#forEach((part, row) => figures.add(places.get(this.#keyAt(part, row)) ?? places.size, part, row));
    return figures.read();
  }

  /** A trace without a root span is in the group of those without a value. */
  #keyAt(part: TraceRows, row: number): number {
    if (this.#isBySession) return part.session_row_id[row] || WITHOUT_VALUE;
    const rootRowId = part.root_span_row_id[row] ?? Number.NaN;
    return Number.isNaN(rootRowId) ? WITHOUT_VALUE : (this.#keyOf.get(rootRowId) ?? NO_GROUP);
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
