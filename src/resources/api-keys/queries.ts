/** Reads keys. Never their hashes. */
import type { ApiKey, OwnedApiKey } from '#domain/api-key';
import type { KeyProject } from '#domain/caller';
import type { Page } from '#domain/page';
import { formatCursor, parseCursor } from '#store/queries/cursor';
import type { ReadHandle } from '../slice.ts';

/** The keys of an account, newest first. Index: api_keys_of_user. */
export async function listKeysOfUser(handle: ReadHandle, userRowId: number): Promise<readonly ApiKey[]> {
  const rows = await selectKeys(handle).where('user_id', '=', userRowId).orderBy('id', 'desc').execute();
  return withProjects(handle, rows);
}

/** The keys of the system, newest first. Index: api_keys_of_user. */
export async function listSystemKeys(handle: ReadHandle): Promise<readonly ApiKey[]> {
  const rows = await selectKeys(handle).where('user_id', 'is', null).orderBy('id', 'desc').execute();
  return withProjects(handle, rows);
}

/**
 * A page of the keys of all people, newest first; the cursor is the id of the first key of the next page. Index: primary keys.
 * @throws AppError `invalid_argument` for a cursor of another list
 */
export async function listPersonalKeys(
  handle: ReadHandle,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
): Promise<Page<OwnedApiKey>> {
  const from = parseCursor('UserApiKey', cursor);
  let query = selectKeys(handle)
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['users.id as ownerRowId', 'users.username', 'users.email']);
  if (from !== null) query = query.where('api_keys.id', '<=', from.rowId);
  const rows = await query
    .orderBy('api_keys.id', 'desc')
    .limit(limit + 1)
    .execute();
  const next = rows[limit];
  const keys = await withProjects(handle, rows.slice(0, limit));
  return {
    data: keys.map(({ ownerRowId, username, email, ...key }) => ({
      ...key,
      user: { rowId: ownerRowId, name: username, email },
    })),
    nextCursor: next === undefined ? null : formatCursor('UserApiKey', { value: null, rowId: next.rowId }),
  };
}

/** Every key of people, newest first. Index: primary keys. */
export async function listAllPersonalKeys(handle: ReadHandle): Promise<readonly ApiKey[]> {
  const rows = await selectKeys(handle).where('user_id', 'is not', null).orderBy('id', 'desc').execute();
  return withProjects(handle, rows);
}

/** The keys of several accounts, by their row ids, newest first. Index: api_keys_of_user. */
export async function findKeysOfUsers(
  handle: ReadHandle,
  userRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ApiKey[]>> {
  const rows = await selectKeys(handle)
    .where('user_id', 'in', handle.dialect.numbersOf(userRowIds))
    .orderBy('id', 'desc')
    .execute();
  const keys = await withProjects(handle, rows);
  return Map.groupBy(
    keys.flatMap((key) => (key.userRowId === null ? [] : { ...key, userRowId: key.userRowId })),
    (key) => key.userRowId,
  );
}

/** How many keys an account has; of the system where it is `null`. Index: api_keys_of_user. */
export async function countKeysOf({ db }: Pick<ReadHandle, 'db'>, userRowId: number | null): Promise<number> {
  const query = db.selectFrom('api_keys').select(({ fn }) => fn.countAll<number>().as('count'));
  const ofOwner = userRowId === null ? query.where('user_id', 'is', null) : query.where('user_id', '=', userRowId);
  return (await ofOwner.executeTakeFirstOrThrow()).count;
}

/** Whether the account is there. Index: primary key. */
export async function isUserThere({ db }: Pick<ReadHandle, 'db'>, rowId: number): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('id', '=', rowId).executeTakeFirst()) !== undefined;
}

function selectKeys({ db }: Pick<ReadHandle, 'db'>) {
  return db.selectFrom('api_keys').select([...KEY_COLUMNS, 'api_keys.is_limited_to_projects as isLimited']);
}

/** What a key is read from, beside its projects. */
export const KEY_COLUMNS = [
  'api_keys.id as rowId',
  'api_keys.user_id as userRowId',
  'api_keys.created_by as makerRowId',
  'api_keys.name',
  'api_keys.description',
  'api_keys.operations',
  'api_keys.created_at_us as createdAtUs',
  'api_keys.expires_at_us as expiresAtUs',
  'api_keys.last_used_at_us as lastUsedAtUs',
] as const;

/** The projects of keys, by row id of the key, in the order of their rows. Index: primary keys. */
export async function findKeyProjects(
  { db, dialect }: ReadHandle,
  keyRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly KeyProject[]>> {
  if (keyRowIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('api_key_projects')
    .innerJoin('projects', 'projects.id', 'api_key_projects.project_id')
    .select(['api_key_projects.api_key_id as keyRowId', 'projects.id as rowId', 'projects.name'])
    .where('api_key_projects.api_key_id', 'in', dialect.numbersOf(keyRowIds))
    .orderBy('projects.id')
    .execute();
  const projects = new Map<number, KeyProject[]>();
  for (const { keyRowId, ...project } of rows) projects.set(keyRowId, [...(projects.get(keyRowId) ?? []), project]);
  return projects;
}

async function withProjects<Row extends { readonly rowId: number; readonly isLimited: number }>(
  handle: ReadHandle,
  rows: readonly Row[],
) {
  const limited = rows.filter(({ isLimited }) => isLimited === 1).map(({ rowId }) => rowId);
  const projects = await findKeyProjects(handle, limited);
  return rows.map(({ isLimited, ...key }) => ({
    ...key,
    projects: isLimited === 1 ? (projects.get(key.rowId) ?? []) : null,
  }));
}
