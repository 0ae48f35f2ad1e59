import { AppError } from '#base/errors';
import type { Flags } from '#config/read-environment';
import { rebuildDamagedIndexes } from '#store/rebuild-indexes';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import { formatJson } from '../json-output.ts';
import { runOnDatabase } from './run-on-database.ts';

/** Makes damaged indexes of the data file again, and prints which; the exit code says whether any stays damaged. */
export async function runRebuildIndexes(flags: Flags, { isJson }: { readonly isJson: boolean }): Promise<ExitCode> {
  let isWhole = true;
  const code = await runOnDatabase(flags, async ({ database }) => {
    if (database.engine !== 'sqlite') {
      throw new AppError(
        'failed_precondition',
        'The data is in PostgreSQL. Use its own tools for this: amcheck and REINDEX.',
      );
    }
    const result = await rebuildDamagedIndexes(database.path);
    isWhole = result.left.length + result.unreadable.length === 0;
    process.stdout.write(isJson ? formatJson(result) : describe(result));
  });
  return code === EXIT_CODES.ok && !isWhole ? EXIT_CODES.failed : code;
}

function describe({ rebuilt, left, unreadable }: Awaited<ReturnType<typeof rebuildDamagedIndexes>>): string {
  if (rebuilt.length + left.length + unreadable.length === 0) return 'Every index leads to all rows.\n';
  const lines = [
    ...rebuilt.map((name) => `${name} was made again.`),
    ...left.map(
      (name) =>
        `${name} stays as it is, because its rows may be damaged. Copy what is intact: cairn db salvage SOURCE TARGET.`,
    ),
    ...unreadable.map(
      (name) => `Rows of the table ${name} cannot be read. Copy what is intact: cairn db salvage SOURCE TARGET.`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
