/**
 * Data frames as JSON tables.
 * @see https://pandas.pydata.org/docs/user_guide/io.html#table-schema
 */
import type { FrameColumn, WholeFrame } from '#store/spans/frame';
import { type ColumnType, columnType } from './column-type.ts';
import { memberName } from './frame-writer.ts';

/** The pieces of a table's JSON text, in order. */
export function tableJson({ columns, pages, rowCount }: WholeFrame): readonly Uint8Array[] {
  const schema = {
    fields: columns.map((column, place) => toField(column, place, rowCount)),
    primaryKey: columns.flatMap(({ label, isIndex }, place) => (isIndex ? [memberName(place, label)] : [])),
    pandas_version: '1.4.0',
  };
  const rows = pages.filter((page) => page.length > 0).flatMap((page, place) => (place === 0 ? [page] : [COMMA, page]));
  return [Buffer.from(`{"schema":${JSON.stringify(schema)},"data":[`), ...rows, Buffer.from(']}')];
}

function toField(column: FrameColumn, place: number, rowCount: number) {
  const type = columnType(column, rowCount);
  // As pandas reads it before version 3, a text that is missing would become `None`.
  const isText = type === 'text' && column.valueCount === rowCount;
  return { name: memberName(place, column.label), ...FIELD_TYPES[type], ...(isText && { extDtype: 'str' }) };
}

const FIELD_TYPES: Readonly<Record<ColumnType, object>> = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  time: { type: 'datetime', tz: 'UTC' },
  object: { type: 'string' },
};

const COMMA = Buffer.from(',');
