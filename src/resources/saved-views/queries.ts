/** Reads saved views, as far as the caller may see them. */
import type { Caller } from '#domain/caller';
import { ownerOfViews, type SavedView } from '#domain/saved-view';
import type { ReadHandle } from '../slice.ts';

/** A view as one caller sees it. */
export interface SeenView extends SavedView {
  /** The name of the owner's account. */
  readonly ownerName: string | null;
  /** Whether the caller's own table opens with it. */
  readonly isOwnDefault: boolean;
}

/** What a view is read from. */
export const VIEW_COLUMNS = [
  'saved_views.id as rowId',
  'saved_views.project_id as projectRowId',
  'saved_views.table_name as table',
  'saved_views.name',
  'saved_views.owner_id as ownerRowId',
  'saved_views.seen_by_id',
  'saved_views.is_default',
  'saved_views.created_at_us as createdAtUs',
  'saved_views.updated_at_us as updatedAtUs',
] as const;

/** The views of a project's tables, oldest first. Index: saved_views_by_name. */
export async function listViews(
  handle: ReadHandle,
  caller: Caller,
  projectRowId: number,
): Promise<readonly SeenView[]> {
  const rows = await selectSeen(handle, caller)
    .where('saved_views.project_id', '=', projectRowId)
    .orderBy('saved_views.id')
    .execute();
  return rows.map(toSeenView);
}

/** By row id. Index: primary key. */
export async function findViews(
  handle: ReadHandle,
  caller: Caller,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, SeenView>> {
  const rows = await selectSeen(handle, caller)
    .where('saved_views.id', 'in', handle.dialect.numbersOf(rowIds))
    .execute();
  return new Map(rows.map((row) => [row.rowId, toSeenView(row)]));
}

/** What views keep, by row id: of those that the caller was given. Index: primary key. */
export async function findViewContents(
  { db, dialect }: ReadHandle,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('saved_views')
    .select(['id', 'content'])
    .where('id', 'in', dialect.numbersOf(rowIds))
    .execute();
  return new Map(rows.map(({ id, content }) => [id, content]));
}

function selectSeen({ db }: ReadHandle, caller: Caller) {
  const userRowId = ownerOfViews(caller) ?? NO_USER;
  return db
    .selectFrom('saved_views')
    .leftJoin('users as owner', 'owner.id', 'saved_views.owner_id')
    .leftJoin('own_default_views as own', (join) =>
      join.onRef('own.view_id', '=', 'saved_views.id').on('own.user_id', '=', userRowId),
    )
    .select([...VIEW_COLUMNS, 'owner.username as ownerName', 'own.view_id as ownDefaultRowId'])
    .where((eb) => eb.or([eb('seen_by_id', 'is', null), eb('seen_by_id', '=', userRowId)]));
}

/** No account has this row id. */
const NO_USER = 0;

type ViewRow = Omit<SavedView, 'isShared' | 'isSharedDefault'> & {
  readonly seen_by_id: number | null;
  readonly is_default: number;
};

/** The view of such a row. */
export function toSavedView({ seen_by_id, is_default, ...row }: ViewRow): SavedView {
  return { ...row, isShared: seen_by_id === null, isSharedDefault: is_default === 1 };
}

function toSeenView({
  ownerName,
  ownDefaultRowId,
  ...row
}: ViewRow & { readonly ownerName: string | null; readonly ownDefaultRowId: number | null }): SeenView {
  return { ...toSavedView(row), ownerName, isOwnDefault: ownDefaultRowId !== null };
}
