/** Changes of saved views, and of what tables open with. */
import { AppError } from '#base/errors';
import type { Caller } from '#domain/caller';
import {
  assertHasAccount,
  checkViewContent,
  checkViewName,
  MAX_SHARED_VIEWS,
  MAX_VIEWS_OF_OWNER,
  mayChangeView,
  ownerOfViews,
  type SavedView,
  type ViewTable,
} from '#domain/saved-view';
import type { AuditNote } from '#store/commands/audit';
import { defineCommands, type RecordScope, recordCommand } from '#store/commands/command';
import { keepAccount } from '#store/records/keep-account';
import { keepRows } from '#store/records/keep-rows';
import { savedViewPolicy } from './policy.ts';
import { toSavedView, VIEW_COLUMNS } from './queries.ts';

/** A table of a project. */
export interface TableOfProject {
  readonly projectRowId: number;
  readonly table: ViewTable;
}

/** A view to be saved. Without an account there are shared ones alone. */
export interface NewView extends TableOfProject {
  readonly name: string;
  /** JSON of `ViewContent`. */
  readonly content: string;
  readonly isShared: boolean;
}

/** What changes about a view. */
export interface ViewPatch {
  readonly rowId: number;
  readonly name?: string | undefined;
  readonly content?: string | undefined;
  readonly isShared?: boolean | undefined;
}

/** What a table opens with; `null` for no view. */
export interface DefaultChoice extends TableOfProject {
  readonly viewRowId: number | null;
}

