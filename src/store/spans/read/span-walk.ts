/** Statements that follow an index of spans, each built once for every shape. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Position } from '#domain/page';
import { prepareShapes, type QueryScope } from '../../queries/prepared-query.ts';
import type { CumulativeSort, SpanScope, SpanTableSort, TimeBounds } from '../browse-port.ts';
import { isListed, type ListedOnly } from '../rows/visible.ts';

/** The orders that have an index. */
export type IndexedSort = Exclude<SpanTableSort, 'cost' | CumulativeSort>;

/** What the order is by. */
export type SortColumn =
  | 'id'
  | 'start_us'
  | 'end_us'
  | 'latency_us'
  | 'total_tokens'
  | 'prompt_tokens'
  | 'completion_tokens';

/** The spans that have a value in the order, in that order, or those that have none, in the order of arrival. */
export type Part = { readonly column: SortColumn; readonly isNull: boolean };

/** By what the spans of a page are found. */
export type Path = 'order' | 'start' | 'trace';

/** Spans of a project or trace, along an index. */
export interface Walk {
  readonly spans: SpanScope;
  /** What keeps deleted spans out. */
  readonly listedOnly: ListedOnly;
  readonly path: Path;
  readonly part: Part;
  readonly order: 'asc' | 'desc';
  readonly after: Position | null;
}

/** Spans of a project. */
type ProjectScope = Exclude<SpanScope, { readonly traceRowId: number }>;

/** Rows of one statement, which nothing can interrupt: some 20 ms. */
const STEP_ROWS = 20_000;

/** The same where they lie all over the table. */
const SORTED_STEP_ROWS = 4000;

/** Whether bounds or roots are asked for. */
export function isNarrowed(spans: SpanScope): boolean {
  return 'rootsOnly' in spans && (spans.rootsOnly || spans.startTimeUs !== undefined || spans.endTimeUs !== undefined);
}

/** Whether the index that is followed leads past spans that are not of the page. */
export function isScan({ spans, path, part }: Walk): boolean {
  return path === 'order' && part.column !== 'start_us' && (part.isNull || isNarrowed(spans));
}

/** Whether the bounds hold more spans than that. Index: spans_by_start, of roots root_spans_by_start. */
export async function holdMoreThan(scope: QueryScope, spans: ProjectScope, rows: number): Promise<boolean> {
  const { projectRowId, startTimeUs = LEAST, endTimeUs, rootsOnly } = spans;
  const found = await selectInBounds(
    scope,
    { rootsOnly, hasEnd: endTimeUs !== undefined },
    { projectRowId, startTimeUs, endTimeUs: endTimeUs ?? 0, rows },
  );
  return found.length > 0;
}

interface InBounds {
  readonly projectRowId: number;
  readonly startTimeUs: number;
  readonly endTimeUs: number;
  readonly rows: number;
}

const selectInBounds = prepareShapes(
  ({ db }, shape: { readonly rootsOnly: boolean; readonly hasEnd: boolean }, values: InBounds) => {
    let query = db.selectFrom('spans').select('start_us').where('project_id', '=', values.projectRowId);
    query = query.where('start_us', '>=', values.startTimeUs);
    if (shape.hasEnd) query = query.where('start_us', '<', values.endTimeUs);
    if (shape.rootsOnly) query = query.where('parent_span_id', 'is', null);
    return query.orderBy('start_us').limit(1).offset(values.rows);
  },
);

/** A position so many rows on along the index, whether they match or not; `null` where it has fewer. */
export async function findStep(scope: QueryScope, walk: Walk): Promise<Position | null> {
  const shape = shapeOf(walk, null);
  if (stepOf(shape) === undefined) {
    const [row] = await selectPosition(scope, shape, valuesOf(walk, null, STEP_ROWS - 1));
    return row === undefined ? null : toPosition(walk, row);
  }
  const [row] = await selectStep(scope, shape, valuesOf(walk, null, SORTED_STEP_ROWS - 1));
  return row === undefined ? null : endOfStep(row.step, walk.order);
}

const selectPosition = prepareShapes((scope, shape: WalkShape, values: WalkValues) =>
  selectAlong(scope, shape, values).limit(1).offset(values.rows),
);

const selectStep = prepareShapes((scope, shape: WalkShape, values: WalkValues) => {
  const step = stepOf(shape) ?? sql<number>`NULL`;
  const along = selectAlong(scope, shape, values).clearSelect().clearOrderBy().select(step.as('step'));
  return along.orderBy(step, shape.order).limit(1).offset(values.rows);
});

/**
 * Positions of matching spans. Index: that of the order (spans_by_arrival, spans_by_end, spans_by_latency and those of
 * tokens); by start or few in bounds spans_by_start, of roots root_spans_by_start; of a trace spans_of_trace.
 */
export async function selectMatches(
  scope: QueryScope,
  walk: Walk,
  until: Position | null,
  limit: number,
): Promise<readonly Position[]> {
  const rows = await selectMatching(scope, shapeOf(walk, until), valuesOf(walk, until, limit));
  return rows.map((row) => toPosition(walk, row));
}

const selectMatching = prepareShapes((scope, shape: WalkShape, values: WalkValues) => {
  const { dialect } = scope;
  let query = selectAlong(scope, shape, values);
  if (shape.listedOnly !== null) query = query.where(isListed(shape.listedOnly));
  if (shape.of === 'project') {
    const isByStart = shape.path === 'start' || shape.column === 'start_us';
    const startUs = isByStart ? sql.ref<number>('spans.start_us') : dialect.unindexed('spans.start_us');
    if (isByStart || shape.hasStart) query = query.where(startUs, '>=', values.startTimeUs);
    if (shape.hasEnd) query = query.where(startUs, '<', values.endTimeUs);
    if (shape.rootsOnly) {
      const parent = isByStart ? 'spans.parent_span_id' : dialect.unindexed<string | null>('spans.parent_span_id');
      query = query.where(parent, 'is', null);
    }
  }
  if (shape.isNull) query = query.where(dialect.unindexed(`spans.${shape.column}`), 'is', null);
  return query.limit(values.rows);
});

