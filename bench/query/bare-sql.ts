/** Bare SQL beside the questions: what an engine takes for a statement, without the product around it. */
import Database from 'better-sqlite3';
import pg from 'pg';
import type { PostgresAddress } from '#store/engine/postgres-address';
import { addQuantile } from '#store/sqlite/quantile';
import { quantile } from './measure.ts';
import type { Question, SqlWords } from './question.ts';
import { MONTH } from './traffic.ts';

/** Rows hold packed members, of which only those without a code are JSON: the text behind such a name. */
const SQLITE: SqlWords = {
  attribute(name) {
    const start = `"${name}":"`;
    const rest = `substr(attributes, instr(attributes, '${start}') + ${start.length})`;
    return `iif(instr(attributes, '${start}') = 0, NULL, substr(${rest}, 1, instr(${rest}, '"') - 1))`;
  },
  quantile: (column, share) => `quantile(${column}, ${share})`,
};

const POSTGRES: SqlWords = {
  attribute: (name) => `split_part(split_part(attributes, '"${name}":"', 2), '"', 1)`,
  quantile: (column, share) => `percentile_cont(${share}) WITHIN GROUP (ORDER BY ${column})`,
};

/** Milliseconds that SQLite takes for the question's own statement, the median of some runs. */
export async function timeOnSqlite({ sql }: Question, dataFile: string): Promise<number> {
  const database = new Database(dataFile, { readonly: true });
  try {
    addQuantile(database);
    const row = database.prepare('SELECT id FROM projects WHERE name = ?').pluck().get(MONTH.project);
    const text = sql?.(SQLITE).replaceAll(':project', String(row));
    const statement = text === undefined ? undefined : database.prepare(text);
    return await median(statement && (() => statement.all()));
  } finally {
    database.close();
  }
}

/** The same of PostgreSQL, as it is set up without the product. */
export async function timeOnPostgres({ sql }: Question, address: PostgresAddress): Promise<number> {
  const { host, port, database, user } = address;
  const client = new pg.Client({ host, port, database, user, password: () => '', ssl: false });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>('SELECT id FROM projects WHERE name = $1', [MONTH.project]);
    const text = sql?.(POSTGRES).replaceAll(':project', String(rows[0]?.id));
    return await median(text === undefined ? undefined : () => client.query(text));
  } finally {
    await client.end();
  }
}

async function median(run: (() => unknown) | undefined): Promise<number> {
  if (run === undefined) return Number.NaN;
  const waits: number[] = [];
  for (let time = 0; time < SQL_TIMES; time++) {
    const startedAt = performance.now();
    await run();
    waits.push(performance.now() - startedAt);
  }
  return quantile(waits, 0.5);
}

const SQL_TIMES = 3;
