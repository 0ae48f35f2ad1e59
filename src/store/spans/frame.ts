/**
 * Tables of spans for programs that work with data frames: columns as a query names them, made page by page. Where columns
 * are not named beforehand, each has its place from the first row that has it.
 */
import type { LostSpan } from '../engine/damage.ts';

/** What of a span a query can name, beside its attributes. */
export const FRAME_FIELDS = [
  'name',
  'span_kind',
  'parent_id',
  'start_time',
  'end_time',
  'status_code',
  'status_message',
  'events',
  'context.span_id',
  'context.trace_id',
  'latency_ms',
  'cumulative_token_count.prompt',
  'cumulative_token_count.completion',
  'cumulative_token_count.total',
  'attributes',
] as const;

/** One of {@link FRAME_FIELDS}. */
export type FrameField = (typeof FRAME_FIELDS)[number];

/** Where the values of a column come from: a field, or an attribute by its dotted path. */
export type FrameSource =
  | { readonly kind: 'field'; readonly field: FrameField }
  | { readonly kind: 'attribute'; readonly path: string };

/** A column with its label. */
export interface FrameSelection {
  readonly label: string;
  readonly source: FrameSource;
}

/** A label and the dotted path of its value in an element of a list. */
export interface FrameMember {
  readonly label: string;
  readonly path: string;
}

/** Which columns a frame has. */
export interface FrameQuery {
  /** `null` for everything that is known of a span. */
  readonly select: readonly FrameSelection[] | null;
  /** A row for each element that is an object; without members, a column for each of its own. Spans without such a list have none. */
  readonly explode: {
    readonly source: FrameSource;
    readonly members: readonly FrameMember[];
    /** The label of the second level of the index, which counts from 0. */
    readonly position: string;
  } | null;
  /** Texts of all elements in one; without members, of the elements themselves. Spans without such a list are left out. */
  readonly concat: {
    readonly source: FrameSource;
    readonly label: string;
    readonly members: readonly FrameMember[];
    readonly separator: string;
  } | null;
  /** The first level of the index. */
  readonly index: FrameSelection;
  /** Labels of columns by what they were. */
  readonly rename: ReadonlyMap<string, string>;
}

/** Types of values of a column, to be combined. */
export const CELL_TYPES = { text: 1, integer: 2, float: 4, boolean: 8, time: 16, nested: 32 } as const;

/** A column as far as it is known. */
export interface FrameColumn {
  readonly label: string;
  readonly isIndex: boolean;
  /** Of {@link CELL_TYPES}, those that were met. */
  readonly types: number;
  /** Values that are there. */
  readonly valueCount: number;
}

/** Rows of a frame. */
export interface FramePage {
  /** JSON objects, with commas between them; each member has the place of its column before its label: `1_name`. */
  readonly rows: Uint8Array<ArrayBuffer>;
  readonly rowCount: number;
  /** Spans that were looked at, of which each can have any number of rows. */
  readonly spanCount: number;
  /** All columns up to here. */
  readonly columns: readonly FrameColumn[];
  readonly nextCursor: string | null;
}

/** The same of stored spans. */
export interface SpanFramePage extends FramePage {
  /** Spans that are left out because their originals are damaged. */
  readonly damaged: readonly LostSpan[];
}

/** A frame whose rows are all there. */
export interface WholeFrame {
  readonly columns: readonly FrameColumn[];
  readonly pages: readonly Uint8Array[];
  readonly rowCount: number;
  /** Spans that are left out because their originals are damaged. */
  readonly damaged: readonly LostSpan[];
}
