/**
 * Data frames as Arrow IPC streams.
 * @see https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format
 */
import { type Column, columnFromArray, tableFromColumns, tableToIPC, TimeUnit, timestamp } from '@uwdata/flechette';
import { type JsonObject, type JsonValue, parseJson } from '#base/json';
import type { WholeFrame } from '#store/spans/frame';
import { type ColumnType, columnType } from './column-type.ts';
import { memberName } from './frame-writer.ts';
import { FLOAT, INTEGER, inferType, type InferredType, TEXT, toArrowType, toArrowValue } from './inferred-type.ts';

/** The stream, with what pandas needs to know to make the index and the types again. */
export function encodeArrow({ columns, pages, rowCount }: WholeFrame): Uint8Array<ArrayBuffer> {
  const rows = pages.flatMap(parseRows);
  const labels = new Set(columns.filter(({ isIndex }) => !isIndex).map(({ label }) => label));
  const parts = columns.map((column, place): Part => {
    const { label, isIndex } = column;
    const member = memberName(place, label);
    const values = rows.map((row) => row[member] ?? null);
    const name = isIndex && labels.has(label) ? `__index_level_${place}__` : label;
    return { label, name, isIndex, ...toPart(columnType(column, rowCount), values) };
  });
  const ordered = [...parts.filter(({ isIndex }) => !isIndex), ...parts.filter(({ isIndex }) => isIndex)];
  const table = tableFromColumns(ordered.map(({ name, column }) => [name, column]));
  for (const [place, { isTime }] of ordered.entries()) {
    const field = table.schema.fields[place];
    // Made of nanoseconds as they are: the encoder would take milliseconds, which cannot carry them.
    if (isTime && field !== undefined) field.type = timestamp(TimeUnit.NANOSECOND, 'UTC');
  }
  table.schema.metadata = new Map([['pandas', JSON.stringify(pandasMetadata(ordered))]]);
  const bytes = tableToIPC(table, { format: 'stream' });
  if (bytes === null) throw new Error('the stream was written elsewhere');
  return new Uint8Array(bytes);
}

interface Part {
  readonly label: string;
  /** Of the field; an index that is a column too has one of its own. */
  readonly name: string;
  readonly isIndex: boolean;
  readonly isTime: boolean;
  readonly column: Column<unknown>;
  readonly pandasType: readonly [pandas: string, numpy: string];
}

function parseRows(page: Uint8Array): readonly JsonObject[] {
  const text = Buffer.from(page.buffer, page.byteOffset, page.byteLength).toString('utf8');
  return parseJson(`[${text}]`) as JsonObject[];
}

function toPart(type: ColumnType, values: readonly JsonValue[]): Pick<Part, 'isTime' | 'column' | 'pandasType'> {
  if (type === 'time') {
    const nanoseconds = values.map((value) => (typeof value === 'string' ? toNanoseconds(value) : null));
    return { isTime: true, column: toColumn(INTEGER, nanoseconds), pandasType: ['datetimetz', 'datetime64[ns]'] };
  }
  const inferred = inferColumn(type, values);
  return {
    isTime: false,
    column: toColumn(
      inferred,
      values.map((value) => toArrowValue(inferred, value)),
    ),
    pandasType: PANDAS_TYPES[inferred.kind === 'json' ? 'object' : type],
  };
}

/** Integers of which some are missing are doubles to pandas, except where a double would round them. */
function inferColumn(type: ColumnType, values: readonly JsonValue[]): InferredType {
  if (type === 'text') return TEXT;
  if (type === 'boolean') return { kind: 'boolean' };
  const inferred = inferType(values);
  return type === 'float' && inferred.kind === 'integer' ? FLOAT : inferred;
}

const PANDAS_TYPES = {
  text: ['unicode', 'object'],
  integer: ['int64', 'int64'],
  float: ['float64', 'float64'],
  boolean: ['bool', 'bool'],
  object: ['object', 'object'],
} as const;

function toColumn(type: InferredType, values: unknown[]): Column<unknown> {
  return columnFromArray(values, toArrowType(type), { maxBatchRows: Number.POSITIVE_INFINITY });
}

function toNanoseconds(iso: string): bigint {
  const milliseconds = Date.parse(`${iso.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`);
  return BigInt(milliseconds) * 1_000_000n + BigInt(iso.slice(-'123456789Z'.length, -1));
}

function pandasMetadata(parts: readonly Part[]): object {
  return {
    index_columns: parts.filter(({ isIndex }) => isIndex).map(({ name }) => name),
    column_indexes: [
      { name: null, field_name: null, pandas_type: 'unicode', numpy_type: 'object', metadata: { encoding: 'UTF-8' } },
    ],
    columns: parts.map(({ label, name, isTime, pandasType: [pandas, numpy] }) => ({
      name: label,
      field_name: name,
      pandas_type: pandas,
      numpy_type: numpy,
      metadata: isTime ? { timezone: 'UTC' } : null,
    })),
  };
}
