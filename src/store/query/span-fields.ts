/** Where the fields of spans that filters name are found in batches. */
import { mayBeCut } from '#derive/bounded-text';
import { SPAN_KINDS, SPAN_STATUS_CODES } from '#domain/span';
import type { CodedColumn, NumberColumn, SpanBatch, TextColumn } from '../columns/batch.ts';
import type { Subtree } from '../spans/browse-port.ts';
import { COST_FIELDS } from './costs.ts';
import type { LookedUp } from './lookups.ts';
import { UNKNOWN, type Vector } from './vectors.ts';

/** A batch, with what other tables tell of its rows. */
export interface BatchView {
  readonly batch: SpanBatch;
  readonly lookedUp: LookedUp;
}

/** How a field is read. */
export interface SpanField {
  readonly columns: readonly (NumberColumn | TextColumn)[];
  /** What other tables have to tell. */
  readonly lookup?: keyof LookedUp;
  /** Whether the columns tell it of every row. */
  readonly isCertain: boolean;
  readonly read: (view: BatchView) => Vector;
}

/** The field of that name; one that no column tells is unknown. */
export function spanField(name: string): SpanField {
  return FIELDS.get(name) ?? { columns: [], isCertain: false, read: () => UNKNOWN };
}

const FIELDS: ReadonlyMap<string, SpanField> = new Map(
  Object.entries({
    ...COST_FIELDS,
    span_id: textField('span_id'),
    trace_id: traceIdField(),
    parent_id: textField('parent_span_id'),
    name: textField('name'),
    user_id: rowTextField('user_id'),
    session_id: rowTextField('session_id'),
    model_name: textField('model_name'),
    span_kind: wordField('kind', SPAN_KINDS),
    status_code: wordField('status', SPAN_STATUS_CODES),
    start_time: numberField('start_us'),
    end_time: numberField('end_us'),
    latency_ms: {
      columns: ['latency_us'],
      isCertain: true,
      read: ({ batch }) => numbers(scaled(batch.numbers('latency_us'), 1000)),
    },
    llm_token_count_prompt: numberField('prompt_tokens'),
    llm_token_count_completion: numberField('completion_tokens'),
    llm_token_count_total: numberField('total_tokens'),
    cumulative_llm_token_count_prompt: sumField((subtree) => subtree.promptTokenCount),
    cumulative_llm_token_count_completion: sumField((subtree) => subtree.completionTokenCount),
    cumulative_llm_token_count_total: sumField((subtree) => subtree.promptTokenCount + subtree.completionTokenCount),
  } satisfies Record<string, SpanField>),
);

/** A callback for each value would take several times as long. */
function scaled(values: Float64Array, divisor: number): Float64Array {
  const result = new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) result[row] = (values[row] ?? Number.NaN) / divisor;
  return result;
}

function numbers(values: Float64Array): Vector {
  return { kind: 'numbers', values, uncertain: null };
}

function numberField(column: NumberColumn): SpanField {
  return { columns: [column], isCertain: true, read: ({ batch }) => numbers(batch.numbers(column)) };
}

function textField(column: TextColumn): SpanField {
  return { columns: [column], isCertain: false, read: ({ batch }) => textVector(batch.texts(column)) };
}

/** A text that is what the row holds of it: one that is cut ends in a digest, so that it is of one long text alone. */
function rowTextField(column: TextColumn): SpanField {
  return {
    columns: [column],
    isCertain: true,
    read: ({ batch }) => ({ kind: 'coded', ...batch.texts(column), uncertain: null }),
  };
}

/** Rows hold long texts cut; what such a row says is uncertain. */
function textVector({ codes, values }: CodedColumn<string>): Vector {
  const cut = values.map((text) => text !== undefined && mayBeCut(text));
  const uncertain = cut.includes(true) ? Uint8Array.from(codes, (code) => (cut[code] === true ? 1 : 0)) : null;
  return { kind: 'coded', codes, values, uncertain };
}

function wordField(column: 'kind' | 'status', words: readonly string[]): SpanField {
  const values = [undefined, ...words];
  return {
    columns: [column],
    isCertain: true,
    read: ({ batch }) => {
      const places = batch.numbers(column);
      const codes = new Uint16Array(places.length);
      for (let row = 0; row < places.length; row++) codes[row] = (places[row] as number) + 1;
      return { kind: 'coded', codes, values, uncertain: null };
    },
  };
}

function traceIdField(): SpanField {
  return {
    columns: ['trace_row_id'],
    lookup: 'traceIds',
    isCertain: false,
    read: ({ batch, lookedUp: { traceIds } }) => {
      if (traceIds === undefined) return UNKNOWN;
      const values = Array.from(batch.numbers('trace_row_id'), (rowId) => traceIds.get(rowId));
      return { kind: 'scalars', values, uncertain: missingOf(values) };
    },
  };
}

function sumField(sumOf: (subtree: Subtree) => number): SpanField {
  return {
    columns: ['trace_row_id'],
    lookup: 'subtrees',
    isCertain: false,
    read: ({ batch, lookedUp: { subtrees } }) => {
      if (subtrees === undefined) return UNKNOWN;
      const values = Array.from(batch.rowIds, (rowId) => {
        const subtree = subtrees.get(rowId);
        return subtree && sumOf(subtree);
      });
      return { kind: 'scalars', values, uncertain: missingOf(values) };
    },
  };
}

/** Only rows that needed it were looked up. */
function missingOf(values: readonly unknown[]): Uint8Array {
  return Uint8Array.from(values, (value) => (value === undefined ? 1 : 0));
}
