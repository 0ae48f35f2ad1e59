import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '#base/errors';
import type { Config } from '#config/config';
import { deriveConfig } from '#config/load';
import { engineOf } from '#server/engine-of';
import { copyBetween } from '#store/open/copy-between';
import { describeDataPlace } from '../data-place.ts';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import { formatJson } from '../json-output.ts';
import { stoppable } from './copying.ts';

/**
 * Copies a whole database into an empty one, and prints how much of what.
 * @throws AppError with what to do
 */
export async function runCopy(from: string, to: string, { isJson }: { readonly isJson: boolean }): Promise<ExitCode> {
  const [source, target] = [databaseOf(from), databaseOf(to)];
  if (source.engine === 'sqlite' && !existsSync(source.path))
    throw new AppError('not_found', `There is no file ${source.path}.`);
  const startedMs = performance.now();
  const progress = progressPrinter();
  const { rowCounts } = await stoppable(
    (signal) =>
      copyBetween(
        engineOf({ database: source, storageGuard: null }),
        engineOf({ database: target, storageGuard: null }),
        {
          signal,
          onProgress: progress.onProgress,
        },
      ),
    'What was copied is kept: run the same command to continue.',
  );
  progress.end();
  const seconds = (performance.now() - startedMs) / 1000;
  const place = describeDataPlace(target);
  process.stdout.write(
    isJson
      ? formatJson({ from: describeDataPlace(source), to: place, seconds, rowCounts })
      : `${place} holds ${formatCount(rowCounts['spans'])} spans of ${formatCount(rowCounts['traces'])} traces, copied in ${seconds.toFixed(1)} s and compared to the original. A server builds the search index when it starts.\n`,
  );
  return EXIT_CODES.ok;
}

function formatCount(rows = 0): string {
  return rows.toLocaleString('en');
}

/**
 * The database that an argument names: a URL as in SERVICE_SQL_DATABASE_URL, or the path of a data file.
 * @throws AppError `invalid_argument`
 */
function databaseOf(argument: string): Config['database'] {
  if (!/^\w+(\+\w+)?:/.test(argument)) return { engine: 'sqlite', path: resolve(argument), isTemporary: false };
  const { config, problems } = deriveConfig({ ...cloudVariables(), SERVICE_SQL_DATABASE_URL: argument });
  if (config !== null) return config.database;
  const [problem] = problems;
  throw new AppError('invalid_argument', `A database URL ${problem?.message ?? 'is not valid.'}`);
}

/** What tells a cloud who this program is, and how it logs in. */
function cloudVariables(): Record<string, string | undefined> {
  const names = /^(AWS_|AZURE_|IDENTITY_|SERVICE_POSTGRES_USE_|SERVICE_POSTGRES_AZURE_|SERVICE_SQL_DATABASE_SCHEMA$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)));
}

/** Writes a line to standard error with each table that is done, and with each 100,000 rows of one. */
function progressPrinter() {
  let [table, rows, next]: [string | null, number, number] = [null, 0, ROWS_A_LINE];
  const print = () => {
    if (table !== null) process.stderr.write(`${table}: ${rows.toLocaleString('en')} rows\n`);
  };
  return {
    onProgress: (of: string, rowCount: number) => {
      if (of !== table) {
        print();
        [table, rows, next] = [of, 0, ROWS_A_LINE];
      }
      rows += rowCount;
      if (rows < next) return;
      print();
      next += ROWS_A_LINE;
    },
    end: print,
  };
}

const ROWS_A_LINE = 100_000;
