/** Lists in the order of annotations: the arguments of such an order, and the texts of its cursors. */
import { AppError } from '#base/errors';
import type {
  AnnotationPage,
  AnnotationPageRequest,
  AnnotationPosition,
  AnnotationSort,
} from '#domain/annotation-page';
import type { Builder } from './builder.ts';
import { type Connection, forwardPage, type PageArguments, toConnection } from './connection.ts';

/** The names of an input by which clients order a list by annotations, and of what it can be ordered by. */
interface InputNames {
  readonly key: string;
  readonly attribute: string;
}

/** Adds the input for one kind of list. */
export function addAnnotationKey(builder: Builder, { key, attribute }: InputNames) {
  return builder.inputRef<{ readonly name: string; readonly attr: AnnotationSort['by'] }>(key).implement({
    description: 'An order by annotations of one name: by the mean of their scores, or by their first label.',
    fields: (t) => ({
      name: t.string({ required: true }),
      attr: t.field({ type: builder.enumType(attribute, { values: ['score', 'label'] as const }), required: true }),
    }),
  });
}

/** A sort as it arrives: by a column, or by annotations. */
interface EitherSort<Column> {
  readonly col?: Column | null | undefined;
  readonly key?: { readonly name: string; readonly attr: AnnotationSort['by'] } | null | undefined;
  readonly dir: 'asc' | 'desc';
}

/** An order by annotations, and its direction. */
export interface AnnotatedSort {
  readonly annotations: AnnotationSort;
  readonly dir: 'asc' | 'desc';
}

/**
 * The order that is asked for.
 * @throws AppError `invalid_argument` unless it is exactly one
 */
export function chooseSort<Column>({
  col,
  key,
  dir,
}: EitherSort<Column>): { readonly col: Column; readonly dir: 'asc' | 'desc' } | AnnotatedSort {
  if (col != null && key == null) return { col, dir };
  if (col == null && key != null) return { annotations: { name: key.name, by: key.attr }, dir };
  throw new AppError('invalid_argument', 'Sort by exactly one: a column, or the annotations of one name.');
}

/**
 * One page of a list in that order, which is read forward.
 * @throws AppError `invalid_argument` for arguments that the list does not take
 */
export async function browseAnnotated<Row>(
  { annotations, dir }: AnnotatedSort,
  args: PageArguments,
  read: (page: AnnotationPageRequest) => Promise<AnnotationPage<Row>>,
): Promise<Connection<Row>> {
  const { limit, cursor } = forwardPage(args);
  const after = cursor === null ? null : parseCursor(cursor, annotations.by);
  const { rows, next } = await read({ sort: annotations, order: dir, limit, after });
  const edges = rows.map(({ row, position }) => ({ node: row, cursor: formatCursor(position, annotations.by) }));
  const connection = toConnection(edges, { after: cursor, hasNextPage: next !== null });
  if (next === null) return connection;
  return { edges, pageInfo: { ...connection.pageInfo, endCursor: formatCursor(next, annotations.by) } };
}

/** Base64 of a JSON list: `score`, `label`, or `rest` for rows without a value, then the row id and the value. */
function formatCursor(position: AnnotationPosition, by: AnnotationSort['by']): string {
  const [kind, rowId, value] =
    position.kind === 'value'
      ? [by, position.rowId, position.value]
      : ['rest', position.after?.rowId ?? null, position.after?.value ?? null];
  return Buffer.from(JSON.stringify([kind, rowId, value])).toString('base64');
}

function parseCursor(cursor: string, by: AnnotationSort['by']): AnnotationPosition {
  const [kind, rowId, value] = parseParts(cursor);
  const isRowId = Number.isSafeInteger(rowId) && Number(rowId) >= 0;
  if (kind === by && isRowId && typeof value === (by === 'score' ? 'number' : 'string'))
    return { kind: 'value', rowId: Number(rowId), value: typeof value === 'string' ? value : Number(value) };
  if (kind === 'rest' && rowId === null && value === null) return { kind, after: null };
  if (kind === 'rest' && isRowId && (value === null || Number.isSafeInteger(value)))
    return { kind, after: { rowId: Number(rowId), value: value === null ? null : Number(value) } };
  throw new AppError('invalid_argument', 'Invalid cursor: use the endCursor of the previous page, with the same sort.');
}

function parseParts(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(cursor.length > MAX_LENGTH ? '' : Buffer.from(cursor, 'base64').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** A cursor holds a label. */
const MAX_LENGTH = 100_000;