/** The commands. */
export const savedViewCommands = defineCommands(savedViewPolicy, {
  /** @throws AppError `invalid_argument`, `not_found` for the project, `already_exists`, `failed_precondition` for too many views */
  create: recordCommand(async (scope, caller, { projectRowId, table, ...input }: NewView): Promise<SavedView> => {
    const name = checkViewName(input.name);
    const content = checkViewContent(input.content);
    const ownerRowId = ownerOfViews(caller);
    await keepProject(scope, projectRowId);
    await keepAccount(scope, ownerRowId);
    await lockViews(scope, projectRowId);
    const seenBy = input.isShared ? null : ownerRowId;
    await assertRoom(scope, projectRowId, { ownerRowId, isShared: seenBy === null });
    await assertNameIsFree(scope, { projectRowId, table, ownerRowId, name, rowId: null });
    const row = await scope.db
      .insertInto('saved_views')
      .values({
        project_id: projectRowId,
        table_name: table,
        name,
        owner_id: ownerRowId,
        seen_by_id: seenBy,
        content,
        created_at_us: scope.nowUs,
        updated_at_us: scope.nowUs,
      })
      .returning(VIEW_COLUMNS)
      .executeTakeFirstOrThrow();
    const view = toSavedView(row);
    scope.note(noteOf(view, ['name', 'content', ...(view.isShared ? ['shared'] : [])]));
    return view;
  }),

  /** @throws AppError `not_found`, `permission_denied`, `invalid_argument`, `already_exists`, `failed_precondition` */
  patch: recordCommand(async (scope, caller, { rowId, ...change }: ViewPatch): Promise<SavedView> => {
    const name = change.name === undefined ? undefined : checkViewName(change.name);
    const content = change.content === undefined ? undefined : checkViewContent(change.content);
    const view = await findToChange(scope, caller, rowId);
    if (name !== undefined) await assertNameIsFree(scope, { ...view, name });
    const isShared = change.isShared ?? view.isShared;
    if (!isShared && view.ownerRowId === null) throw new AppError('failed_precondition', NO_OWNER);
    if (isShared && !view.isShared) await assertRoom(scope, view.projectRowId, { ownerRowId: null, isShared });
    const row = await scope.db
      .updateTable('saved_views')
      .set({
        ...(name !== undefined && { name }),
        ...(content !== undefined && { content }),
        seen_by_id: isShared ? null : view.ownerRowId,
        ...(!isShared && { is_default: 0 }),
        updated_at_us: scope.nowUs,
      })
      .where('id', '=', rowId)
      .returning(VIEW_COLUMNS)
      .executeTakeFirstOrThrow();
    if (!isShared) await forgetDefaultsOfOthers(scope, view);
    const changed = toSavedView(row);
    scope.note(
      noteOf(changed, [
        ...(name === undefined ? [] : ['name']),
        ...(content === undefined ? [] : ['content']),
        ...(isShared === view.isShared ? [] : ['shared']),
      ]),
    );
    return changed;
  }),

  /** Tables that open with it open with no view. @throws AppError `not_found`, `permission_denied` */
  delete: recordCommand(async (scope, caller, rowId: number): Promise<SavedView> => {
    const view = await findToChange(scope, caller, rowId);
    await scope.db.deleteFrom('saved_views').where('id', '=', rowId).execute();
    scope.note(noteOf(view, ['deleted']));
    return view;
  }),

  /** Decides what a table of the caller opens with. @throws AppError `permission_denied` without an account, `not_found` */
  setOwnDefault: recordCommand(
    async (scope, caller, { projectRowId, table, viewRowId }: DefaultChoice): Promise<void> => {
      const userRowId = assertHasAccount(caller);
      await keepProject(scope, projectRowId);
      await keepAccount(scope, userRowId);
      await lockViews(scope, projectRowId);
      const view = viewRowId === null ? null : await findOfTable(scope, caller, { projectRowId, table, viewRowId });
      await scope.db
        .deleteFrom('own_default_views')
        .where('user_id', '=', userRowId)
        .where('project_id', '=', projectRowId)
        .where('table_name', '=', table)
        .execute();
      if (view !== null) {
        await scope.db
          .insertInto('own_default_views')
          .values({ user_id: userRowId, project_id: projectRowId, table_name: table, view_id: view.rowId })
          .execute();
      }
      scope.note({
        ...(view !== null && { object: { type: 'SavedView', id: view.rowId, name: view.name } }),
        projectRowId,
        changes: ['ownDefault'],
      });
    },
  ),

  /** Decides what a table opens with for everybody who has chosen nothing else. @throws AppError `not_found`, `failed_precondition` */
  setSharedDefault: recordCommand(
    async (scope, caller, { projectRowId, table, viewRowId }: DefaultChoice): Promise<void> => {
      await keepProject(scope, projectRowId);
      await lockViews(scope, projectRowId);
      const view = viewRowId === null ? null : await findOfTable(scope, caller, { projectRowId, table, viewRowId });
      if (view?.isShared === false) {
        throw new AppError('failed_precondition', 'This view is personal: share it first.');
      }
      await scope.db
        .updateTable('saved_views')
        .set({ is_default: 0 })
        .where('project_id', '=', projectRowId)
        .where('table_name', '=', table)
        .where('is_default', '=', 1)
        .execute();
      if (view !== null) {
        await scope.db.updateTable('saved_views').set({ is_default: 1 }).where('id', '=', view.rowId).execute();
      }
      scope.note({
        ...(view !== null && { object: { type: 'SavedView', id: view.rowId, name: view.name } }),
        projectRowId,
        changes: ['sharedDefault'],
      });
    },
  ),
});

/** What callers in other threads get. */
export type SavedViewCommands = typeof savedViewCommands;

const NO_VIEW = 'There is no such view.';
const NO_OWNER = 'This view belongs to nobody, so it stays shared. Save it as a view of your own.';
const NOT_YOURS = 'Only the owner of a view and administrators can change it. Save it as a view of your own.';

async function keepProject(scope: RecordScope, projectRowId: number): Promise<void> {
  if ((await keepRows(scope, 'projects', [projectRowId])).length === 0) {
    throw new AppError('not_found', 'There is no such project.');
  }
}

/** For names, numbers and defaults, which are rules over several views of a project. */
function lockViews(scope: RecordScope, projectRowId: number): Promise<void> {
  return scope.lock(`saved_views of ${projectRowId}`);
}

