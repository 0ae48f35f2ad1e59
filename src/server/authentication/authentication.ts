/** Everything that a server has for accounts, sign-ins and keys, put together from its settings and its database. */
import { ANYBODY, type Callers } from '#api/caller';
import { errorMessage } from '#base/errors';
import type { Logger } from '#base/log';
import type { Config } from '#config/config';
import { LdapDirectory } from '#credentials/ldap/directory';
import { IdentityProviders } from '#credentials/oidc/identity-providers';
import { PasswordAttempts } from '#credentials/password-attempts';
import { PasswordThread } from '#credentials/passwords';
import type { AuthServices } from '#credentials/port';
import { RateLimits } from '#credentials/rate-limits';
import { Tokens } from '#credentials/tokens';
import { systemCaller } from '#domain/caller';
import { MailQueue } from '#mail/mail-queue';
import { deliverBySmtp } from '#mail/smtp';
import type { ApiKeyCommands } from '#resources/api-keys/commands';
import { apiKeyPolicy } from '#resources/api-keys/policy';
import type { AuditCommands } from '#resources/audit/commands';
import { auditPolicy } from '#resources/audit/policy';
import type { SignInCommands } from '#resources/sign-in/commands';
import { signInPolicy } from '#resources/sign-in/policy';
import { type RunCommand, remoteCommands } from '#store/commands/remote-commands';
import type { Database } from '#store/database';
import type { ThreadWatchers } from '../preparers.ts';
import { KeyUses } from './key-use.ts';
import { RefusalLog } from './refusal-log.ts';
import { CallerResolver } from './resolve-caller.ts';
import { createSecretBox } from './secret-box.ts';

/** See {@link openAuthentication}. */
export interface Authentication {
  /** What resources work with. */
  readonly services: AuthServices;
  /** Who sends requests. */
  readonly callers: Callers;
  /** As the database's; what ends somebody's access holds for the next request. */
  readonly runCommand: RunCommand;
  close(): Promise<void>;
}

/** Opens it on a database; nothing of it is asked before the first request. */
export function openAuthentication(
  config: Config,
  database: Database,
  watchers: ThreadWatchers,
  log: Logger,
): Authentication {
  const { auth, http, mail, rootPath, rootUrl } = config;
  // By the database's own calls: what the server notes by itself changes nobody's access.
  const { runCommand } = database;
  const tokens = auth.secret === null ? null : new Tokens(auth.secret);
  const passwords = new PasswordThread(watchers);
  const refusals = openRefusalLog(runCommand, log);
  // Every mail has a link.
  const mailer = mail === null || rootUrl === null ? null : new MailQueue(deliverBySmtp(mail), log);
  const services: AuthServices = {
    config: auth,
    tokens,
    passwords,
    directory: auth.ldap === null ? null : new LdapDirectory(auth.ldap, log),
    secretBox: createSecretBox(config, log),
    refusals,
    mailer,
    providers: new IdentityProviders({ providers: auth.providers, rootPath, rootUrl, isTls: http.tls !== null, log }),
    rateLimits: new RateLimits(auth.signIn.isRateLimited),
    attempts: new PasswordAttempts({
      calls: remoteCommands<SignInCommands>(signInPolicy, runCommand),
      db: database.readPrimary,
      maximum: auth.signIn.lockoutAttempts,
    }),
    rootPath,
    rootUrl,
  };
  const close = async () => {
    await Promise.all([refusals.close(), passwords.close(), mailer?.close()]);
  };
  if (!auth.isEnabled || tokens === null) return { services, callers: ANYBODY, runCommand, close };
  const { noteUse } = remoteCommands<ApiKeyCommands>(apiKeyPolicy, runCommand);
  const keyUses = new KeyUses({ write: (uses) => noteUse(systemCaller('key-use'), uses), log });
  const resolver = new CallerResolver({
    tokens,
    adminSecret: auth.adminSecret,
    db: database.readPrimary,
    noteKeyUse: keyUses.note,
  });
  return {
    services,
    callers: {
      resolve: resolver.resolve,
      stillHolds: (caller) => resolver.stillHolds(caller),
      noteRefusal: (caller, { operation }) => refusals.note({ caller, operation }),
    },
    runCommand: async (operation, caller, input) => {
      const result = await runCommand(operation, caller, input);
      if (CHANGES_ACCESS.test(operation)) resolver.forget();
      return result;
    },
    close: async () => {
      await Promise.all([keyUses.close(), close()]);
    },
  };
}

/** Commands that decide who may do what; attempts to sign in are not among them. */
const CHANGES_ACCESS =
  /^(?:(?:users|passwordReset|apiKeys)\.|signIn\.(?:refresh|endReused|logout|syncFromDirectory)$|providerSignIn\.admit$|oauth2\.(?:refresh|endReplayed|revoke|revokeToken)$)/;

function openRefusalLog(runCommand: RunCommand, log: Logger): RefusalLog {
  const commands = remoteCommands<AuditCommands>(auditPolicy, runCommand);
  return new RefusalLog({
    record: (refusals) => commands.recordRefusals(systemCaller('audit'), refusals),
    onError: (error) =>
      log.error('What was refused could not be written to the audit log.', { reason: errorMessage(error) }),
  });
}
