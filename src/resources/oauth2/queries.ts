/** Reads applications and grants. Never their tokens. */
import type { Kysely } from 'kysely';
import { type Application, COMMAND_LINE, type Grant } from '#domain/application';
import type { Tables } from '#store/schema/tables';
import type { ReadHandle } from '../slice.ts';

/** An application by its id. Index: `oauth2_clients_by_client_id`. */
export async function findApplication(db: Kysely<Tables>, clientId: string): Promise<Application | undefined> {
  if (clientId === COMMAND_LINE.clientId) return COMMAND_LINE;
  const row = await db
    .selectFrom('oauth2_clients')
    .select(['client_id', 'name', 'redirect_uris'])
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { clientId: row.client_id, name: row.name, redirectUris: JSON.parse(row.redirect_uris) as readonly string[] };
}

/** Every grant that has not ended, newest first. Index: primary keys. */
export async function listGrants({ db }: Pick<ReadHandle, 'db'>, nowUs: number): Promise<readonly Grant[]> {
  return selectGrants(db, nowUs).orderBy('sign_ins.id', 'desc').execute();
}

/** Grants by their row ids. Index: primary keys. */
export async function findGrants(
  { db, dialect }: ReadHandle,
  rowIds: readonly number[],
  nowUs: number,
): Promise<ReadonlyMap<number, Grant>> {
  const grants = await selectGrants(db, nowUs).where('sign_ins.id', 'in', dialect.numbersOf(rowIds)).execute();
  return new Map(grants.map((grant) => [grant.rowId, grant]));
}

/** The grants of several accounts, by their row ids, newest first. Index: `sign_ins_of_user`. */
export async function findGrantsOfUsers(
  { db, dialect }: ReadHandle,
  userRowIds: readonly number[],
  nowUs: number,
): Promise<ReadonlyMap<number, readonly Grant[]>> {
  const grants = await selectGrants(db, nowUs)
    .where('sign_ins.user_id', 'in', dialect.numbersOf(userRowIds))
    .orderBy('sign_ins.id', 'desc')
    .execute();
  return Map.groupBy(grants, ({ userRowId }) => userRowId);
}

function selectGrants(db: Kysely<Tables>, nowUs: number) {
  return db
    .selectFrom('oauth2_grants as grants')
    .innerJoin('sign_ins', 'sign_ins.id', 'grants.sign_in_id')
    .select([
      'sign_ins.id as rowId',
      'sign_ins.user_id as userRowId',
      'grants.client_id as clientId',
      'grants.client_name as clientName',
      'sign_ins.created_at_us as createdAtUs',
      'sign_ins.expires_at_us as expiresAtUs',
      'grants.last_used_at_us as lastUsedAtUs',
    ])
    .where('sign_ins.expires_at_us', '>', nowUs);
}
