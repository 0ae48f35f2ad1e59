/** Looks at a data file without changing it: whose it is, and whether this version may open it. */
import { existsSync, statSync } from 'node:fs';
import { errorMessage } from '#base/errors';
import { UNFINISHED_COPY } from '../copy/unfinished.ts';
import { findUnknownMigrations, MIGRATIONS } from '../migrations/list.ts';
import { openSqlite, type SqliteConnection } from './connection.ts';

/** Marks a file as ours in SQLite's header: `CARN`. */
export const APPLICATION_ID = 0x4341524e;

/** What lies at a path. */
export type DataFile =
  | { readonly state: 'absent' | 'empty' }
  | { readonly state: 'ours'; readonly pendingMigrations: number }
  | { readonly state: 'newer'; readonly what: string }
  | { readonly state: 'foreign'; readonly what: string }
  | { readonly state: 'unreadable'; readonly what: string };

/** Tells what the file at the path is. */
export function inspectDataFile(path: string): DataFile {
  if (!existsSync(path)) return { state: 'absent' };
  try {
    if (!statSync(path).isFile()) return { state: 'unreadable', what: 'it is not a file' };
    if (statSync(path).size === 0) return { state: 'empty' };
    const connection = openSqlite(path, { readOnly: true });
    try {
      return inspectSchema(connection);
    } finally {
      connection.close();
    }
  } catch (error) {
    return { state: 'unreadable', what: errorMessage(error) };
  }
}

function inspectSchema(connection: SqliteConnection): DataFile {
  const tables = new Set(names(connection, "SELECT name FROM sqlite_schema WHERE type = 'table'"));
  const [header] = connection.prepare('PRAGMA application_id').all([]) as { application_id: number }[];
  if (header?.application_id !== APPLICATION_ID) {
    if (tables.size === 0) return { state: 'empty' };
    const isPhoenix = tables.has('alembic_version') && tables.has('spans') && tables.has('traces');
    return { state: 'foreign', what: isPhoenix ? "a Phoenix server's database" : "another program's database" };
  }
  if (!tables.has('schema_migrations')) return { state: 'empty' };
  const applied = names(connection, 'SELECT name FROM schema_migrations');
  if (tables.has('copy_progress')) return { state: 'foreign', what: UNFINISHED_COPY };
  const last = findUnknownMigrations(applied).at(-1);
  if (last !== undefined) return { state: 'newer', what: `it has the schema change ${last}` };
  return { state: 'ours', pendingMigrations: MIGRATIONS.length - applied.length };
}

function names(connection: SqliteConnection, query: string): string[] {
  return (connection.prepare(query).all([]) as { name: string }[]).map((row) => row.name);
}
