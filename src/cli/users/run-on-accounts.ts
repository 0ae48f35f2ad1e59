/** What all commands on accounts have in common. */
import type { Kysely } from 'kysely';
import type { Config } from '#config/config';
import type { Flags } from '#config/read-environment';
import { userCommands, type UserCommands } from '#resources/users/commands';
import { userPolicy } from '#resources/users/policy';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import type { Tables } from '#store/schema/tables';
import { runBesideServers } from '../db/run-beside-servers.ts';
import type { ExitCode } from '../exit-codes.ts';

/** The accounts of a database. */
export interface Accounts {
  readonly config: Config;
  readonly db: Kysely<Tables>;
  readonly commands: CommandCalls<UserCommands>;
}

/** Runs a command on the accounts of the configuration. Servers read who somebody is from there at least once a second. */
export function runOnAccounts(flags: Flags, run: (accounts: Accounts) => Promise<void>): Promise<ExitCode> {
  return runBesideServers(flags, [userCommands], ({ config, handle, runCommand }) =>
    run({ config, db: handle.db, commands: remoteCommands<UserCommands>(userPolicy, runCommand) }),
  );
}
