/** Looks up what a credential stands for, as the tables have it now. */
import type { Kysely } from 'kysely';
import { CALLER_ROLES } from '#domain/account';
import type { Audience, KeyLimits, Role } from '#domain/caller';
import type { StoredRole } from '#store/schema/account-tables';
import type { Tables } from '#store/schema/tables';

/** A browser's sign-in, or an application's. */
export interface FoundSignIn {
  readonly kind: 'sign_in';
  readonly rowId: number;
  readonly user: FoundUser;
  /** Which application holds it; `null` for a browser's. */
  readonly grant: { readonly clientName: string; readonly audience: Audience } | null;
  readonly expiresAtUs: number;
}

/** A key of a person, or of the system where it has no user. */
export interface FoundKey {
  readonly kind: 'key';
  readonly rowId: number;
  readonly name: string;
  readonly user: FoundUser | null;
  /** The account of the system. */
  readonly systemRowId: number | null;
  readonly limits: KeyLimits | null;
  readonly expiresAtUs: number | null;
}

/** Of an account, what its callers are made of. */
export interface FoundUser {
  readonly rowId: number;
  readonly name: string;
  readonly role: Role;
  readonly mustChangePassword: boolean;
}

/** The sign-in of an access token. Index: primary keys. */
export async function findAccessToken(db: Kysely<Tables>, hash: string): Promise<FoundSignIn | undefined> {
  const row = await db
    .selectFrom('sign_in_tokens as token')
    .innerJoin('sign_ins', 'sign_ins.id', 'token.sign_in_id')
    .innerJoin('users', 'users.id', 'sign_ins.user_id')
    .leftJoin('oauth2_grants as grants', 'grants.sign_in_id', 'sign_ins.id')
    .select(USER_COLUMNS)
    .select(GRANT_COLUMNS)
    .select(['sign_ins.id as rowId', 'sign_ins.expires_at_us as endsAtUs', 'token.expires_at_us as expiresAtUs'])
    .where('token.hash', '=', hash)
    .where('token.kind', '=', 'access')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return toSignIn(row, Math.min(row.expiresAtUs, row.endsAtUs));
}

/** A sign-in that goes on whatever becomes of its tokens. Index: primary keys. */
export async function findSignIn(db: Kysely<Tables>, rowId: number): Promise<FoundSignIn | undefined> {
  const row = await db
    .selectFrom('sign_ins')
    .innerJoin('users', 'users.id', 'sign_ins.user_id')
    .leftJoin('oauth2_grants as grants', 'grants.sign_in_id', 'sign_ins.id')
    .select(USER_COLUMNS)
    .select(GRANT_COLUMNS)
    .select(['sign_ins.id as rowId', 'sign_ins.expires_at_us as endsAtUs'])
    .where('sign_ins.id', '=', rowId)
    .executeTakeFirst();
  return row && toSignIn(row, row.endsAtUs);
}

/** A key, by its row or by what is stored of its text. Indexes: primary key, `api_keys_by_hash`, `one_system_user`. */
export async function findKey(
  db: Kysely<Tables>,
  by: { readonly hash: string } | { readonly rowId: number },
): Promise<FoundKey | undefined> {
  const [column, value] = 'hash' in by ? (['keys.hash', by.hash] as const) : (['keys.id', by.rowId] as const);
  const row = await db
    .selectFrom('api_keys as keys')
    .leftJoin('users', 'users.id', 'keys.user_id')
    .select(USER_COLUMNS)
    .select(['keys.id as rowId', 'keys.name', 'keys.operations', 'keys.is_limited_to_projects as isOfProjects'])
    .select('keys.expires_at_us as expiresAtUs')
    .select((eb) => eb.selectFrom('users as system').select('system.id').where('role', '=', 'SYSTEM').as('systemRowId'))
    .where(column, '=', value)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { rowId, name, operations, expiresAtUs, systemRowId } = row;
  const projects = row.isOfProjects === 0 ? null : await findProjectsOfKey(db, rowId);
  const limits = operations === null && projects === null ? null : { operations, projects };
  return { kind: 'key', rowId, name, user: toUser(row), systemRowId, limits, expiresAtUs };
}

/** The account of the system. Index: `one_system_user`. */
export async function findSystemUserRowId(db: Kysely<Tables>): Promise<number | undefined> {
  const query = db.selectFrom('users').select('id').where('role', '=', 'SYSTEM');
  return (await query.executeTakeFirst())?.id;
}

const USER_COLUMNS = [
  'users.id as userRowId',
  'users.username',
  'users.role',
  'users.password_needs_reset as needsReset',
] as const;

const GRANT_COLUMNS = ['grants.client_name as clientName', 'grants.audience'] as const;

interface SignInColumns extends UserColumns {
  readonly rowId: number;
  readonly clientName: string | null;
  readonly audience: Audience | null;
}

interface UserColumns {
  readonly userRowId: number | null;
  readonly username: string | null;
  readonly role: StoredRole | null;
  readonly needsReset: number | null;
}

function toSignIn(row: SignInColumns, expiresAtUs: number): FoundSignIn | undefined {
  const { rowId, clientName, audience } = row;
  const user = toUser(row);
  if (user === null) return undefined;
  const grant = clientName === null || audience === null ? null : { clientName, audience };
  return { kind: 'sign_in', rowId, user, grant, expiresAtUs };
}

function toUser({ userRowId, username, role, needsReset }: UserColumns): FoundUser | null {
  if (userRowId === null || username === null || role === null || role === 'SYSTEM') return null;
  return { rowId: userRowId, name: username, role: CALLER_ROLES[role], mustChangePassword: needsReset === 1 };
}

async function findProjectsOfKey(db: Kysely<Tables>, keyRowId: number): Promise<NonNullable<KeyLimits['projects']>> {
  return db
    .selectFrom('api_key_projects as chosen')
    .innerJoin('projects', 'projects.id', 'chosen.project_id')
    .select(['projects.id as rowId', 'projects.name'])
    .where('chosen.api_key_id', '=', keyRowId)
    .orderBy('projects.id')
    .execute();
}
