import type { StoredPassword } from '#credentials/port';
import { UNUSABLE_ALGORITHM } from '#credentials/unusable-password';
import { type AuthMethod, BUILT_IN_ADMIN, SYSTEM_ACCOUNT } from '#domain/account';
import type { RecordScope } from '#store/commands/command';
import type { PlantedAccount } from '../queries.ts';
import { insertAccount, noteAccount, passwordColumns } from './accounts.ts';

/** What a server that starts wants to be there. */
export interface Preparation {
  /** Nobody knows it. */
  readonly unusable: StoredPassword;
  /** Of the built-in administrator; `null` where that is not decided yet. */
  readonly initialPassword: StoredPassword | null;
  readonly admins: readonly {
    readonly username: string;
    readonly email: string;
    /** Of those who sign in with one. */
    readonly password: StoredPassword | null;
    readonly authMethod: AuthMethod;
  }[];
  /** Whether accounts that anybody may have made are told, which happens once. */
  readonly tellsPlanted: boolean;
}

/** What came of it. */
export interface Prepared {
  /** Whether the initial password is the built-in administrator's from now on. */
  readonly isPasswordSet: boolean;
  readonly planted: readonly PlantedAccount[];
}

/**
 * Makes the accounts that there must be: of the system, an administrator, and those of the settings. The built-in administrator gets its
 * password when somebody is asked for one. However many servers start at once, each account is made once.
 */
export async function prepareAccounts(scope: RecordScope, wanted: Preparation): Promise<Prepared> {
  const { unusable, initialPassword, admins, tellsPlanted } = wanted;
  await scope.lock('users');
  const { db } = scope;
  const withRole = (role: 'SYSTEM' | 'ADMIN') =>
    db.selectFrom('users').select('id').where('role', '=', role).executeTakeFirst();
  if ((await withRole('SYSTEM')) === undefined) {
    await insertAccount(scope, { ...SYSTEM_ACCOUNT, role: 'SYSTEM', authMethod: 'LOCAL', password: unusable });
  }
  if ((await withRole('ADMIN')) === undefined) {
    const admin = { ...BUILT_IN_ADMIN, role: 'ADMIN', authMethod: 'LOCAL', password: unusable } as const;
    noteAccount(scope, await insertAccount(scope, admin));
  }
  const isPasswordSet = initialPassword !== null && (await setInitialPassword(scope, initialPassword));
  for (const { username, email, password, authMethod } of admins) {
    const taken = db
      .selectFrom('users')
      .select('id')
      .where((is) => is.or([is('username', '=', username), is('email', '=', email)]));
    if ((await taken.executeTakeFirst()) !== undefined) continue;
    noteAccount(scope, await insertAccount(scope, { username, email, role: 'ADMIN', authMethod, password }));
  }
  return { isPasswordSet, planted: tellsPlanted ? await forgetPlanted(scope) : [] };
}

async function setInitialPassword({ db, nowUs }: RecordScope, password: StoredPassword): Promise<boolean> {
  const changed = await db
    .updateTable('users')
    .set({ ...passwordColumns(password), updated_at_us: nowUs })
    .where('email', '=', BUILT_IN_ADMIN.email)
    .where('password_algorithm', '=', UNUSABLE_ALGORITHM)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

function forgetPlanted({ db }: RecordScope): Promise<readonly PlantedAccount[]> {
  return db
    .updateTable('users')
    .set({ was_made_while_open: 0 })
    .where('was_made_while_open', '=', 1)
    .returning(['username', 'email', 'role'])
    .execute();
}
