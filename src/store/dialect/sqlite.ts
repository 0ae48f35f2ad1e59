/** SQLite's expressions. */
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import type { SqlDialect, TableSize, TableUse } from './dialect.ts';
import { type TableRow, toTableShape } from './table-shape.ts';

/** Every page of a file up to so large is looked at within some three seconds, for which a reader does nothing else. */
const MAX_WALKED_BYTES = 4_000_000_000;

/** SQLite. */
export const sqliteDialect: SqlDialect = {
  name: 'sqlite',
  compileFor: (driver) => ({
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }),
  define: (statement) => statement,
  // A file has one writer, which migrates before it writes.
  buildIndex: async (db, { name, on }) => {
    await sql`CREATE INDEX IF NOT EXISTS ${sql.id(name)} ON ${sql.raw(on)}`.execute(db);
  },
  hasTable: async (db, table) => {
    const { rows } = await sql`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ${table}`.execute(db);
    return rows.length > 0;
  },
  listTables: async (db) => {
    const { rows } = await sql<Omit<TableRow, 'isSelfNumbered'>>`SELECT name,
        (SELECT json_group_array(name ORDER BY pk) FROM pragma_table_xinfo(tables.name) WHERE pk > 0) AS key,
        (SELECT json_group_array(name) FROM pragma_table_xinfo(tables.name) WHERE hidden IN (2, 3)) AS computed,
        (SELECT json_group_array(DISTINCT "table") FROM pragma_foreign_key_list(tables.name)) AS parents
      FROM sqlite_schema AS tables WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`.execute(db);
    // It goes on after the largest number by itself.
    return rows.map((row) => toTableShape({ ...row, isSelfNumbered: false }));
  },
  measureTables: async (db) => {
    const { rows } = await sql<TableSize>`SELECT 'SQLite' AS name, (page_count - freelist_count) * page_size AS bytes
      FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`.execute(db);
    return rows;
  },
  measureSpace: async (db) => {
    const {
      rows: [size = { bytes: 0, freeBytes: 0 }],
    } = await sql<{ readonly bytes: number; readonly freeBytes: number }>`SELECT page_count * page_size AS bytes,
        freelist_count * page_size AS "freeBytes"
      FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`.execute(db);
    if (size.bytes > MAX_WALKED_BYTES) return { tables: null, freeBytes: size.freeBytes };
    const { rows } = await sql<TableUse>`SELECT owner.tbl_name AS name,
        sum(CASE owner.type WHEN 'table' THEN tree.pgsize ELSE 0 END) AS bytes,
        sum(CASE owner.type WHEN 'table' THEN 0 ELSE tree.pgsize END) AS "indexBytes"
      FROM dbstat AS tree CROSS JOIN sqlite_schema AS owner ON owner.name = tree.name
      WHERE tree.aggregate = TRUE GROUP BY owner.tbl_name ORDER BY owner.tbl_name`.execute(db);
    return { tables: rows, freeBytes: size.freeBytes };
  },
  // It sees which number is the largest.
  continueNumbers: async () => undefined,
  // Its plans are those of a database without statistics, whatever it holds.
  analyze: async () => undefined,
  lockRows: async () => undefined,
  nowUs: "CAST(strftime('%s', 'now') AS INTEGER) * 1000000",
  numbersOf: (values) => sqliteDialect.numbersOfJson(JSON.stringify(values)),
  textsOf: (values) => sqliteDialect.textsOfJson(JSON.stringify(values)),
  numbersOfJson: (list) => sql`(SELECT value FROM json_each(${list}))`,
  textsOfJson: (list) => sql`(SELECT value FROM json_each(${list}))`,
  // A statement costs what it reads, and a page may end with the next segment.
  segmentsAtOnce: 1,
  idsByNumber: (json) => sql`(SELECT CAST(holder.key AS INTEGER) AS number, item.value AS id
    FROM json_each(${json}) AS holder CROSS JOIN json_each(holder.value) AS item)`,
  tuplesOfJson(json, columns) {
    const members = Object.keys(columns).map(
      (column, place) => sql`json_extract(value, ${sql.lit(`$[${place}]`)}) AS ${sql.ref(column)}`,
    );
    return sql`(SELECT ${sql.join(members)} FROM json_each(${json}))`;
  },
  least: (a, b) => sql`min(${a}, ${b})`,
  greatest: (a, b) => sql`max(${a}, ${b})`,
  positionOf: (part, text) => sql`instr(${text}, ${part})`,
  unindexed: (column) => sql`+${sql.ref(column)}`,
  joinInOrder: sql`CROSS JOIN`,
  quantile: (value, probability) => sql<number | null>`quantile(${value}, ${probability})`,
  valueAt: (value, place) => sql<number | null>`value_at(${value}, ${place})`,
  hexOf: (bytes) => sql<string>`hex(${bytes})`,
  // Of blocks of 2 to 20 kB, these take 9 % more than they hold, where one row takes 9 to 29; half and twice the size take more.
  blockPieceBytes: 1000,
  collect: (value) => sql<string>`json_group_array(${value})`,
  collectTuples: (...values) => sql<string>`json_group_array(json_array(${sql.join(values)}))`,
};
