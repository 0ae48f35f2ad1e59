/**
 * Where the next page begins. Texts are opaque to clients, so a page can only be continued in the order it was asked in:
 * `Span:12` by row, `0000000000000012:DATETIME:<microseconds>` and `0000000000000012:FLOAT:<milliseconds>` by a value that ends in the row.
 */
import { AppError } from '#base/errors';

/** The position of a row in an order: its sort value, where it is not the row id itself, and its row id. */
export interface Position {
  readonly value: number | null;
  readonly rowId: number;
}

/** The orders a list can be continued in; the type name of ids, or of a sort value. */
export type CursorKind =
  | 'Span'
  | 'ProjectSession'
  | 'Project'
  | 'UserApiKey'
  | 'SpanAnnotation'
  | 'TraceAnnotation'
  | 'ProjectSessionAnnotation'
  | 'AnnotationQueue'
  | 'AnnotationQueueItem'
  | 'DATETIME'
  | 'FLOAT';

/** The cursor of a position. */
export function formatCursor(kind: CursorKind, { value, rowId }: Position): string {
  const text = value === null ? `${kind}:${rowId}` : `${String(rowId).padStart(ROW_ID_DIGITS, '0')}:${kind}:${value}`;
  return Buffer.from(text).toString('base64');
}

/** The position of a cursor. @throws AppError `invalid_argument` when it is not one of this order */
export function parseCursor(kind: CursorKind, text: string | null): Position | null {
  if (text === null) return null;
  const decoded = text.length <= MAX_LENGTH ? Buffer.from(text, 'base64').toString('latin1') : '';
  const byRow = kind === 'DATETIME' || kind === 'FLOAT' ? null : /^([A-Za-z]+):(\d{1,16})$/.exec(decoded);
  // No more digits than a number of eight bytes has, in microseconds.
  const byValue = /^(\d{1,16}):(?:(DATETIME):(-?\d{1,16})|(FLOAT):(-?\d{1,15}(?:\.\d{1,10})?))$/.exec(decoded);
  if (byRow?.[1] === kind) return { value: null, rowId: Number(byRow[2]) };
  if (byValue !== null && (byValue[2] ?? byValue[4]) === kind)
    return { value: Number(byValue[3] ?? byValue[5]), rowId: Number(byValue[1]) };
  throw new AppError(
    'invalid_argument',
    'Invalid cursor: use the next_cursor of the previous page, with the same sort.',
  );
}

const MAX_LENGTH = 128;

/** Of the same length in all cursors, which makes their form one that the OpenAPI document can describe. */
const ROW_ID_DIGITS = 16;
