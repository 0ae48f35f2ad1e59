import { resolve } from 'node:path';
import type { Flags } from '#config/read-environment';
import { restoreDataFile } from '#store/sqlite/backup/restore';
import type { ExitCode } from '../exit-codes.ts';
import { formatJson } from '../json-output.ts';
import { progressPrinter, stoppable } from './copying.ts';
import { formatBytes } from './format-bytes.ts';
import { dataFileOf, runOnDatabase } from './run-on-database.ts';

/** Puts a backup in the place of the data, and prints what became of those. */
export function runRestore(
  file: string,
  flags: Flags,
  options: { readonly isDiscarding: boolean; readonly sha256: string | null; readonly isJson: boolean },
): Promise<ExitCode> {
  const { isDiscarding, sha256, isJson } = options;
  return runOnDatabase(flags, async (config) => {
    const dataFile = dataFileOf(config);
    const source = resolve(file);
    const restored = await stoppable((signal, letGo) =>
      restoreDataFile(dataFile, source, { isDiscarding, sha256, signal, onProgress: progressPrinter(letGo) }),
    );
    const { bytes, keptAs, pendingMigrations } = restored;
    const kept = keptAs === null ? '' : `The previous data is in ${keptAs}; delete it when you no longer need it.\n`;
    const upgrade = pendingMigrations === 0 ? '' : 'The next start brings its schema up to date.\n';
    process.stdout.write(
      isJson
        ? formatJson({ file: source, dataFile, ...restored })
        : `${dataFile} now holds the data of ${source}: ${formatBytes(bytes)}. A check of its pages found no damage; cairn doctor --verify reads everything in it.\n${kept}${upgrade}`,
    );
  });
}
