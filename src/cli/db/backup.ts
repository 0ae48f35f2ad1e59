import { resolve } from 'node:path';
import { yieldToOthers } from '#base/thread-priority';
import type { Flags } from '#config/read-environment';
import { backUpDataFile } from '#store/sqlite/backup/back-up';
import type { ExitCode } from '../exit-codes.ts';
import { formatJson } from '../json-output.ts';
import { progressPrinter, stoppable } from './copying.ts';
import { formatBytes } from './format-bytes.ts';
import { dataFileOf, runOnDatabase } from './run-on-database.ts';

/** Copies the data to a file, and prints what is in it. */
export function runBackup(
  file: string,
  flags: Flags,
  { isReplacing, isJson }: { readonly isReplacing: boolean; readonly isJson: boolean },
): Promise<ExitCode> {
  return runOnDatabase(flags, async (config) => {
    const dataFile = dataFileOf(config);
    const place = resolve(file);
    const startedMs = performance.now();
    const backup = await stoppable((signal, letGo) =>
      backUpDataFile(dataFile, place, {
        isReplacing,
        signal,
        onProgress: progressPrinter(letGo),
        onCopied: yieldToOthers,
      }),
    );
    const seconds = (performance.now() - startedMs) / 1000;
    const { bytes, sha256, rows } = backup;
    process.stdout.write(
      isJson
        ? formatJson({ file: place, dataFile, seconds, ...backup })
        : `${place} holds ${(rows['spans'] ?? 0).toLocaleString('en')} spans of ${(rows['traces'] ?? 0).toLocaleString('en')} traces in ${formatBytes(bytes)}, written in ${seconds.toFixed(1)} s.
The copy was compared with the data and is intact. SHA-256: ${sha256}
`,
    );
  });
}
