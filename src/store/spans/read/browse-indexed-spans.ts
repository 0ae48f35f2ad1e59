/** Pages of spans in any order that tables offer. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { KeysetPage, KeysetRequest, Position } from '#domain/page';
import type { CumulativeSort, SpanScope, SpanTableRow, SpanTableSort } from '../browse-port.ts';
import { readListedOnly } from '../rows/visible.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { listSpanRows } from '../rows/span-table.ts';

/**
 * One page. A project is read along the index of the order or, where few spans lie in the bounds, along that of starts; a
 * trace along its spans. A page that looked for as long as it may ends early and can be continued.
 */
export async function browseSpans(
  scope: ReadScope,
  spans: SpanScope,
  page: KeysetRequest<IndexedSort>,
): Promise<KeysetPage<SpanTableRow>> {
  const deadline = performance.now() + BUDGET_MS;
  const isListed = 'projectRowId' in spans ? await readListedOnly(scope.db) : undefined;
  const path = await choosePath(scope, spans, page.sort);
  const found: Position[] = [];
  const end = async (next: Position | null) => {
    const rowIds = found.slice(0, page.limit).map(({ rowId }) => rowId);
    return { rows: await listSpanRows(scope, rowIds), next };
  };
  for (const { part, after: start } of partsAfter(page)) {
    let after = start;
    for (;;) {
      const walk: Walk = { spans, isListed, path, part, order: page.order, after };
      const until = isScan(walk) ? await findStep(scope, walk) : null;
      found.push(...(await selectMatches(scope, walk, until, page.limit + 1 - found.length)));
      if (found.length > page.limit) return end(found[page.limit - 1] ?? null);
      if (until === null) break;
      if (performance.now() > deadline) return end(until);
      after = until;
    }
  }
  return end(null);
}

/** How long a page may look, in milliseconds. */
const BUDGET_MS = 1000;

/** Rows of one statement, which nothing can interrupt: some 20 ms. */
const STEP_ROWS = 20_000;

/** The same where they lie all over the table. */
const SORTED_STEP_ROWS = 4000;

/** Spans that are rather sorted than looked for along the index of their order. */
const MAX_SORTED_ROWS = 20_000;

/** By what the spans of a page are found. */
type Path = 'order' | 'start' | 'trace';

/** The spans that have a value in the order, in that order, or those that have none, in the order of arrival. */
type Part = { readonly column: SortColumn; readonly isNull: boolean };

/** The orders that have an index. */
export type IndexedSort = Exclude<SpanTableSort, 'cost' | CumulativeSort>;

type SortColumn = 'id' | 'start_us' | 'end_us' | 'latency_us' | 'total_tokens' | 'prompt_tokens' | 'completion_tokens';

interface Walk {
  readonly spans: SpanScope;
  /** What keeps deleted spans out. */
  readonly isListed: RawBuilder<SqlBool> | undefined;
  readonly path: Path;
  readonly part: Part;
  readonly order: 'asc' | 'desc';
  readonly after: Position | null;
}

const COLUMNS: Readonly<Record<IndexedSort, SortColumn>> = {
  id: 'id',
  start_time: 'start_us',
  end_time: 'end_us',
  latency: 'latency_us',
  total_tokens: 'total_tokens',
  prompt_tokens: 'prompt_tokens',
  completion_tokens: 'completion_tokens',
};

function partsAfter({ sort, after }: KeysetRequest<IndexedSort>): { part: Part; after: Position | null }[] {
  const valued = { part: { column: COLUMNS[sort], isNull: false }, after };
  if (sort === 'id' || sort === 'start_time') return [valued];
  const isPast = after !== null && after.value === null;
  const rest = { part: { column: COLUMNS[sort], isNull: true }, after: isPast ? after : null };
  return isPast ? [rest] : [valued, rest];
}

async function choosePath(scope: ReadScope, spans: SpanScope, sort: IndexedSort): Promise<Path> {
  if ('traceRowId' in spans) return 'trace';
  if (sort === 'start_time' || !isNarrowed(spans)) return 'order';
  return (await areFew(scope, spans)) ? 'start' : 'order';
}

/** Whether the spans in the bounds are rather sorted. Index: spans_by_start, of roots root_spans_by_start. */
async function areFew({ db }: ReadScope, spans: ProjectScope): Promise<boolean> {
  const { projectRowId, startTimeUs, endTimeUs, rootsOnly } = spans;
  let query = db.selectFrom('spans').select('start_us').where('project_id', '=', projectRowId);
  query = query.where('start_us', '>=', startTimeUs ?? LEAST);
  if (endTimeUs !== undefined) query = query.where('start_us', '<', endTimeUs);
  if (rootsOnly) query = query.where('parent_span_id', 'is', null);
  return (await query.orderBy('start_us').limit(1).offset(MAX_SORTED_ROWS).executeTakeFirst()) === undefined;
}

/** Spans of a project. */
type ProjectScope = Exclude<SpanScope, { readonly traceRowId: number }>;

function isNarrowed(spans: SpanScope): boolean {
  return 'rootsOnly' in spans && (spans.rootsOnly || spans.startTimeUs !== undefined || spans.endTimeUs !== undefined);
}

/** Whether the index that is followed leads past spans that are not of the page. */
function isScan({ spans, path, part }: Walk): boolean {
  return path === 'order' && part.column !== 'start_us' && (part.isNull || isNarrowed(spans));
}

