/** Counts what became of every span received, in the same transaction that stores it. */
import type { Tables } from '../../schema/tables.ts';
import { prepareQuery, type QueryScope } from './prepared-query.ts';

type Outcome = Tables['ingest_ledger']['outcome'];

interface LedgerEntry {
  readonly projectId: number;
  readonly outcome: Outcome;
  readonly reason: string;
  spanCount: number;
}

/** Counts of one transaction, by what the ledger is keyed by. */
export class LedgerEntries {
  readonly #counts = new Map<string, LedgerEntry>();

  add(projectId: number, outcome: Outcome, reason: string, spanCount: number): void {
    if (spanCount === 0) return;
    const key = `${projectId}:${outcome}:${reason}`;
    const entry = this.#counts.get(key) ?? { projectId, outcome, reason, spanCount: 0 };
    entry.spanCount += spanCount;
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
      outcome: values.outcome,
      reason: values.reason,
      span_count: values.spanCount,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['hour_us', 'project_id', 'api_key_id', 'outcome', 'reason'])
        .doUpdateSet((row) => ({ span_count: row('ingest_ledger.span_count', '+', values.spanCount) })),
    ),
);
