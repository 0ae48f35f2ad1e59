/** The accounts that there must be when a server starts. */
import { randomBytes } from 'node:crypto';
import type { Logger } from '#base/log';
import { Secret } from '#base/secret';
import type { AuthConfig } from '#config/auth-config';
import type { AuthServices } from '#credentials/port';
import { unusablePassword } from '#credentials/unusable-password';
import { type AuthMethod, BUILT_IN_ADMIN } from '#domain/account';
import { systemCaller } from '#domain/caller';
import type { UserCommands } from '#resources/users/commands';
import { userPolicy } from '#resources/users/policy';
import { findAtStart, type PlantedAccount } from '#resources/users/queries';
import { remoteCommands } from '#store/commands/remote-commands';
import type { Database } from '#store/database';

/** The first password of the built-in administrator. */
export interface FirstPassword {
  readonly email: string;
  /** What was made up, to be shown once; `null` where it is that of the settings. */
  readonly madeUp: Secret | null;
}

/**
 * Makes the system's account, an administrator and those of the settings where they are absent. The built-in administrator gets a
 * password at the first start that asks for one: hashing it would delay all other starts. Accounts that anybody may have made are named
 * in the log once.
 * @returns the password of the built-in administrator, where it was set here
 */
export async function prepareAccounts(
  { config, passwords }: Pick<AuthServices, 'config' | 'passwords'>,
  database: Pick<Database, 'readPrimary' | 'runCommand'>,
  log: Logger,
): Promise<FirstPassword | null> {
  const { admins, isEnabled } = config;
  const names = admins.map(({ username }) => username);
  const emails = admins.map(({ email }) => email);
  const found = await findAtStart(database.readPrimary, names, emails);
  const missing = admins.filter(({ username, email }) => !found.taken.has(username) && !found.taken.has(email));
  const needsPassword = isEnabled && (!found.hasAdmin || found.lacksPassword);
  const tellsPlanted = isEnabled && found.hasPlanted;
  if (found.hasSystem && found.hasAdmin && !needsPassword && !tellsPlanted && missing.length === 0) return null;

  const password = config.initialAdminPassword ?? new Secret(randomBytes(RANDOM_BYTES).toString('base64url'));
  const commands = remoteCommands<UserCommands>(userPolicy, database.runCommand);
  const { isPasswordSet, planted } = await commands.prepare(systemCaller('start'), {
    unusable: unusablePassword(),
    initialPassword: needsPassword ? await passwords.hash(password.reveal()) : null,
    admins: missing.map((admin) => ({
      ...admin,
      authMethod: methodOfAdmins(config),
      password: config.passwords.isDisabled ? null : unusablePassword(),
    })),
    tellsPlanted,
  });
  if (planted.length > 0) log.warn(describePlanted(planted));
  if (!isPasswordSet) return null;
  return { email: BUILT_IN_ADMIN.email, madeUp: config.initialAdminPassword === null ? password : null };
}

/** How administrators of the settings sign in. */
function methodOfAdmins({ passwords, providers, ldap }: AuthConfig): AuthMethod {
  if (!passwords.isDisabled) return 'LOCAL';
  return ldap === null || providers.length > 0 ? 'OAUTH2' : 'LDAP';
}

/** More than anybody guesses while it is good, and few enough to type. */
const RANDOM_BYTES = 12;

/** For administrators, who know whom they know. */
export function describePlanted(planted: readonly PlantedAccount[]): string {
  const shown = planted
    .slice(0, MAX_SHOWN)
    .map(({ username, email, role }) => `${username} <${email ?? 'no e-mail'}> (${role})`);
  const rest = planted.length > MAX_SHOWN ? ` and ${planted.length - MAX_SHOWN} more` : '';
  return `These accounts were made while authentication was off, when anybody could make them: ${shown.join(', ')}${rest}. Delete those that you do not know.`;
}

const MAX_SHOWN = 50;
