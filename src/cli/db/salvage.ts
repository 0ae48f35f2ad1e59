import { resolve } from 'node:path';
import { AppError } from '#base/errors';
import { salvageDataFile, type SalvagedTable } from '#store/open/salvage';
import { findLockHolder } from '#store/sqlite/server-lock';
import { verifyDatabase } from '#store/verify-database';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import { formatJson } from '../json-output.ts';

/**
 * Copies what is whole of a damaged data file, and prints what is lost; the exit code says whether anything is.
 * @throws AppError with what to do
 */
export async function runSalvage(
  from: string,
  to: string,
  { isJson }: { readonly isJson: boolean },
): Promise<ExitCode> {
  const [source, target] = [resolve(from), resolve(to)];
  const holder = findLockHolder(source);
  if (holder !== undefined) {
    throw new AppError('failed_precondition', `Process ${holder.pid} has ${source} open: stop the server first.`);
  }
  // What applications said to models is for the server's own user alone.
  process.umask(0o077);
  const tables = await salvageDataFile(source, target);
  const config = { engine: 'sqlite', path: target, blockAboveBytes: null } as const;
  const { damage, damageCount } = await verifyDatabase(config, () => undefined);
  const isWhole = damageCount === 0 && tables.every(isTableWhole);
  const messages = damage.map(({ message }) => message);
  process.stdout.write(
    isJson
      ? formatJson({ from: source, to: target, isWhole, tables, damage: messages })
      : `${[...tables.flatMap(describeTable), ...messages, describeResult(target, tables, isWhole)].join('\n')}\n`,
  );
  return isWhole ? EXIT_CODES.ok : EXIT_CODES.failed;
}

function isTableWhole({ lost, refusedCount, missing }: SalvagedTable): boolean {
  return lost.length === 0 && refusedCount === 0 && missing.length === 0;
}

function describeTable(table: SalvagedTable): readonly string[] {
  const { name, rowCount, lost, refusedCount, missing } = table;
  if (isTableWhole(table)) return [];
  const ranges = lost.map(({ from, to }) =>
    to === null ? `from ${from} on` : from === to ? `${from}` : `${from} to ${to}`,
  );
  const unreadable = ranges.length === 0 ? '' : `; rows that cannot be read: ${ranges.join(', ')}`;
  const refused = refusedCount === 0 ? '' : `; ${refusedCount} rows that are damaged, or refer to rows that are lost`;
  const others = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : '';
  const named = `${missing.slice(0, MAX_NAMED).join(', ')}${others}`;
  const absent = missing.length === 0 ? '' : `; rows that other tables lead to, and that were not found: ${named}`;
  return [`${name}: ${rowCount} rows copied${unreadable}${refused}${absent}`];
}

/** Row ids of a line; JSON has all of them. */
const MAX_NAMED = 1000;

function describeResult(target: string, tables: readonly SalvagedTable[], isWhole: boolean): string {
  const count = (name: string) => (tables.find((table) => table.name === name)?.rowCount ?? 0).toLocaleString('en');
  const what = `${target} holds ${count('spans')} spans of ${count('traces')} traces.`;
  const next = 'A server builds columns and the search index when it starts.';
  return isWhole ? `${what} Nothing was lost. ${next}` : `${what} What is named above is lost or damaged. ${next}`;
}
