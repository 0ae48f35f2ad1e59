/** Counts what became of every span received, in the same transaction that stores it. */
import type { Kysely } from 'kysely';
import type { Tables } from '../../schema/tables.ts';

type Outcome = Tables['ingest_ledger']['outcome'];

/** Counts of one transaction, by what the ledger is keyed by. */
export class LedgerEntries {
  readonly #counts = new Map<string, { projectId: number; outcome: Outcome; reason: string; spanCount: number }>();

  add(projectId: number, outcome: Outcome, reason: string, spanCount: number): void {
    if (spanCount === 0) return;
    const key = `${projectId}:${outcome}:${reason}`;
    const entry = this.#counts.get(key) ?? { projectId, outcome, reason, spanCount: 0 };
    entry.spanCount += spanCount;
    this.#counts.set(key, entry);
  }

  /** Adds the counts to the hour's rows. */
  async write(db: Kysely<Tables>, nowUs: number): Promise<void> {
    for (const { projectId, outcome, reason, spanCount } of this.#counts.values()) {
      await db
        .insertInto('ingest_ledger')
        .values({
          hour_us: nowUs - (nowUs % HOUR_US),
          project_id: projectId,
          api_key_id: 0,
          outcome,
          reason,
          span_count: spanCount,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['hour_us', 'project_id', 'api_key_id', 'outcome', 'reason'])
            .doUpdateSet((row) => ({ span_count: row('ingest_ledger.span_count', '+', spanCount) })),
        )
        .execute();
    }
  }
}

const HOUR_US = 3_600_000_000;
