/** Which rows of batches a filter is true of. */
import type { Condition } from '#filter/tree';
import type { SpanBatch } from '../columns/batch.ts';
import { type OwnerConditions, openOwnerVerdicts, type OwnerVerdicts } from '../query/grains/owner-verdicts.ts';
import { decideBatch, type PreparedFilter, prepareFilter } from '../query/prepare-filter.ts';
import { NO, UNCERTAIN, type Verdicts, YES } from '../query/verdicts.ts';
import { verifyRows } from '../query/verify-rows.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import type { Budget } from '../query/budget.ts';
import type { Rows } from './facet-counter.ts';
import type { ScanNeeds } from './scan.ts';

/** A filter ready for batches; without a condition everything matches. */
export class SpanMatcher {
  readonly #scope: ReadScope;
  readonly #filter: PreparedFilter | null;
  readonly #owners: OwnerVerdicts | null;
  readonly #budget: Budget;

  private constructor(scope: ReadScope, filter: PreparedFilter | null, owners: OwnerVerdicts | null, budget: Budget) {
    this.#scope = scope;
    this.#filter = filter;
    this.#owners = owners;
    this.#budget = budget;
  }

  /** Makes the condition ready, and notes what it needs of batches. */
  static async open(
    scope: ReadScope,
    condition: Condition | null,
    needs: ScanNeeds,
    budget: Budget,
    owners: OwnerVerdicts | null = null,
  ): Promise<SpanMatcher> {
    const filter = condition === null ? null : await prepareFilter(scope, condition);
    for (const column of filter?.columns ?? []) needs.columns.add(column);
    for (const path of filter?.attributes ?? []) needs.attributes.add(path);
    if (owners !== null) needs.columns.add('trace_row_id');
    return new SpanMatcher(scope, filter, owners, budget);
  }

  /** What passes over segments and rows in which nothing matches. */
  get screens(): Pick<PreparedFilter, 'screen' | 'rows'> {
    return { screen: this.#filter?.screen ?? null, rows: this.#filter?.rows ?? null };
  }

  /**
   * Keeps of the rows those that match. Where only originals tell and there is no time left to read them, the rows are left
   * out, and the budget says that it is exceeded.
   */
  async narrow(batch: SpanBatch, rows: Rows): Promise<Rows> {
    const matches = await this.#narrowByFilter(batch, rows);
    return this.#owners === null ? matches : keepOwned(batch, matches, this.#owners);
  }

  async #narrowByFilter(batch: SpanBatch, rows: Rows): Promise<Rows> {
    if (this.#filter === null || rows.count === 0) return rows;
    const verdicts = await decideBatch(this.#scope, this.#filter, batch);
    const uncertain: number[] = [];
    for (let index = 0; index < rows.count; index++) {
      const row = rows.rows[index] ?? 0;
      if (verdicts[row] === UNCERTAIN) uncertain.push(row);
    }
    if (uncertain.length > 0) await this.#verify(this.#filter, batch, uncertain, verdicts);
    return keepMatches(rows, verdicts);
  }

  async #verify(filter: PreparedFilter, { rowIds }: SpanBatch, uncertain: readonly number[], into: Verdicts) {
    for (const row of uncertain) into[row] = NO;
    for (let start = 0; start < uncertain.length; start += VERIFIED_AT_ONCE) {
      if (start > 0 && this.#budget.isOver) return;
      const part = uncertain.slice(start, start + VERIFIED_AT_ONCE);
      const { matches, undecided } = await verifyRows(
        this.#scope,
        filter,
        part.map((row) => rowIds[row] ?? 0),
        this.#budget,
      );
      for (const row of part) if (matches.has(rowIds[row] ?? 0)) into[row] = YES;
      if (undecided.size > 0) return;
    }
  }
}

/** What is asked of the owners of the spans or traces of a question; they are looked at newest first. */
export function openOwners(
  scope: ReadScope,
  question: OwnerConditions & { readonly projectRowId: number },
  budget: Budget,
): OwnerVerdicts | null {
  const { projectRowId } = question;
  return openOwnerVerdicts(scope, question, { projectRowId, window: null, assertNotLost: () => void budget.isOver });
}

/** All rows of a batch. */
export function allRows({ rowCount }: SpanBatch): Rows {
  if (rowCount > everyRow.length) everyRow = Uint16Array.from({ length: rowCount }, (_, row) => row);
  return { rows: everyRow, count: rowCount };
}

/** Originals that are decoded between two looks at the clock. */
const VERIFIED_AT_ONCE = 256;

let everyRow = new Uint16Array();

async function keepOwned(batch: SpanBatch, { rows, count }: Rows, owners: OwnerVerdicts): Promise<Rows> {
  const traces = batch.numbers('trace_row_id');
  const ofRows = Array.from({ length: count }, (_, index) => traces[rows[index] ?? 0] ?? 0);
  await owners.look(new Set(ofRows));
  const kept = new Uint16Array(count);
  let keptCount = 0;
  for (const [index, traceRowId] of ofRows.entries()) if (owners.has(traceRowId)) kept[keptCount++] = rows[index] ?? 0;
  return { rows: kept, count: keptCount };
}

function keepMatches({ rows, count }: Rows, verdicts: Verdicts): Rows {
  const kept = new Uint16Array(count);
  let keptCount = 0;
  for (let index = 0; index < count; index++) {
    const row = rows[index] ?? 0;
    if (verdicts[row] === YES) kept[keptCount++] = row;
  }
  return { rows: kept, count: keptCount };
}
