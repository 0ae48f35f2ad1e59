/**
 * The ceiling: how fast PostgreSQL takes the very rows that a run has written, by binary COPY into the same tables with the same
 * indexes, when nothing else is done: the rows are encoded before the clock starts.
 */
import type { PostgresAddress } from '#store/engine/postgres-address';
import { type CopyColumn, encodeRows } from '#store/postgres/copy-format';
import { preparePostgres } from '#store/postgres/prepare';
import type { PostgresSession } from '#store/postgres/session';
import type { ColumnValue } from '#store/schema/column-value';
import { openBenchSession } from './postgres-session.ts';

/** The tables that grow with spans, each with its key. */
const TABLES = {
  traces: 'id',
  sessions: 'id',
  spans: 'id',
  blocks: 'id',
  span_locations: 'span_row_id',
} as const;

interface CeilingPlan {
  /** Of the cluster's maintenance database. */
  readonly admin: PostgresSession;
  readonly written: PostgresSession;
  readonly address: PostgresAddress;
  /** Transactions that the rows are spread over. */
  readonly commitCount: number;
}

/** Spans per second. The database that was written is gone afterwards, so that nobody tidies it up meanwhile. */
export async function measurePostgresCeiling({ admin, written, address, commitCount }: CeilingPlan): Promise<number> {
  const loads = await Promise.all(Object.keys(TABLES).map((table) => readLoad(written, table, commitCount)));
  await written.close();
  await admin.exec(`DROP DATABASE ${address.database} WITH (FORCE)`);
  await admin.exec(`CREATE DATABASE ${NAME}`);
  const target = { ...address, database: NAME };
  await preparePostgres(target);
  await admin.exec('CHECKPOINT');
  const session = openBenchSession(target);
  try {
    const startedAt = performance.now();
    for (let commit = 0; commit < commitCount; commit++) {
      await session.begin();
      for (const { copy, parts } of loads) await session.copyIn(copy, [parts[commit] as Buffer]);
      await session.commit();
    }
    const seconds = (performance.now() - startedAt) / 1000;
    return (loads.find(({ table }) => table === 'spans')?.rowCount ?? 0) / seconds;
  } finally {
    await session.close();
  }
}

const NAME = 'ceiling';

interface Load {
  readonly table: string;
  readonly copy: string;
  readonly rowCount: number;
  /** Encoded rows of each transaction. */
  readonly parts: readonly Buffer[];
}

async function readLoad(session: PostgresSession, table: string, commitCount: number): Promise<Load> {
  const { rows: described } = await session.run(
    `SELECT attname AS name, atttypid AS type FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table],
  );
  const columns = described as readonly CopyColumn[];
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const key = TABLES[table as keyof typeof TABLES];
  const rows = (await session.run(`SELECT ${names} FROM ${table} ORDER BY ${key}`, [])).rows as readonly Readonly<
    Record<string, ColumnValue>
  >[];
  const parts = Array.from({ length: commitCount }, (_, commit) => {
    const [from, to] = [commit, commit + 1].map((place) => Math.floor((rows.length * place) / commitCount));
    return Buffer.concat(encodeRows(columns, rows.slice(from, to)));
  });
  return { table, copy: `COPY ${table} (${names}) FROM STDIN (FORMAT binary)`, rowCount: rows.length, parts };
}
