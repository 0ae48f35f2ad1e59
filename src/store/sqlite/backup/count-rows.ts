import type { SqliteConnection } from '../connection.ts';

/** How many rows each table of a data file has, by its name; of virtual tables those that they are made of. */
export function countRows(connection: SqliteConnection): Readonly<Record<string, number>> {
  const tables = connection
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
    )
    .all([]) as { name: string }[];
  return Object.fromEntries(
    tables.map(({ name }) => {
      const [row] = connection.prepare(`SELECT count(*) AS count FROM "${name.replaceAll('"', '""')}"`).all([]) as {
        count: number;
      }[];
      return [name, row?.count ?? 0];
    }),
  );
}