/** A view that the caller sees, with the lock of its project. */
async function findSeen(scope: RecordScope, caller: Caller, rowId: number): Promise<SavedView> {
  const found = await scope.db
    .selectFrom('saved_views')
    .select('project_id')
    .where('id', '=', rowId)
    .executeTakeFirst();
  if (found === undefined) throw new AppError('not_found', NO_VIEW);
  await keepProject(scope, found.project_id);
  await lockViews(scope, found.project_id);
  const row = await scope.db.selectFrom('saved_views').select(VIEW_COLUMNS).where('id', '=', rowId).executeTakeFirst();
  const isSeen = row !== undefined && (row.seen_by_id === null || row.seen_by_id === ownerOfViews(caller));
  if (!isSeen) throw new AppError('not_found', NO_VIEW);
  return toSavedView(row);
}

async function findToChange(scope: RecordScope, caller: Caller, rowId: number): Promise<SavedView> {
  const view = await findSeen(scope, caller, rowId);
  if (!mayChangeView(caller, view)) throw new AppError('permission_denied', NOT_YOURS);
  return view;
}

async function findOfTable(
  scope: RecordScope,
  caller: Caller,
  { projectRowId, table, viewRowId }: TableOfProject & { readonly viewRowId: number },
): Promise<SavedView> {
  const view = await findSeen(scope, caller, viewRowId);
  if (view.projectRowId !== projectRowId || view.table !== table) {
    throw new AppError('not_found', 'This table has no such view.');
  }
  return view;
}

async function assertRoom(
  { db }: RecordScope,
  projectRowId: number,
  { ownerRowId, isShared }: Pick<SavedView, 'ownerRowId' | 'isShared'>,
): Promise<void> {
  const views = db
    .selectFrom('saved_views')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', projectRowId);
  if (ownerRowId !== null) {
    const { count } = await views.where('owner_id', '=', ownerRowId).executeTakeFirstOrThrow();
    if (count >= MAX_VIEWS_OF_OWNER) throw tooMany(`You have ${MAX_VIEWS_OF_OWNER} views in this project`);
  }
  if (isShared) {
    const { count } = await views.where('seen_by_id', 'is', null).executeTakeFirstOrThrow();
    if (count >= MAX_SHARED_VIEWS) throw tooMany(`This project has ${MAX_SHARED_VIEWS} shared views`);
  }
}

function tooMany(what: string): AppError {
  return new AppError('failed_precondition', `${what}, which is the limit: delete one.`);
}

async function assertNameIsFree(
  { db }: RecordScope,
  {
    projectRowId,
    table,
    ownerRowId,
    name,
    rowId,
  }: Pick<SavedView, 'projectRowId' | 'table' | 'ownerRowId' | 'name'> & { readonly rowId: number | null },
): Promise<void> {
  let query = db
    .selectFrom('saved_views')
    .select('id')
    .where('project_id', '=', projectRowId)
    .where('table_name', '=', table)
    .where('name', '=', name)
    .where('owner_id', ownerRowId === null ? 'is' : '=', ownerRowId);
  if (rowId !== null) query = query.where('id', '<>', rowId);
  if ((await query.executeTakeFirst()) !== undefined) {
    throw new AppError('already_exists', `A view named ${name} already exists: choose another name.`);
  }
}

/** A view that nobody else sees any longer is nobody else's default. */
async function forgetDefaultsOfOthers({ db }: RecordScope, { rowId, ownerRowId }: SavedView): Promise<void> {
  const defaults = db.deleteFrom('own_default_views').where('view_id', '=', rowId);
  await defaults.where('user_id', '<>', ownerRowId ?? 0).execute();
}

function noteOf({ rowId, name, projectRowId }: SavedView, changes: readonly string[]): AuditNote {
  return { object: { type: 'SavedView', id: rowId, name }, projectRowId, changes };
}
