/** What a column of a data frame is, of all that was met in it. */
import { CELL_TYPES, type FrameColumn } from '#store/spans/frame';

/** `object` is anything: what is mixed, nested, or never there. */
export type ColumnType = 'text' | 'integer' | 'float' | 'boolean' | 'time' | 'object';

/** The type of a column of so many rows; integers and booleans have no way to say that one is missing. */
export function columnType({ types, valueCount }: FrameColumn, rowCount: number): ColumnType {
  const isWhole = valueCount === rowCount;
  switch (types) {
    case CELL_TYPES.text:
      return 'text';
    case CELL_TYPES.integer:
      return isWhole ? 'integer' : 'float';
    case CELL_TYPES.float:
    case CELL_TYPES.integer | CELL_TYPES.float:
      return 'float';
    case CELL_TYPES.boolean:
      return isWhole ? 'boolean' : 'object';
    case CELL_TYPES.time:
      return 'time';
    default:
      return 'object';
  }
}
