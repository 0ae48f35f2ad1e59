/**
 * Spans of a stretch of row ids, column by column: what filters, counts, facets, charts and orders without an index read.
 * A row that changed since its stretch was sealed is read anew, so that a batch is never older than the last commit.
 */
import type { AttributeScalar } from '#derive/narrow-attributes';
import type { RowIdRange } from '../sets/range-list.ts';

/** Columns of numbers; a missing value is NaN. Times and latency in microseconds, cost in USD, parents as {@link PARENT_STATES}. */
export const NUMBER_COLUMNS = [
  'trace_row_id',
  'project_id',
  'kind',
  'status',
  'parent_state',
  'start_us',
  'end_us',
  'latency_us',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'counted_prompt_tokens',
  'counted_completion_tokens',
  'prompt_audio_tokens',
  'completion_audio_tokens',
  'cost_usd',
  'claimed_cost_nanousd',
  'claimed_prompt_cost_nanousd',
  'claimed_completion_cost_nanousd',
  'counted_cost_nanousd',
  'counted_prompt_cost_nanousd',
  'counted_completion_cost_nanousd',
  'input_cost_nanousd',
  'cache_read_cost_nanousd',
  'cache_write_cost_nanousd',
  'prompt_audio_cost_nanousd',
  'output_cost_nanousd',
  'reasoning_cost_nanousd',
  'completion_audio_cost_nanousd',
] as const;

/** One of {@link NUMBER_COLUMNS}. */
export type NumberColumn = (typeof NUMBER_COLUMNS)[number];

/** Values of `parent_state`: whether a span has a parent, and whether that is stored in the same trace. */
export const PARENT_STATES = { none: 0, stored: 1, missing: 2 } as const;

/** Columns of texts. */
export const TEXT_COLUMNS = [
  'span_id',
  'parent_span_id',
  'name',
  'session_id',
  'user_id',
  'model_name',
  'provider',
] as const;

/** One of {@link TEXT_COLUMNS}. */
export type TextColumn = (typeof TEXT_COLUMNS)[number];

/** The values of a column as places in the list of the distinct ones. */
export interface CodedColumn<Value> {
  /** By row, the place in {@link values}; 0 is missing. */
  readonly codes: Uint16Array;
  /** Distinct values; the first stands for a missing one, and some may be of no row. */
  readonly values: readonly (Value | undefined)[];
}

/** One attribute of all rows. */
export interface AttributeColumn extends CodedColumn<AttributeScalar> {
  /** Rows whose original must be read to know the value, ascending places in the batch: too long, in a list, or cut. */
  readonly uncertain: Uint16Array;
  /** Those of them that have a value under the very path: a long text, a list without objects, an empty object, or JSON null. */
  readonly leftOut: Uint16Array;
}

/** At most {@link MAX_BATCH_ROWS} spans, ascending by row id. Only columns that were asked for can be had. */
export interface SpanBatch {
  readonly rowCount: number;
  readonly rowIds: Float64Array;
  numbers(column: NumberColumn): Float64Array;
  texts(column: TextColumn): CodedColumn<string>;
  attribute(path: string): AttributeColumn;
}

/** Rows of a batch at most. */
export const MAX_BATCH_ROWS = 4096;

/** Which spans. */
export interface BatchScope {
  readonly projectRowId: number;
  /** Inclusive, of the span's start, microseconds since the Unix epoch. */
  readonly startTimeUs?: number | undefined;
  /** Exclusive. */
  readonly endTimeUs?: number | undefined;
  /** Inclusive. */
  readonly firstRowId?: number | undefined;
  /** Exclusive. */
  readonly endRowId?: number | undefined;
}

/** In which order batches come: by the latest or earliest start in them, or by their row ids. Rows inside ascend by row id. */
export type BatchOrder = 'start desc' | 'start asc' | 'arrival desc' | 'arrival asc';

/** What is read of the spans. */
export interface BatchOptions {
  readonly columns: readonly (NumberColumn | TextColumn)[];
  /** Dotted paths. */
  readonly attributes: readonly string[];
  readonly order: BatchOrder;
  /** Segments that hold nothing by it are passed over; what comes in their place may be an empty batch. */
  readonly screen?: SegmentScreen | null | undefined;
  /** Rows that are not wanted by it may be left out. */
  readonly rows?: RowScreen | null | undefined;
  /** Whether another batch waits for what is found in these. */
  readonly isInner?: boolean | undefined;
}

/** Which rows may be wanted, as something beside the columns tells it of row ids. */
export interface RowScreen {
  /** All of a range that may be wanted, where those are so many at most; else `null`. */
  list(range: RowIdRange, limit: number): Promise<readonly number[] | null>;
  /** Whether any of the range may be wanted. */
  mayHold(range: RowIdRange): Promise<boolean>;
  /** The same where it is known without asking; else `undefined`. */
  knows(range: RowIdRange): boolean | undefined;
}

/** Which segments may hold what is looked for. */
export interface SegmentScreen {
  /** Another one for each that says something else of the same batch. */
  readonly key: string;
  readonly columns: readonly (NumberColumn | TextColumn)[];
  /** Dotted paths. */
  readonly attributes: readonly string[];
  /** Whether any row of the batch may be wanted; must follow from those columns alone, of which row ids are none. */
  readonly mayHold: (batch: SpanBatch) => boolean;
}

/** A batch, and what is known of those that come after it. */
export interface OrderedBatch {
  readonly batch: SpanBatch;
  /** Spans that were looked at for it, those included that were passed over. */
  readonly lookedCount: number;
  /** `null` after the last batch. */
  readonly rest: RestOfBatches | null;
}

/** Bounds of all spans that are still to come; whoever needs none of them stops. */
export interface RestOfBatches {
  /** Spans at most. */
  readonly rowCount: number;
  /** Inclusive, as the others; infinite where it is not known. */
  readonly minStartUs: number;
  readonly maxStartUs: number;
  readonly minRowId: number;
  readonly maxRowId: number;
}
