/** Looks at a database without changing it: whose it is, and whether this version may open it. */
import { type Kysely, sql } from 'kysely';
import { UNFINISHED_COPY } from '../copy/unfinished.ts';
import { findUnknownMigrations, MIGRATIONS } from '../migrations/list.ts';
import type { Tables } from '../schema/tables.ts';

/** What the tables of a schema are. */
export type PostgresContent =
  | { readonly state: 'empty' }
  | { readonly state: 'ours'; readonly pendingMigrations: number }
  | { readonly state: 'newer'; readonly what: string }
  | { readonly state: 'foreign'; readonly what: string }
  /** The server itself is older than this program knows. */
  | { readonly state: 'outdated'; readonly version: string };

/** The oldest server that is known to work. */
const OLDEST_VERSION = 15;

/** Tells what is in the schema that statements of the handle see first. */
export async function inspectPostgres(db: Kysely<Tables>): Promise<PostgresContent> {
  const version = await sql<{ number: number; text: string }>`
    SELECT current_setting('server_version_num')::bigint AS number, current_setting('server_version') AS text`.execute(
    db,
  );
  const [server] = version.rows;
  if (server !== undefined && server.number < OLDEST_VERSION * 10_000)
    return { state: 'outdated', version: server.text };
  const { rows } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`.execute(db);
  const tables = new Set(rows.map(({ name }) => name));
  if (tables.size === 0) return { state: 'empty' };
  if (!tables.has('schema_migrations') || !(await isOurJournal(db))) {
    const isPhoenix = tables.has('alembic_version') && tables.has('spans') && tables.has('traces');
    return { state: 'foreign', what: isPhoenix ? "a Phoenix server's" : "another program's" };
  }
  if (tables.has('copy_progress')) return { state: 'foreign', what: UNFINISHED_COPY };
  const applied = (await db.selectFrom('schema_migrations').select('name').execute()).map(({ name }) => name);
  const last = findUnknownMigrations(applied).at(-1);
  if (last !== undefined) return { state: 'newer', what: `it has the schema change ${last}` };
  return { state: 'ours', pendingMigrations: MIGRATIONS.length - applied.length };
}

/** Other programs call theirs so, too. The catalogue shows the columns even to those who may not read them. */
async function isOurJournal(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM pg_attribute
    WHERE attrelid = to_regclass(quote_ident(current_schema()) || '.schema_migrations')
      AND attname IN ('name', 'applied_at_us')`.execute(db);
  return rows[0]?.count === 2;
}
