/** Counts what became of everything received, in the same transaction that stores it. */
import { type SqlBool, sql } from 'kysely';
import type { Signal } from '#otlp/signal';
import type { Tables } from '../../schema/tables.ts';
import { prepareQuery, type QueryScope } from '../../queries/prepared-query.ts';

type Outcome = Tables['ingest_ledger']['outcome'];

interface LedgerKey {
  readonly projectId: number;
  /** 0 where no key was used. */
  readonly keyRowId: number;
  readonly signal: Signal | 'annotations';
  readonly outcome: Outcome;
  readonly reason: string;
}

interface LedgerEntry extends LedgerKey {
  itemCount: number;
}

/** Counts of one transaction, by what the ledger is keyed by. */
export class LedgerEntries {
  readonly #counts = new Map<string, LedgerEntry>();

  add(of: LedgerKey, itemCount: number): void {
    if (itemCount === 0) return;
    const key = `${of.projectId}:${of.keyRowId}:${of.signal}:${of.outcome}:${of.reason}`;
    const entry = this.#counts.get(key) ?? { ...of, itemCount: 0 };
    entry.itemCount += itemCount;
    this.#counts.set(key, entry);
  }

  /** Adds the counts to the hour's rows. */
  async write(scope: QueryScope, nowUs: number): Promise<void> {
    const hourUs = nowUs - (nowUs % HOUR_US);
    const rows = [...this.#counts.values()].map(({ projectId, keyRowId, signal, outcome, reason, itemCount }) => [
      hourUs,
      projectId,
      keyRowId,
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
  api_key_id: 'number',
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
        .selectFrom(dialect.tuplesOfJson(values.rows, ROW).$castTo<Tables['ingest_ledger']>().as('added'))
        .select([...KEY, 'item_count'])
        // SQLite takes ON CONFLICT for a condition of a join where none comes before it.
        .where(sql<SqlBool>`TRUE`),
    )
    .onConflict((conflict) =>
      conflict.columns(KEY).doUpdateSet((row) => ({
        item_count: row('ingest_ledger.item_count', '+', row.ref('excluded.item_count')),
      })),
    ),
);
