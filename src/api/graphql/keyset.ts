/** Connections on lists that go on after a row: the texts of their cursors, and pages. */
import { AppError } from '#base/errors';
import type { KeysetPage, KeysetRequest, Position } from '#domain/page';
import { type Connection, forwardPage, type PageArguments, toConnection } from './connection.ts';

/** What the values of an order are. */
export type ValueType = 'INT' | 'FLOAT' | 'DATETIME';

/** The cursor of a position: base64 of `<rowid>`, `<rowid>:<type>:<value>` or, without a value in such an order, `<rowid>:NULL:`. */
export function formatPosition(type: ValueType | null, { value, rowId }: Position): string {
  const text = type === null ? `${rowId}` : value === null ? `${rowId}:NULL:` : `${rowId}:${type}:${value}`;
  return Buffer.from(text, 'latin1').toString('base64');
}

/**
 * The position that a cursor names in an order of that type, `null` for no cursor.
 * @throws AppError `invalid_argument` where it is a cursor of another order, or none
 */
export function parsePosition(type: ValueType | null, cursor: string | null): Position | null {
  if (cursor === null) return null;
  // Columns hold integers of 64 bits, and sums doubles, which are written with an exponent from 22 digits on.
  const text = cursor.length <= MAX_LENGTH ? Buffer.from(cursor, 'base64').toString('latin1') : '';
  const [, rowId, given = null, value] = /^(\d{1,16})(?::(INT|FLOAT|DATETIME|NULL):(-?\d{0,21}))?$/.exec(text) ?? [];
  if (
    rowId === undefined ||
    (given !== type && (given !== 'NULL' || type === null)) ||
    (given === type && value === '')
  ) {
    throw new AppError(
      'invalid_argument',
      'Invalid cursor: use the endCursor of the previous page, with the same sort.',
    );
  }
  return { rowId: Number(rowId), value: given === null || given === 'NULL' ? null : Number(value) };
}

const MAX_LENGTH = 64;

/**
 * The orders of a list: what their values are (`null` for the order of arrival), and where a row stands in them, unless the
 * page says it.
 */
export type Orders<Sort extends string, Row> = Readonly<
  Record<Sort, { readonly type: ValueType | null; readonly valueOf: (row: Row) => number | null }>
>;

/** A sort as it arrives, its column already the store's. */
export interface SortArgument<Sort extends string> {
  readonly col: Sort;
  readonly dir: 'asc' | 'desc';
}

/**
 * One page of a list that is read forward.
 * @throws AppError `invalid_argument` for arguments that the list does not take
 */
export async function browse<Sort extends string, Row extends { readonly rowId: number }>(
  orders: Orders<Sort, Row>,
  { col, dir }: SortArgument<Sort>,
  args: PageArguments,
  read: (page: KeysetRequest<Sort>) => Promise<KeysetPage<Row>>,
): Promise<Connection<Row>> {
  const { limit, cursor } = forwardPage(args);
  const { type, valueOf } = orders[col];
  const { rows, next, values } = await read({ sort: col, order: dir, limit, after: parsePosition(type, cursor) });
  const edges = rows.map((node) => ({
    node,
    cursor: formatPosition(type, { value: values?.get(node.rowId) ?? valueOf(node), rowId: node.rowId }),
  }));
  const connection = toConnection(edges, { after: cursor, hasNextPage: next !== null });
  if (next === null) return connection;
  // A page that looked for long enough goes on further than its last row.
  return { edges, pageInfo: { ...connection.pageInfo, endCursor: formatPosition(type, next) } };
}
