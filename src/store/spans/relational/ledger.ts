/** Counts what became of everything received, in the same transaction that stores it. */
import type { Signal } from '#otlp/signal';
import type { Tables } from '../../schema/tables.ts';
import { prepareQuery, type QueryScope } from './prepared-query.ts';

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
    for (const entry of this.#counts.values()) await addToHour(scope, { hourUs, ...entry });
  }
}

const HOUR_US = 3_600_000_000;

const addToHour = prepareQuery(({ db }, values: LedgerEntry & { readonly hourUs: number }) =>
  db
    .insertInto('ingest_ledger')
    .values({
      hour_us: values.hourUs,
      project_id: values.projectId,
      api_key_id: 0,
      signal: values.signal,
      outcome: values.outcome,
      reason: values.reason,
      item_count: values.itemCount,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['hour_us', 'project_id', 'api_key_id', 'signal', 'outcome', 'reason'])
        .doUpdateSet((row) => ({ item_count: row('ingest_ledger.item_count', '+', values.itemCount) })),
    ),
);
