/**
 * Which response ids the stored calls of recent moments have: nearly every id is new, and what is new need not be looked up
 * in the database.
 */
import { sql } from 'kysely';
import { CLAIMS, SAME_CALL_WINDOW_US } from '#derive/usage';
import { prepareQuery, type QueryScope } from '../../queries/prepared-query.ts';

/** Which of a moment's parts a call belongs to: calls of one answer are in the same part or in neighbouring ones. */
export function partOf(startUs: number): number {
  return Math.floor(startUs / SAME_CALL_WINDOW_US);
}

/**
 * Keys by part. What it has not may be nowhere in a part that is loaded; what it has may be gone, or never have been
 * committed.
 */
export class ResponseKeys {
  /** `null` for a part with more keys than are kept. */
  readonly #parts = new Map<number, Set<number> | null>();

  /** Forgets all of them: others may have stored calls. */
  forget(): void {
    this.#parts.clear();
  }

  /** Makes the parts known. Index: calls_by_response, which it reads alone. */
  async load(scope: QueryScope, parts: ReadonlySet<number>): Promise<void> {
    const unknown: number[] = [];
    for (const part of parts) {
      const known = this.#parts.get(part);
      this.#parts.delete(part);
      this.#parts.set(part, known ?? null);
      if (known === undefined) unknown.push(part);
    }
    if (unknown.length === 0) return;
    const rows = await selectKeys(scope, { parts: JSON.stringify(unknown) });
    if (rows.length <= MAX_KEYS) {
      for (const part of unknown) this.#parts.set(part, new Set());
      for (const { part, key } of rows) this.#parts.get(part)?.add(key);
    }
    for (const oldest of this.#parts.keys()) {
      if (this.#parts.size <= MAX_PARTS || parts.has(oldest)) break;
      this.#parts.delete(oldest);
    }
  }

  /** Whether a stored call of the part may have the key. */
  mayHave(part: number, key: number): boolean {
    const keys = this.#parts.get(part);
    return keys === null || keys === undefined || keys.has(key);
  }

  /** Notes a call that is about to be stored. */
  add(part: number, key: number): void {
    const keys = this.#parts.get(part);
    keys?.add(key);
    if (keys != null && keys.size > MAX_KEYS) this.#parts.set(part, null);
  }
}

/** Parts that are kept: some five minutes, if a minute is all that is sent of at a time. */
const MAX_PARTS = 64;

/** Keys that are kept of a part, 40 bytes each. */
const MAX_KEYS = 20_000;

const selectKeys = prepareQuery(({ db, dialect }, values: { readonly parts: string }) => {
  const part = sql<number>`(start_us >> ${sql.lit(Math.log2(SAME_CALL_WINDOW_US))})`;
  return db
    .selectFrom('spans')
    .select([part.as('part'), sql<number>`response_key`.as('key')])
    .where(part, 'in', dialect.numbersOfJson(values.parts))
    .where('response_key', 'is not', null)
    .where('call_distance', '=', sql.lit(CLAIMS))
    .limit(sql.lit(MAX_KEYS + 1));
});
