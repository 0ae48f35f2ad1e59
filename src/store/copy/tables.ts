/** What is copied from one database to another. */
import type { TableShape } from '../dialect/table-shape.ts';
import type { ReadEngine } from '../engine/engine.ts';

/** Tables that are copied row by row, those that others refer to first: all but those of {@link isOwn}. */
export async function listCopiedTables({ db, dialect }: ReadEngine): Promise<readonly TableShape[]> {
  const tables = new Map((await dialect.listTables(db)).map((table) => [table.name, table]));
  const ordered = new Set<TableShape>();
  const add = (table: TableShape | undefined) => {
    if (table === undefined || ordered.has(table) || isOwn(table.name)) return;
    for (const parent of table.parents) if (parent !== table.name) add(tables.get(parent));
    ordered.add(table);
  };
  for (const table of tables.values()) add(table);
  return [...ordered];
}

/** The progress of a copy into a database, which is not whole while it has this table. */
export const PROGRESS = 'copy_progress';

/**
 * Whether a table is a database's own: the journal of its schema, which server wrote last, the progress of a copy, and the search
 * index, which the server that opens the copy builds again.
 */
function isOwn(table: string): boolean {
  return OWN.has(table) || table.startsWith('search_');
}

const OWN: ReadonlySet<string> = new Set(['schema_migrations', 'write_turn', 'record_turn', PROGRESS]);
