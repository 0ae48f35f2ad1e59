/** What all commands have in common that change ordinary records beside running servers. */
import { AppError } from '#base/errors';
import type { Config } from '#config/config';
import type { Flags } from '#config/read-environment';
import type { ReadHandle } from '#resources/slice';
import { engineOf } from '#server/engine-of';
import { CommandRunner } from '#store/commands/command-runner';
import type { RunCommand } from '#store/commands/remote-commands';
import type { EngineConfig } from '#store/engine/engine-config';
import { openWriteEngine } from '#store/open/open-engine';
import { inspectDataFile } from '#store/sqlite/inspect';
import type { ExitCode } from '../exit-codes.ts';
import { runOnDatabase } from './run-on-database.ts';

/** The records of a database. */
export interface Records {
  readonly config: Config;
  readonly handle: ReadHandle;
  readonly runCommand: RunCommand;
}

/**
 * Works on the records of the configuration's database, beside servers or without any: it takes the lock of the database for each
 * change, as servers do for theirs. A user who may open the database owns it, so the command asks for no credentials.
 * @param lists the commands that it uses, all of them on ordinary records
 */
export function runBesideServers(
  flags: Flags,
  lists: ConstructorParameters<typeof CommandRunner>[0],
  run: (records: Records) => Promise<void>,
): Promise<ExitCode> {
  return runOnDatabase(flags, async (config) => {
    const engineConfig = engineOf(config);
    await assertCurrent(engineConfig);
    const engine = await openWriteEngine(engineConfig, () => undefined);
    const runner = new CommandRunner(lists, {
      record: (work) => engine.records.transact(work),
      telemetry: () => Promise.reject(new Error('the command line changes no telemetry beside servers')),
      tell: (touched) => engine.tell(touched),
      forgetPrices: () => undefined,
      assertRoom: async () => undefined,
      makingRoom: (work) => work(),
    });
    try {
      await run({
        config,
        handle: engine,
        runCommand: async (operation, caller, input) => (await runner.run(operation, caller, input)).result,
      });
    } finally {
      await engine.close();
    }
  });
}

async function assertCurrent(config: EngineConfig): Promise<void> {
  if (config.engine === 'postgres') return (await import('#store/postgres/claim')).assertPostgresIsCurrent(config);
  const file = inspectDataFile(config.path);
  switch (file.state) {
    case 'ours':
      if (file.pendingMigrations === 0) return;
      throw refusal(
        `${config.path} was written by an older version of Cairn: upgrade it with cairn db migrate, or by starting the server.`,
      );
    case 'absent':
    case 'empty':
      throw refusal(`There is no data in ${config.path}: name the folder with --data.`);
    default:
      throw refusal(`${config.path} cannot be used: ${file.what}.`);
  }
}

function refusal(message: string): AppError {
  return new AppError('failed_precondition', message);
}