/** What decides how the statement of a walk is written. */
interface WalkShape extends Part {
  readonly of: 'project' | 'trace';
  readonly path: Path;
  readonly order: 'asc' | 'desc';
  readonly listedOnly: ListedOnly;
  readonly hasStart: boolean;
  readonly hasEnd: boolean;
  readonly rootsOnly: boolean;
  readonly hasAfter: boolean;
  readonly hasUntil: boolean;
}

/** What it runs with; what the shape has not is not looked at. */
interface WalkValues {
  readonly ownerRowId: number;
  readonly startTimeUs: number;
  readonly endTimeUs: number;
  readonly afterValue: number | null;
  readonly afterRowId: number;
  readonly afterStep: number;
  readonly untilValue: number | null;
  readonly untilRowId: number;
  readonly untilStep: number;
  /** How many are read, or passed over. */
  readonly rows: number;
}

function shapeOf({ spans, listedOnly, path, part, order, after }: Walk, until: Position | null): WalkShape {
  const ends = { hasAfter: after !== null, hasUntil: until !== null };
  const common = { ...part, path, order, listedOnly, ...ends };
  if ('traceRowId' in spans) return { of: 'trace', ...common, hasStart: false, hasEnd: false, rootsOnly: false };
  const { startTimeUs, endTimeUs, rootsOnly } = spans;
  const bounds = { hasStart: startTimeUs !== undefined, hasEnd: endTimeUs !== undefined, rootsOnly };
  return { of: 'project', ...common, ...bounds };
}

function valuesOf({ spans, after }: Walk, until: Position | null, rows: number): WalkValues {
  const bounds: TimeBounds = 'traceRowId' in spans ? {} : spans;
  return {
    ownerRowId: 'traceRowId' in spans ? spans.traceRowId : spans.projectRowId,
    startTimeUs: bounds.startTimeUs ?? LEAST,
    endTimeUs: bounds.endTimeUs ?? 0,
    afterValue: after?.value ?? null,
    afterRowId: after?.rowId ?? 0,
    afterStep: stepOfValue(after?.value ?? null),
    untilValue: until?.value ?? null,
    untilRowId: until?.rowId ?? 0,
    untilStep: stepOfValue(until?.value ?? null),
    rows,
  };
}

/** All spans of the project or trace after a position, and up to another, in order. */
function selectAlong({ db, dialect }: QueryScope, shape: WalkShape, values: WalkValues) {
  const { of, path, order } = shape;
  const name = nameOf(shape);
  const step = stepOf(shape);
  const isIndexed = path === 'order' || (path === 'trace' && name === 'start_us');
  const column = isIndexed ? sql.ref<number>(`spans.${name}`) : dialect.unindexed(`spans.${name}`);
  const owner = of === 'trace' ? 'spans.trace_row_id' : 'spans.project_id';
  let query = db.selectFrom('spans').select('spans.id').select(column.as('value'));
  query = query.where(owner, '=', values.ownerRowId);
  if (name !== 'id' && name !== 'start_us') {
    const indexed = step ?? column;
    query = query.where(indexed, 'is not', null);
    if (isIndexed) query = query.where(indexed, '>=', LEAST);
  }
  const [beyond, within] = order === 'asc' ? ['>', '<='] : ['<', '>='];
  const ends = [
    { is: shape.hasAfter, sign: beyond, value: values.afterValue, rowId: values.afterRowId, at: values.afterStep },
    { is: shape.hasUntil, sign: within, value: values.untilValue, rowId: values.untilRowId, at: values.untilStep },
  ];
  for (const { is, sign, value, rowId, at } of ends) {
    if (!is) continue;
    if (step !== undefined) query = query.where(sql<SqlBool>`${step} ${sql.raw(`${sign[0]}=`)} ${at}`);
    query = query.where(
      name === 'id'
        ? sql<SqlBool>`${column} ${sql.raw(sign)} ${rowId}`
        : sql<SqlBool>`(${column}, spans.id) ${sql.raw(sign)} (${value}, ${rowId})`,
    );
  }
  if (step !== undefined) query = query.orderBy(step, order);
  query = query.orderBy(column, order);
  return name === 'id' ? query : query.orderBy('spans.id', order);
}

/** No value is less. A bound that says nothing lets SQLite prefer the index of the order. */
const LEAST = Number.MIN_SAFE_INTEGER;

function toPosition({ part }: Walk, { id, value }: { readonly id: number; readonly value: number }): Position {
  return { rowId: id, value: nameOf(part) === 'id' ? null : value };
}

/** The column that the rows are in the order of. */
function nameOf({ column, isNull }: Part): SortColumn {
  return isNull ? 'id' : column;
}

/** The coarse order that the index of an order is in; rows of one step are sorted as they are read. */
function stepOf(shape: WalkShape): RawBuilder<number> | undefined {
  return shape.path === 'order' ? STEPS[nameOf(shape)] : undefined;
}

const STEPS: Partial<Record<SortColumn, RawBuilder<number>>> = {
  latency_us: sql.ref('spans.latency_step'),
  total_tokens: sql.ref('spans.total_tokens_step'),
  prompt_tokens: sql.ref('spans.prompt_tokens_step'),
  completion_tokens: sql.ref('spans.completion_tokens_step'),
};

/** As the migration defines it. */
function stepOfValue(value: number | null): number {
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
