import type { Flags } from '#config/read-environment';
import { engineOf } from '#server/engine-of';
import { migrateDatabase } from '#store/open/administer';
import type { ExitCode } from '../exit-codes.ts';
import { formatJson } from '../json-output.ts';
import { createLogger } from '../logger.ts';
import { runOnDatabase } from './run-on-database.ts';

/** Brings the schema up to date without a server, and prints the changes. */
export function runMigrate(flags: Flags, { isJson }: { readonly isJson: boolean }): Promise<ExitCode> {
  return runOnDatabase(flags, async (config) => {
    const { buildsConcurrently, isLogged } = config.migrations;
    const log = createLogger(config.log, process.stderr.fd);
    const applied = await migrateDatabase(engineOf(config), {
      buildsConcurrently,
      log: isLogged ? (message) => log.info(message) : undefined,
    });
    const text = applied.length === 0 ? 'The schema is up to date.\n' : applied.map((name) => `${name}\n`).join('');
    process.stdout.write(isJson ? formatJson({ applied }) : text);
  });
}
