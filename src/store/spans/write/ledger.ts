/** Counts what became of everything received, in the same transaction that stores it. */
import { type SqlBool, sql } from 'kysely';
import type { Signal } from '#otlp/signal';
import type { Tables } from '../../schema/tables.ts';
import { prepareQuery, type QueryScope } from '../../queries/prepared-query.ts';

type Outcome = Tables['ingest_ledger']['outcome'];

interface LedgerEntry {
  readonly projectId: number;
  readonly signal: Signal;
  readonly outcome: Outcome;
  readonly reason: string;
  itemCount: number;
}

/** Counts of one transaction, by what the ledger is keyed by. */
export class LedgerEntries {
  readonly #counts = new Map<string, LedgerEntry>();

  add(projectId: number, signal: Signal, outcome: Outcome, reason: string, itemCount: number): void {
    if (itemCount === 0) return;
    const key = `${projectId}:${signal}:${outcome}:${reason}`;
    const entry = this.#counts.get(key) ?? { projectId, signal, outcome, reason, itemCount: 0 };
    entry.itemCount += itemCount;
    this.#counts.set(key, entry);
  }

  /** Adds the counts to the hour's rows. */
  async write(scope: QueryScope, nowUs: number): Promise<void> {
    const hourUs = nowUs - (nowUs % HOUR_US);
    const rows = [...this.#counts.values()].map(({ projectId, signal, outcome, reason, itemCount }) => [
      hourUs,
      projectId,
      signal,
      outcome,
      reason,
      itemCount,
    ]);
    if (rows.length > 0) await addToHour(scope, { rows: JSON.stringify(rows) });
  }
}

const HOUR_US = 3_600_000_000;

const ROW = {
  hour_us: 'number',
  project_id: 'number',
  signal: 'text',
  outcome: 'text',
  reason: 'text',
  item_count: 'number',
} as const;

const KEY = ['hour_us', 'project_id', 'api_key_id', 'signal', 'outcome', 'reason'] as const;

const addToHour = prepareQuery(({ db, dialect }, values: { readonly rows: string }) =>
  db
    .insertInto('ingest_ledger')
    .columns([...KEY, 'item_count'])
    .expression(
      db
        .selectFrom(
          dialect.tuplesOfJson(values.rows, ROW).$castTo<Omit<Tables['ingest_ledger'], 'api_key_id'>>().as('added'),
        )
        .select(['hour_us', 'project_id', sql.lit(0).as('api_key_id'), 'signal', 'outcome', 'reason', 'item_count'])
        // SQLite takes ON CONFLICT for a condition of a join where none comes before it.
        .where(sql<SqlBool>`TRUE`),
    )
    .onConflict((conflict) =>
      conflict.columns(KEY).doUpdateSet((row) => ({
        item_count: row('ingest_ledger.item_count', '+', row.ref('excluded.item_count')),
      })),
    ),
);
