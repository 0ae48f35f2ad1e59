/** One page of the matches of a filter, in any order, out of batches of columns. */
import type { OrderedPart, SourcedBatch } from './batch-source.ts';
import { BestCandidates, type Candidate } from './best-candidates.ts';
import type { Budget } from '../budget.ts';
import { afterPlace, beforePlace, comparePlaces, type Direction, type Place } from '../place.ts';
import { readSortValues } from './sort-values.ts';
import { NO, UNCERTAIN, type Verdicts } from '../verdicts.ts';
import type { Verified } from '../verify-rows.ts';

/** A batch with what the filter says of it. */
export interface DecidedBatch extends SourcedBatch {
  readonly verdicts: Verdicts;
}

/** A page to find. */
export interface PageSearch extends OrderedPart {
  /** Matches at most. */
  readonly limit: number;
  readonly batches: AsyncIterable<DecidedBatch>;
  /** Whether the filter leaves rows to their originals. */
  readonly mayBeUncertain: boolean;
  /** Decides rows by what their originals say, in their order. */
  readonly verify: (rowIds: readonly number[]) => Promise<Verified>;
  readonly budget: Pick<Budget, 'isOver' | 'assertNotLost'>;
}

/** The matches of a page, in order. */
export interface FoundPage {
  readonly places: readonly Place[];
  /** After which place the list goes on; `null` at its end. */
  readonly next: Place | null;
  /** Whether the page is full, or the last; not where it ends because it had looked for as long as it may. */
  readonly isWhole: boolean;
  /** Share of the rows that were looked at. */
  readonly share: number;
}

/** Finds the page. One that looked for as long as it may ends early and can be continued. */
export async function findPage(search: PageSearch): Promise<FoundPage> {
  const { limit, direction, after, budget } = search;
  const best = new BestCandidates(limit + 1 + (search.mayBeUncertain ? MAX_UNCERTAIN : 0), direction);
  const page = new GrowingPage(search);
  let share = 0;
  for await (const decided of search.batches) {
    share = decided.share;
    offerRows(best, search, decided);
    const { frontier } = decided;
    // A page that ended where it began would never end.
    if (frontier === null || (after !== null && isBehind(frontier, afterPlace(after, direction), direction))) {
      budget.assertNotLost();
      continue;
    }
    if (await page.grow(best.takeBefore(frontier))) return page.found(share);
    if (best.end !== null && !isBehind(frontier, best.end, direction)) return page.cut(best.end, share);
    if (budget.isOver) return page.cut(beforePlace(frontier, direction), share);
  }
  if (await page.grow(best.takeBefore(null))) return page.found(share);
  return best.end === null ? page.found(1) : page.cut(best.end, share);
}

/** Uncertain rows of a page that are kept until their turn comes. */
const MAX_UNCERTAIN = 20_000;

/** Uncertain rows that are verified together: few at first, since the first ones may fill the page. */
const FIRST_STEP = 32;
const LARGEST_STEP = 128;

function isBehind(place: Place, other: Place, direction: Direction): boolean {
  return comparePlaces(place.value, place.rowId, other, direction) <= 0;
}

/** Candidates become matches, in order. */
class GrowingPage {
  readonly #search: PageSearch;
  readonly #places: Place[] = [];
  #step = FIRST_STEP;
  #next: Place | null = null;
  #isWhole = true;

  constructor(search: PageSearch) {
    this.#search = search;
  }

  /** Whether the page ends with them: at its limit, or where it may look no longer. */
  async grow(candidates: readonly Candidate[]): Promise<boolean> {
    let start = 0;
    while (start < candidates.length) {
      const part = this.#nextPart(candidates, start);
      const uncertain = part.filter(({ isUncertain }) => isUncertain).map(({ place }) => place.rowId);
      const { matches, undecided } = uncertain.length === 0 ? NOTHING : await this.#search.verify(uncertain);
      for (const [index, { place, isUncertain }] of part.entries()) {
        if (isUncertain && undecided.has(place.rowId)) return this.#endAfter(part[index - 1]);
        if (isUncertain && !matches.has(place.rowId)) continue;
        if (this.#places.length === this.#search.limit) {
          this.#next = this.#places.at(-1) ?? null;
          return true;
        }
        this.#places.push(place);
      }
      start += part.length;
      if (uncertain.length > 0 && start < candidates.length && this.#search.budget.isOver) {
        return this.#endAfter(part.at(-1));
      }
    }
    return false;
  }

  /** Ends where it may look no longer, after a candidate that was decided. */
  #endAfter(last: Candidate | undefined): true {
    this.#next = last?.place ?? null;
    this.#isWhole = this.#places.length === this.#search.limit;
    return true;
  }

  found(share: number): FoundPage {
    return { places: this.#places, next: this.#next, isWhole: this.#isWhole, share };
  }

  /** Ended where more may follow. */
  cut(next: Place, share: number): FoundPage {
    return { places: this.#places, next, isWhole: this.#places.length === this.#search.limit, share };
  }

  /** As many candidates as are decided in one step. */
  #nextPart(candidates: readonly Candidate[], start: number): readonly Candidate[] {
    const wanted = this.#search.limit + 1 - this.#places.length;
    let [end, certain, uncertain] = [start, 0, 0];
    while (end < candidates.length && certain < wanted && uncertain < this.#step) {
      if (candidates[end]?.isUncertain === true) uncertain++;
      else certain++;
      end++;
    }
    if (uncertain > 0) this.#step = Math.min(this.#step * 2, LARGEST_STEP);
    return candidates.slice(start, end);
  }
}

const NOTHING: Verified = { matches: new Set(), undecided: new Set() };

function offerRows(best: BestCandidates, { column, direction, after }: PageSearch, { batch, verdicts }: DecidedBatch) {
  // Most batches of a selective filter have no match, and their rows need not be read.
  let first = 0;
  while (first < verdicts.length && verdicts[first] === NO) first++;
  if (first === verdicts.length) return;
  const { rowIds } = batch;
  const valueAt = readSortValues(batch, column);
  for (let row = first; row < verdicts.length; row++) {
    const verdict = verdicts[row];
    if (verdict === NO) continue;
    const value = valueAt(row);
    const rowId = rowIds[row] ?? 0;
    if (after !== null && comparePlaces(value, rowId, after, direction) <= 0) continue;
    if (best.takes(value, rowId)) best.add({ place: { value, rowId }, isUncertain: verdict === UNCERTAIN });
  }
}
