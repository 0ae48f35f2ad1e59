/** Asks a question again and again. */
import Database from 'better-sqlite3';
import { addQuantile } from '#store/sqlite/quantile';
import type { Month, Question } from './questions.ts';

/** Milliseconds of one question. */
export interface Timing {
  /** The first answer of a server that has just started. */
  readonly coldMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** What the answers held. */
  readonly held: string;
}

/** Asks so many times, one after the other. */
export async function timeQuestion({ ask }: Question, month: Month, times: number): Promise<Timing> {
  const waits: number[] = [];
  let held = '';
  for (let turn = 0; turn <= times; turn++) {
    const askedAt = performance.now();
    held = await ask(month);
    waits.push(performance.now() - askedAt);
  }
  const [coldMs = Number.NaN, ...warm] = waits;
  return { coldMs, p50Ms: quantile(warm, 0.5), p95Ms: quantile(warm, 0.95), p99Ms: quantile(warm, 0.99), held };
}

/** The value that the share of values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[Math.min(Math.ceil(ascending.length * share), ascending.length) - 1] ?? Number.NaN;
}

/** Milliseconds that SQLite takes for the question's own statement, the median of some runs. */
export function timeSql({ sql }: Question, dataFile: string, project: string): number {
  const database = new Database(dataFile, { readonly: true });
  try {
    addQuantile(database);
    const row = database.prepare('SELECT id FROM projects WHERE name = ?').pluck().get(project);
    const statement = database.prepare(sql);
    const waits = Array.from({ length: SQL_TIMES }, () => {
      const startedAt = performance.now();
      statement.all(sql.includes(':project') ? { project: row } : {});
      return performance.now() - startedAt;
    });
    return quantile(waits, 0.5);
  } finally {
    database.close();
  }
}

const SQL_TIMES = 3;
