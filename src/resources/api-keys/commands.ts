/** Changes of keys. What a key was told to be stays as it is: a key is made and deleted, never changed. */
import { type SqlBool, sql } from 'kysely';
import { AppError } from '#base/errors';
import type { GlobalIdType } from '#base/global-id';
import {
  type ApiKey,
  assertMayDeletePersonal,
  assertMayIssue,
  checkApiKey,
  type NewApiKey,
  NO_ACCOUNT,
  NO_KEY,
} from '#domain/api-key';
import type { Caller } from '#domain/caller';
import { defineCommands, type RecordScope, recordCommand } from '#store/commands/command';
import { keepRows } from '#store/records/keep-rows';
import { apiKeyPolicy } from './policy.ts';
import { countKeysOf, findKeyProjects, KEY_COLUMNS } from './queries.ts';

/** When a key was used. */
export interface KeyUse {
  readonly rowId: number;
  /** To the minute. */
  readonly atUs: number;
}

/** The commands. */
export const apiKeyCommands = defineCommands(apiKeyPolicy, {
  /**
   * A key of the person who is signed in.
   * @throws AppError `permission_denied` for a key, `unauthenticated` where the account is gone, `invalid_argument`,
   * `not_found` for a project, `failed_precondition` for too many keys
   */
  createOwn: recordCommand((scope, caller, input: NewApiKey): Promise<ApiKey> => {
    const { makerRowId } = assertMayIssue(caller, 'personal');
    return create(scope, input, { userRowId: makerRowId, makerRowId });
  }),

  /** A key that belongs to nobody. @throws AppError as for a personal one */
  createSystem: recordCommand((scope, caller, input: NewApiKey): Promise<ApiKey> => {
    const { makerRowId } = assertMayIssue(caller, 'system');
    return create(scope, input, { userRowId: null, makerRowId });
  }),

  /** A key of the caller, or of anybody where an administrator asks. @throws AppError `not_found` */
  deletePersonal: recordCommand(async (scope, caller, rowId: number): Promise<void> => {
    assertMayDeletePersonal(caller);
    const deletion = scope.db.deleteFrom('api_keys').where('id', '=', rowId).where('user_id', 'is not', null);
    const ofCaller = caller.role === 'admin' ? deletion : deletion.where('user_id', '=', rowIdOfUser(caller));
    noteDeletion(scope, 'UserApiKey', await ofCaller.returning(['id', 'name']).executeTakeFirst());
  }),

  /** @throws AppError `not_found` */
  deleteSystem: recordCommand(async (scope, _caller, rowId: number): Promise<void> => {
    const deletion = scope.db.deleteFrom('api_keys').where('id', '=', rowId).where('user_id', 'is', null);
    noteDeletion(scope, 'SystemApiKey', await deletion.returning(['id', 'name']).executeTakeFirst());
  }),

  /** Notes when keys were used last; those that are gone are passed over. */
  noteUse: recordCommand(async ({ db, dialect }, _caller, uses: readonly KeyUse[]): Promise<void> => {
    const atUs = new Map(uses.map((use) => [use.rowId, use.atUs]));
    for (const [moment, ofMoment] of Map.groupBy(atUs, ([, value]) => value)) {
      const rowIds = ofMoment.map(([rowId]) => rowId);
      await db
        .updateTable('api_keys')
        .set({ last_used_at_us: moment })
        .where('id', 'in', dialect.numbersOf(rowIds))
        // Another server may have seen a later use.
        .where(sql<SqlBool>`coalesce(last_used_at_us, 0) < ${moment}`)
        .execute();
    }
  }),
});

/** What callers in other threads get. */
export type ApiKeyCommands = typeof apiKeyCommands;

/** Far more than anybody can tell apart; lists of them have no pages. */
const MAX_KEYS = 1000;

interface KeyOwner {
  readonly userRowId: number | null;
  readonly makerRowId: number | null;
}

async function create(
  scope: RecordScope,
  { hash, ...input }: NewApiKey,
  { userRowId, makerRowId }: KeyOwner,
): Promise<ApiKey> {
  const { name, description, expiresAtUs, operations, projectRowIds } = checkApiKey(input);
  if (makerRowId !== null && (await keepRows(scope, 'users', [makerRowId])).length === 0) {
    throw new AppError('unauthenticated', NO_ACCOUNT);
  }
  await scope.lock(`api_keys of ${userRowId ?? 'the system'}`);
  if ((await countKeysOf(scope, userRowId)) >= MAX_KEYS) {
    throw new AppError('failed_precondition', `There are already ${MAX_KEYS} keys, which is the limit: delete one.`);
  }
  const key = await scope.db
    .insertInto('api_keys')
    .values({
      hash,
      user_id: userRowId,
      created_by: makerRowId,
      name,
      description,
      operations,
      is_limited_to_projects: projectRowIds === null ? 0 : 1,
      created_at_us: scope.nowUs,
      expires_at_us: expiresAtUs,
    })
    .returning(KEY_COLUMNS)
    .executeTakeFirstOrThrow();
  if (projectRowIds !== null) await limitTo(scope, key.rowId, projectRowIds);
  scope.note({
    object: { type: userRowId === null ? 'SystemApiKey' : 'UserApiKey', id: key.rowId, name },
    changes: [
      'name',
      ...(description === null ? [] : ['description']),
      ...(expiresAtUs === null ? [] : ['expiresAt']),
      ...(operations === null ? [] : ['operations']),
      ...(projectRowIds === null ? [] : ['projects']),
    ],
  });
  return { ...key, projects: projectRowIds && ((await findKeyProjects(scope, [key.rowId])).get(key.rowId) ?? []) };
}

async function limitTo(scope: RecordScope, keyRowId: number, projectRowIds: readonly number[]): Promise<void> {
  const kept = await keepRows(scope, 'projects', projectRowIds);
  if (kept.length < projectRowIds.length) throw new AppError('not_found', 'Some of these projects do not exist.');
  await scope.db
    .insertInto('api_key_projects')
    .values(kept.map((rowId) => ({ api_key_id: keyRowId, project_id: rowId })))
    .execute();
}

/** Of nobody where no person asks: such a caller has no keys. */
function rowIdOfUser(caller: Caller): number {
  return caller.kind === 'user' ? caller.rowId : 0;
}

function noteDeletion(
  scope: RecordScope,
  type: GlobalIdType,
  deleted: { readonly id: number; readonly name: string } | undefined,
): void {
  if (deleted === undefined) throw new AppError('not_found', NO_KEY);
  scope.note({ object: { type, id: deleted.id, name: deleted.name } });
}
