/** Finds damaged tables that can be made again, and makes them. */
import { sql } from 'kysely';
import type { ReadEngine, WriteEngine } from '../engine/engine.ts';
import type { Tables } from '../schema/tables.ts';
import { DERIVED_TABLES, renewDerived } from './derived-tables.ts';
import { RECORD_TABLES, renewRecords } from './record-tables.ts';

/** Tables that have damaged pages, as far as the engine can tell. Reads all of them. */
export function findDamagedTables(
  find: ReadEngine['findDamagedTables'],
  among: readonly (keyof Tables)[] = [...RECORD_TABLES, ...DERIVED_TABLES],
): readonly string[] {
  return find?.(among) ?? [];
}

/** Makes damaged tables again, in transactions of its own; says what becomes of them. */
export async function renewTables(
  engine: Pick<WriteEngine, 'db' | 'replaceTables' | 'salvageRows'>,
  damaged: readonly string[],
): Promise<string> {
  const outcomes: string[] = [];
  const records = RECORD_TABLES.filter((table) => damaged.includes(table));
  if (records.length > 0) {
    await sql`PRAGMA foreign_keys = OFF`.execute(engine.db);
    try {
      for (const table of records) outcomes.push(await renewRecords(engine, table));
    } finally {
      await sql`PRAGMA foreign_keys = ON`.execute(engine.db);
    }
  }
  const derived = damaged.filter((table) => !records.some((record) => record === table));
  if (derived.length > 0) outcomes.push(await renewDerived(engine, derived));
  return outcomes.join(' ');
}
