import type { Flags } from '#config/read-environment';
import { engineOf } from '#server/engine-of';
import { readDatabaseStatus } from '#store/open/administer';
import type { ExitCode } from '../exit-codes.ts';
import { formatJson } from '../json-output.ts';
import { formatStatus } from './format-status.ts';
import { runOnDatabase } from './run-on-database.ts';

/** Prints how the database stands, beside a running server or without one. */
export function runStatus(flags: Flags, { isJson }: { readonly isJson: boolean }): Promise<ExitCode> {
  return runOnDatabase(flags, async (config) => {
    const status = await readDatabaseStatus(engineOf(config));
    process.stdout.write(isJson ? formatJson(status) : formatStatus(status));
  });
}
