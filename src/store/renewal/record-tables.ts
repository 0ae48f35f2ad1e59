/** Tables whose rows are in no other table: where one is damaged, it is made again from the rows that can be read, and from what an index says of the others. */
import { type Kysely, sql } from 'kysely';
import { systemCaller } from '#domain/caller';
import { writeAudit } from '../commands/audit.ts';
import { noteDamage } from '../engine/damage.ts';
import type { WriteEngine } from '../engine/engine.ts';
import { isDamage } from '../engine/storage-error.ts';
import { newProjectRow } from '../projects/new-project-row.ts';
import type { Tables } from '../schema/tables.ts';

/**
 * Adds what an index still says of lost rows to those that were read; returns sentences that name what is lost all the same. `null` where rows are
 * lost whole.
 */
type Refill = ((db: Kysely<Tables>) => Promise<readonly string[]>) | null;

/** Those that storing, lists or changes need whatever they are about. Who may do what is in none of them. */
export const RECORD_TABLES = [
  // The renewal of the others is noted in it.
  'audit_events',
  'otel_resources',
  'instrumentation_scopes',
  'projects',
  'annotations',
  'ingest_ledger',
] as const;

/** One of them. */
export type RecordTable = (typeof RECORD_TABLES)[number];

const REFILLS: Readonly<Record<RecordTable, Refill>> = {
  otel_resources: (db) => keepHashes(db, 'otel_resources'),
  instrumentation_scopes: (db) => keepHashes(db, 'instrumentation_scopes'),
  projects: keepNames,
  annotations: nameAnnotations,
  ingest_ledger: null,
  audit_events: null,
};

/** Puts a whole table in the place of a damaged one; says what it holds. Foreign keys must not be enforced meanwhile. */
export async function renewRecords(
  { db, replaceTables, salvageRows }: Pick<WriteEngine, 'db' | 'replaceTables' | 'salvageRows'>,
  table: RecordTable,
): Promise<string> {
  const isAnyLost = salvageRows?.(table, KEPT_NAME) ?? false;
  const read = await countKept(db);
  const lost = isAnyLost ? [...(await refill(db, table))] : [];
  const found = (await countKept(db)) - read;
  const leftOut = await db.transaction().execute(async (transaction) => {
    replaceTables?.([table]);
    // What flipped bytes have made of a row may be no row of the table.
    const insert = sql`INSERT OR IGNORE INTO ${sql.table(table)} SELECT * FROM ${KEPT}`;
    const { numAffectedRows = 0n } = await insert.execute(transaction);
    const notHeld = read + found - Number(numAffectedRows);
    const messages = notHeld === 0 ? [] : await nameLeftOut(transaction, table, notHeld);
    await sql`DROP TABLE ${KEPT}`.execute(transaction);
    const changes = [
      `rows read: ${read}`,
      `rows filled: ${found}`,
      ...(notHeld > 0 ? [`rows left out: ${notHeld}`] : []),
      ...(isAnyLost ? ['rows lost'] : []),
    ];
    const note = { object: { type: 'Table', id: table, name: table }, changes };
    await writeAudit(transaction, 'storage.renewTable', systemCaller('renewal'), [note]);
    return { count: notHeld, messages };
  });
  lost.push(...leftOut.messages);
  for (const message of lost.slice(0, MAX_NAMED)) noteDamage({ kind: 'record', message, spans: [] });
  const others = lost.length > MAX_NAMED ? ` ${lost.length - MAX_NAMED} more things are lost than were named.` : '';
  const exceptions =
    leftOut.count > 0 ? ` ${leftOut.count} of them break a constraint of the table and were left out.` : '';
  return `The table ${table} was damaged and has been made again. Of its rows ${read} were read, and ${found} were filled from an index.${exceptions}${others}`;
}

/** Names rows that were read, but that the table may not hold: something in them is not what was stored. By their IDs, if those are their own. */
async function nameLeftOut(db: Kysely<Tables>, table: RecordTable, count: number): Promise<readonly string[]> {
  const all = [`${count} rows of the table ${table} break a constraint of it and were left out.`];
  if (table === 'ingest_ledger') return all;
  const { rows } = await sql<{ id: number | null }>`
    SELECT id FROM ${KEPT} WHERE id NOT IN (SELECT id FROM ${sql.table(table)}) LIMIT ${MAX_NAMED}`.execute(db);
  if (rows.length < count) return all;
  return rows.map(
    ({ id }) => `The row of the table ${table} with ID ${id} breaks a constraint of it and was left out.`,
  );
}

const MAX_NAMED = 100;

const KEPT_NAME = 'rows_that_are_kept';
const KEPT = sql.table(KEPT_NAME);

async function countKept(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS "count" FROM ${KEPT}`.execute(db);
  return rows[0]?.count ?? 0;
}

async function refill(db: Kysely<Tables>, table: RecordTable): Promise<readonly string[]> {
  const unnamed = [`Rows of the table ${table} are lost.`];
  try {
    return (await REFILLS[table]?.(db)) ?? unnamed;
  } catch (error) {
    if (isDamage(error)) return unnamed;
    throw error;
  }
}

/**
 * Keeps the ids and hashes of lost envelopes. An empty envelope does not have the hash: the row is damaged, and so are the spans that share it,
 * until the envelope is sent again.
 */
async function keepHashes(db: Kysely<Tables>, table: 'otel_resources' | 'instrumentation_scopes') {
  const lost = lostRows(table, `sqlite_autoindex_${table}_1`);
  await sql`INSERT INTO ${KEPT} (id, hash, envelope) SELECT id, hash, x'' FROM ${lost}`.execute(db);
  return [];
}

/** Keeps the ids and names of lost projects, which otherwise look like new ones. */
async function keepNames(db: Kysely<Tables>) {
  const lost = lostRows('projects', 'sqlite_autoindex_projects_1');
  const { rows } = await sql<{ id: number; name: string }>`SELECT id, name FROM ${lost}`.execute(db);
  for (const { id, name } of rows) {
    const row = { id, ...newProjectRow(name) };
    const columns = Object.keys(row).map((column) => sql.ref(column));
    await sql`INSERT INTO ${KEPT} (${sql.join(columns)}) VALUES (${sql.join(Object.values(row))})`.execute(db);
  }
  return rows.map(({ name }) => `The project "${name}" has lost its description, colours and dates.`);
}

/** Keeps none: their indexes do not say who wrote an annotation, and why. */
async function nameAnnotations(db: Kysely<Tables>) {
  const { rows } = await sql<{ name: string; target: string; of: string | null }>`
    SELECT name, target, CASE target
      WHEN 'trace' THEN (SELECT trace_id FROM traces WHERE traces.id = target_row_id)
      WHEN 'session' THEN (SELECT session_id FROM sessions WHERE sessions.id = target_row_id)
      ELSE (SELECT span_id FROM spans WHERE spans.id = target_row_id) END AS "of"
    FROM ${lostRows('annotations', 'annotations_of_target')}`.execute(db);
  return rows.map(({ name, target, of }) => `The annotation "${name}" of the ${target} ${of ?? '(deleted)'} is lost.`);
}

/** Rows that were not read, as an index has them; not those with flipped ids that were never given out. */
function lostRows(table: RecordTable, index: string) {
  return sql`${sql.table(table)} INDEXED BY ${sql.ref(index)}
    WHERE +id NOT IN (SELECT id FROM ${KEPT}) AND +id <= (SELECT seq FROM sqlite_sequence WHERE name = ${table})`;
}
