/** What all commands on a whole database have in common. */
import { AppError } from '#base/errors';
import type { Config } from '#config/config';
import { loadConfig } from '#config/load';
import type { Flags } from '#config/read-environment';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import { formatProblems } from '../problems.ts';

/**
 * Runs a command on the database of the configuration.
 * @throws AppError `failed_precondition` where that is gone when its server stops
 */
export async function runOnDatabase(flags: Flags, run: (config: Config) => Promise<void>): Promise<ExitCode> {
  const { config, problems } = loadConfig(flags);
  if (config === null) {
    process.stderr.write(formatProblems(problems));
    return EXIT_CODES.usage;
  }
  if (config.database.engine === 'sqlite' && config.database.isTemporary) {
    throw new AppError('failed_precondition', 'Only its own server can use data in memory: name a file or a folder.');
  }
  // What applications said to models is for the server's own user alone.
  process.umask(0o077);
  await run(config);
  return EXIT_CODES.ok;
}

/**
 * The data file of a command that copies it.
 * @throws AppError `failed_precondition` for a database that has tools of its own for that
 */
export function dataFileOf({ database }: Config): string {
  if (database.engine === 'sqlite') return database.path;
  throw new AppError(
    'failed_precondition',
    'The data is in PostgreSQL. Use its own tools for this, pg_dump and pg_restore, or those of your hosting provider.',
  );
}
