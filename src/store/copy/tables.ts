/** What is copied from one database to another. */
import type { TableShape } from '../dialect/table-shape.ts';
import type { ReadEngine } from '../engine/engine.ts';

/**
 * Tables that are copied row by row, those that others refer to first: all that the migrations make, but those of {@link isOwn}.
 * The engine is that of a new SQLite database, because any other may also hold tables of other programs.
 */
export async function listCopiedTables({ db, dialect }: ReadEngine): Promise<readonly TableShape[]> {
  const tables = new Map((await dialect.listTables(db)).map((table) => [table.name, table]));
  const ordered = new Set<TableShape>();
  const add = (table: TableShape | undefined, children: readonly string[]) => {
    if (table === undefined || ordered.has(table) || isOwn(table.name)) return;
    if (children.includes(table.name)) throw new Error(`tables refer to each other: ${children.join(', ')}`);
    for (const parent of table.parents) {
      if (parent !== table.name) add(tables.get(parent), [...children, table.name]);
    }
    ordered.add(table);
  };
  for (const table of tables.values()) add(table, []);
  return [...ordered];
}

/** The progress of a copy into a database, which is not whole while it has this table. */
export const PROGRESS = 'copy_progress';

/**
 * Whether a table is a database's own: the journal of its schema, the progress of a copy, the search index, which the server
 * that opens the copy builds again, and sums, which are made as the rows come.
 */
function isOwn(table: string): boolean {
  return (
    table === 'schema_migrations' || table === PROGRESS || table.startsWith('search_') || SUM_TABLES.includes(table)
  );
}

/** What is summed as rows come. */
export const SUM_TABLES: readonly string[] = ['span_sums', 'trace_latencies', 'trace_sums'];

/**
 * How many rows a server that was only started writes into the table at most; into every other table of an empty database it writes
 * none.
 */
export function rowsOfStart(table: string): number {
  return STARTED.get(table) ?? 0;
}

const STARTED: ReadonlyMap<string, number> = new Map([
  ['normalizer_versions', Infinity],
  ['row_ids', Infinity],
  ['ingest_ledger', Infinity],
  ['jobs', Infinity],
  // That the administrator was made; what people do leaves rows in other tables.
  ['audit_events', Infinity],
  // The system's account and the built-in administrator, which are always there.
  ['users', 2],
]);
