/** Connections as Relay knows them. @see https://relay.dev/graphql/connections.htm */
import { AppError } from '#base/errors';

/** A row of a list with the place where the list goes on after it. */
export interface Edge<Row> {
  readonly node: Row;
  readonly cursor: string;
}

/** Where a page lies in its list. */
export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** A page of a list. */
export interface Connection<Row> {
  readonly edges: readonly Edge<Row>[];
  readonly pageInfo: PageInfo;
}

/** Arguments of a list as they arrive. */
export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly before?: string | null | undefined;
}

/** Rows of one page at most. */
export const MAX_PAGE_ROWS = 1000;

/**
 * Which part of a list is asked for that can be read forward alone.
 * @throws AppError `invalid_argument` for `last` and `before`, and for a `first` out of its bounds
 */
export function forwardPage({ first, last, after, before }: PageArguments): {
  readonly limit: number;
  readonly cursor: string | null;
} {
  if (last != null || before != null) {
    throw new AppError(
      'invalid_argument',
      'This list can only be read forward: use first and after, not last and before.',
    );
  }
  return { limit: checkCount('first', first), cursor: after ?? null };
}

/** A page that begins after the cursor, `null` for the list's beginning. */
export function toConnection<Row>(
  edges: readonly Edge<Row>[],
  { after, hasNextPage }: { readonly after: string | null | undefined; readonly hasNextPage: boolean },
): Connection<Row> {
  return {
    edges,
    pageInfo: {
      hasNextPage,
      hasPreviousPage: after != null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** Part of a list that is counted. */
export interface OffsetWindow {
  readonly offset: number;
  readonly limit: number;
}

/**
 * Which part of a list of `total` rows is asked for.
 * @throws AppError `invalid_argument` for counts out of their bounds and cursors of another list
 */
export function offsetWindow({ first, last, after, before }: PageArguments, total: number): OffsetWindow {
  let start = after == null ? 0 : parseOffset(after) + 1;
  let end = before == null ? total : Math.min(parseOffset(before), total);
  if (first != null) end = Math.min(end, start + checkCount('first', first));
  if (last != null) start = Math.max(start, end - checkCount('last', last));
  return { offset: start, limit: Math.min(Math.max(end - start, 0), MAX_PAGE_ROWS) };
}

/** The rows of that window, with their cursors. */
export function toOffsetConnection<Row>(
  rows: readonly Row[],
  { offset }: OffsetWindow,
  total: number,
): Connection<Row> {
  const edges = rows.map((node, index) => ({ node, cursor: formatOffset(offset + index) }));
  const { pageInfo } = toConnection(edges, { after: null, hasNextPage: offset + rows.length < total });
  return { edges, pageInfo: { ...pageInfo, hasPreviousPage: offset > 0 } };
}

function checkCount(name: 'first' | 'last', count: number | null | undefined): number {
  if (count != null && count > 0 && count <= MAX_PAGE_ROWS) return count;
  throw new AppError('invalid_argument', `${name} must be between 1 and ${MAX_PAGE_ROWS}.`);
}

function formatOffset(offset: number): string {
  return Buffer.from(`connection:${offset}`).toString('base64');
}

function parseOffset(cursor: string): number {
  const decoded = cursor.length > MAX_CURSOR_LENGTH ? '' : Buffer.from(cursor, 'base64').toString('latin1');
  const offset = /^connection:(\d{1,15})$/.exec(decoded)?.[1];
  if (offset === undefined) throw new AppError('invalid_argument', 'Invalid cursor: use a cursor from this list.');
  return Number(offset);
}

const MAX_CURSOR_LENGTH = 64;
