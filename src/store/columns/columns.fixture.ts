/** A database with rows of spans, and segments of them, for tests. */
import { sql } from 'kysely';
import type { BatchOptions, BatchScope, NumberColumn, SpanBatch, TextColumn } from './batch.ts';
import { NUMBER_COLUMNS, TEXT_COLUMNS } from './batch.ts';
import { buildSegment, type SegmentPlan } from './build-segment.ts';
import { findDueSegments } from './due-segments.ts';
import { readBatches } from './read-batches.ts';
import { openSegments, type SegmentWriteScope, storeSegment } from './store-segment.ts';
import type { ColumnValue } from '../schema/column-value.ts';
import { openTestEngine } from '../engine/open-test-engine.fixture.ts';
import type { TestEngine } from '../engine/test-engine.fixture.ts';

/** What a test says of a row; the rest is made up. */
export type TestRow = { readonly id: number } & Readonly<Record<string, ColumnValue>>;

/** A row of `spans` with everything that it must have. */
export function spanRow(row: TestRow): Record<string, ColumnValue> {
  return {
    project_id: 1,
    trace_row_id: 1,
    span_id: `span ${row.id}`,
    parent_span_id: null,
    name: 'work',
    kind: 0,
    status: 0,
    start_us: 1_767_225_600_000_000 + row.id,
    end_us: null,
    session_id: null,
    user_id: null,
    model_name: null,
    provider: null,
    prompt_tokens: null,
    completion_tokens: null,
    cache_read_tokens: null,
    cache_write_tokens: null,
    reasoning_tokens: null,
    counted_prompt_tokens: 0,
    counted_completion_tokens: 0,
    cost_usd: null,
    counted_cost_nanousd: 0,
    otel_resource_id: 1,
    instrumentation_scope_id: 1,
    attributes: '{}',
    omitted_attributes: null,
    attributes_cut: 0,
    ...row,
  };
}

/** An open database. */
export interface ColumnStore extends Pick<TestEngine, 'rows' | 'exec' | 'close'> {
  readonly scope: SegmentWriteScope;
  insert(rows: readonly TestRow[]): Promise<void>;
  /** Says which row id comes next: all before it are given out. */
  setNextRowId(rowId: number): Promise<void>;
  /** Builds what is due; `meanwhile` runs when a segment was read, and before it is stored. */
  build(segments?: readonly number[], meanwhile?: (plan: SegmentPlan) => Promise<void>): Promise<void>;
  /** What batches say of the rows of a scope, by row id in their order, and how many rows each batch has. */
  read(
    which: BatchScope,
    options?: Partial<BatchOptions>,
  ): Promise<{ readonly rows: ReadRows; readonly rowCounts: readonly number[] }>;
}

/** Values by column, by row id. */
export type ReadRows = ReadonlyMap<number, Readonly<Record<string, unknown>>>;

/** Opens it. */
export async function openColumnStore(): Promise<ColumnStore> {
  const scope = await openTestEngine();
  const { db, rows: select, exec } = scope;
  return {
    rows: select,
    exec,
    close: () => scope.close(),
    scope,
    insert: (rows) => scope.bulkInsert('spans', rows.map(spanRow)),
    setNextRowId: (rowId) => exec(sql`UPDATE row_ids SET next_id = ${rowId} WHERE table_name = 'spans'`),
    async build(segments, meanwhile) {
      await openSegments(scope);
      for (const segment of segments ?? (await findDueSegments(db)).due) {
        const plan = await buildSegment(db, segment);
        if (plan === undefined) continue;
        await meanwhile?.(plan);
        await storeSegment(scope, plan);
      }
    },
    async read(which, options = {}) {
      const columns = options.columns ?? [...NUMBER_COLUMNS, ...TEXT_COLUMNS];
      const attributes = options.attributes ?? [];
      const rows = new Map<number, Readonly<Record<string, unknown>>>();
      const rowCounts: number[] = [];
      for await (const { batch } of readBatches(scope, which, {
        order: 'arrival asc',
        ...options,
        columns,
        attributes,
      })) {
        rowCounts.push(batch.rowCount);
        for (const [rowId, values] of readRows(batch, columns, attributes)) {
          if (rows.has(rowId)) throw new Error(`row ${rowId} is in two batches`);
          rows.set(rowId, values);
        }
      }
      return { rows, rowCounts };
    },
  };
}

function* readRows(
  batch: SpanBatch,
  columns: readonly (NumberColumn | TextColumn)[],
  attributes: readonly string[],
): Generator<readonly [number, Readonly<Record<string, unknown>>]> {
  const numbers = columns
    .filter((column) => isNumber(column))
    .map((column) => [column, batch.numbers(column)] as const);
  const texts = columns.filter((column) => !isNumber(column)).map((column) => [column, batch.texts(column)] as const);
  const held = attributes.map((path) => [path, batch.attribute(path)] as const);
  for (const [place, rowId] of batch.rowIds.entries()) {
    const values: Record<string, unknown> = {};
    for (const [column, vector] of numbers) values[column] = vector[place];
    for (const [column, { codes, values: distinct }] of texts) values[column] = distinct[codes[place] as number];
    for (const [path, { codes, values: distinct, uncertain, leftOut }] of held) {
      values[`@${path}`] = {
        value: distinct[codes[place] as number],
        isUncertain: uncertain.includes(place),
        isLeftOut: leftOut.includes(place),
      };
    }
    yield [rowId, values];
  }
}

function isNumber(column: NumberColumn | TextColumn): column is NumberColumn {
  return NUMBER_COLUMNS.some((name) => name === column);
}