/** A position so many rows on along the index, whether they match or not; `null` where it has fewer. */
async function findStep(scope: ReadScope, walk: Walk): Promise<Position | null> {
  const { order, part } = walk;
  const step = part.isNull ? undefined : STEPS[part.column];
  const along = selectAlong(scope, walk, null);
  if (step === undefined) {
    const row = await along
      .limit(1)
      .offset(STEP_ROWS - 1)
      .executeTakeFirst();
    return row === undefined ? null : toPosition(walk, row);
  }
  const row = await along
    .clearSelect()
    .clearOrderBy()
    .select(step.as('step'))
    .orderBy(step, order)
    .limit(1)
    .offset(SORTED_STEP_ROWS - 1)
    .executeTakeFirst();
  return row === undefined ? null : endOfStep(row.step, order);
}

/**
 * Positions of matching spans. Index: that of the order (spans_by_arrival, spans_by_end, spans_by_latency and those of
 * tokens); by start or few in bounds spans_by_start, of roots root_spans_by_start; of a trace spans_of_trace.
 */
async function selectMatches(
  scope: ReadScope,
  walk: Walk,
  until: Position | null,
  limit: number,
): Promise<readonly Position[]> {
  const { spans, isListed, path, part } = walk;
  let query = selectAlong(scope, walk, until);
  if (isListed !== undefined) query = query.where(isListed);
  if ('projectRowId' in spans) {
    const isByStart = path === 'start' || part.column === 'start_us';
    const startUs = isByStart ? sql.ref<number>('spans.start_us') : scope.dialect.unindexed('spans.start_us');
    if (isByStart || spans.startTimeUs !== undefined) query = query.where(startUs, '>=', spans.startTimeUs ?? LEAST);
    if (spans.endTimeUs !== undefined) query = query.where(startUs, '<', spans.endTimeUs);
    if (spans.rootsOnly)
      query = query.where(
        isByStart ? 'spans.parent_span_id' : scope.dialect.unindexed<string | null>('spans.parent_span_id'),
        'is',
        null,
      );
  }
  if (part.isNull) query = query.where(scope.dialect.unindexed(`spans.${part.column}`), 'is', null);
  const rows = await query.limit(limit).execute();
  return rows.map((row) => toPosition(walk, row));
}

/** All spans of the project or trace after a position, and up to another, in order. */
function selectAlong({ db, dialect }: ReadScope, { spans, path, part, order, after }: Walk, until: Position | null) {
  const name = part.isNull ? 'id' : part.column;
  const step = path === 'order' ? STEPS[name] : undefined;
  const isIndexed = path === 'order' || (path === 'trace' && name === 'start_us');
  const column = isIndexed ? sql.ref<number>(`spans.${name}`) : dialect.unindexed(`spans.${name}`);
  const place =
    'traceRowId' in spans
      ? (['spans.trace_row_id', spans.traceRowId] as const)
      : (['spans.project_id', spans.projectRowId] as const);
  let query = db.selectFrom('spans').select('spans.id').select(column.as('value')).where(place[0], '=', place[1]);
  if (name !== 'id' && name !== 'start_us') {
    const indexed = step ?? column;
    query = query.where(indexed, 'is not', null);
    if (isIndexed) query = query.where(indexed, '>=', LEAST);
  }
  const [beyond, within] = order === 'asc' ? ['>', '<='] : ['<', '>='];
  for (const [position, operator] of [
    [after, beyond],
    [until, within],
  ] as const) {
    if (position === null) continue;
    const sign = sql.raw(operator);
    if (step !== undefined)
      query = query.where(sql<SqlBool>`${step} ${sql.raw(`${operator[0]}=`)} ${stepOf(position)}`);
    const condition =
      name === 'id'
        ? sql<SqlBool>`${column} ${sign} ${position.rowId}`
        : sql<SqlBool>`(${column}, spans.id) ${sign} (${position.value}, ${position.rowId})`;
    query = query.where(condition);
  }
  if (step !== undefined) query = query.orderBy(step, order);
  query = query.orderBy(column, order);
  return name === 'id' ? query : query.orderBy('spans.id', order);
}

/** No value is less. A bound that says nothing lets SQLite prefer the index of the order. */
const LEAST = Number.MIN_SAFE_INTEGER;

function toPosition({ part }: Walk, { id, value }: { readonly id: number; readonly value: number }): Position {
  return { rowId: id, value: part.isNull || part.column === 'id' ? null : value };
}

/** The coarse order that the index of an order is in; rows of one step are sorted as they are read. */
const STEPS: Partial<Record<SortColumn, RawBuilder<number>>> = {
  latency_us: sql.ref('spans.latency_step'),
  total_tokens: sql.ref('spans.total_tokens_step'),
  prompt_tokens: sql.ref('spans.prompt_tokens_step'),
  completion_tokens: sql.ref('spans.completion_tokens_step'),
};

/** As the migration defines it. */
function stepOf({ value }: Position): number {
  const digits = String(Math.max(value ?? 0, 0));
  return digits.length * 100 + Number(digits.slice(0, 2));
}

/** Beyond every row of the step. */
function endOfStep(step: number, order: 'asc' | 'desc'): Position {
  const unit = 10 ** Math.max(Math.floor(step / 100) - 2, 0);
  const first = (step % 100) * unit;
  if (order === 'asc') return { value: first + unit - 1, rowId: Number.MAX_SAFE_INTEGER };
  return { value: first === 0 ? LEAST : first, rowId: 0 };
}
