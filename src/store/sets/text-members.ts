/**
 * Spans whose texts may hold a pattern, as the index of words tells: the spans whose words pass the tests of the pattern, those
 * whose words the index does not know, and those that it has not come to. All others do not hold it.
 */
import type { Doubts, PlaceBits } from '#derive/search/scope';
import type { WordTest } from '#derive/search/word-tests';
import { findHolders, type Holders } from '../texts/holders.ts';
import { PartsWithWords } from '../texts/parts-with-words.ts';
import { readChangeCount, readSearchProgress } from '../texts/progress.ts';
import { type IdRange, partOfSpan, spansOfPart } from '../words/text-ids.ts';
import type { Members } from './members.ts';
import { RangeList, type RowIdRange } from './range-list.ts';
import { RowSet } from './row-set.ts';
import type { SetScope } from './set-members.ts';

/** What texts are asked. */
export interface TextParameters {
  /** Where the texts stand. */
  readonly places: PlaceBits;
  /** Of spans with one of these, the index does not tell. */
  readonly doubts: Doubts;
  /** Tests of their words; all of one of these must pass. */
  readonly anyOf: readonly (readonly WordTest[])[];
}

/** Asks the index part by part. */
export class TextMembers implements Members {
  readonly #scope: SetScope;
  readonly #parameters: TextParameters;
  readonly #known = new RowSet();
  readonly #ranges = new RangeList();
  #open: Promise<UnknownRows> | undefined;
  #unknown: UnknownRows = NOTHING_UNKNOWN;
  #changeCount = 0;
  #parts: PartsWithWords | undefined;

  constructor(scope: SetScope, parameters: TextParameters) {
    this.#scope = scope;
    this.#parameters = parameters;
  }

  async look(rowIds: readonly number[]): Promise<RowSet> {
    const { endRowId } = await this.#start();
    for (const rowId of rowIds) {
      if (rowId >= endRowId) this.#known.add(rowId);
      else if (!this.#ranges.holds({ from: rowId, end: rowId + 1 })) await this.#readPart(partOfSpan(rowId));
    }
    return this.#known;
  }

  async cover({ from, end }: RowIdRange): Promise<void> {
    const { endRowId } = await this.#start();
    const last = partOfSpan(Math.min(end, endRowId) - 1);
    for (let part = partOfSpan(from); part <= last; part++) await this.#readPart(part);
  }

  isKnown({ from, end }: RowIdRange): boolean {
    const { endRowId } = this.#unknown;
    return from >= endRowId || this.#ranges.holds({ from, end: Math.min(end, endRowId) });
  }

  countKnown({ from, end }: RowIdRange): number {
    const { endRowId } = this.#unknown;
    return this.#known.countIn(from, Math.min(end, endRowId)) + Math.max(0, end - Math.max(from, endRowId));
  }

  async list({ from, end }: RowIdRange, limit: number): Promise<readonly number[] | null> {
    const { endRowId, nextRowId } = await this.#start();
    const upTo = Math.min(end, nextRowId);
    const waiting = Math.max(0, upTo - Math.max(from, endRowId));
    const [first, last] = [partOfSpan(from), partOfSpan(Math.min(upTo, endRowId) - 1)];
    if (waiting > limit || last - first >= MAX_LISTED_PARTS) return null;
    const found: number[] = [];
    for (let part = last; part >= first; part--) {
      await this.#readPart(part);
      const range = spansOfPart(part);
      if (this.countKnown({ from: range.first, end: range.last + 1 }) > limit - waiting) return null;
    }
    for (const rowId of this.#known) if (rowId >= from && rowId < Math.min(upTo, endRowId)) found.push(rowId);
    for (let rowId = Math.max(from, endRowId); rowId < upTo; rowId++) found.push(rowId);
    return found.length > limit ? null : found;
  }

  /** What the index does not know is read first: what it learns meanwhile is then asked for twice, and nothing is missed. */
  async #start(): Promise<UnknownRows> {
    this.#open ??= this.#readUnknown();
    return this.#open;
  }

  async #readUnknown(): Promise<UnknownRows> {
    const unknown = await readUnknown(this.#scope);
    this.#unknown = unknown;
    this.#changeCount = unknown.changeCount;
    this.#parts = new PartsWithWords(this.#scope, this.#parameters.anyOf, partOfSpan(unknown.endRowId));
    return unknown;
  }

  async #readPart(part: number): Promise<void> {
    const { first, last } = spansOfPart(part);
    const range = { from: first, end: last + 1 };
    if (this.#ranges.holds(range)) return;
    const { changed, isBeingRebuilt } = this.#unknown;
    const isTold = changed !== 'many' && !isBeingRebuilt(range);
    const holders = isTold ? await this.#findHolders(part) : 'all';
    if (holders === 'all') for (let rowId = first; rowId <= last; rowId++) this.#known.add(rowId);
    else {
      for (const rowId of holders) this.#known.add(rowId);
      if (changed !== 'many') for (const rowId of changed) if (rowId >= first && rowId <= last) this.#known.add(rowId);
    }
    this.#ranges.add(range);
  }

  /** What several statements say together, of one state of the index. */
  async #findHolders(part: number): Promise<Holders> {
    const { anyOf, places } = this.#parameters;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const isAsAtStart = this.#changeCount === this.#unknown.changeCount;
      const mayHold = !isAsAtStart || (await this.#parts?.mayPassIn(part)) !== false;
      const holders = mayHold ? await findHolders(this.#scope, part, anyOf, places) : [];
      if (holders === 'all') return 'all';
      const doubtful = await this.#readDoubtful(spansOfPart(part));
      const changeCount = await readChangeCount(this.#scope.db);
      if (changeCount === this.#changeCount) return [...holders, ...doubtful];
      this.#changeCount = changeCount;
    }
    return 'all';
  }

  /** Index: search_spans_in_doubt. */
  async #readDoubtful({ first, last }: IdRange): Promise<readonly number[]> {
    const rows = await this.#scope.db
      .selectFrom('search_spans')
      .select(['span_row_id', 'doubts'])
      .where('span_row_id', '>=', first)
      .where('span_row_id', '<=', last)
      .where('doubts', '<>', 0)
      .execute();
    return rows.filter(({ doubts }) => (doubts & this.#parameters.doubts) !== 0).map((row) => row.span_row_id);
  }
}

/** Rows of which the index does not tell as they are. */
interface UnknownRows {
  /** Those from here on were not indexed. */
  readonly endRowId: number;
  /** Where the next span that arrives will be. */
  readonly nextRowId: number;
  /** As it was then. */
  readonly changeCount: number;
  /** Those that wait to be indexed again. */
  readonly changed: readonly number[] | 'many';
  readonly isBeingRebuilt: (range: RowIdRange) => boolean;
}

const NOTHING_UNKNOWN: UnknownRows = {
  endRowId: 0,
  nextRowId: 0,
  changeCount: 0,
  changed: [],
  isBeingRebuilt: () => false,
};

/** Index: primary keys. */
async function readUnknown({ db }: SetScope): Promise<UnknownRows> {
  const { nextRowId: endRowId, endRowId: nextRowId, rebuild, changeCount } = await readSearchProgress(db);
  const queued = await db
    .selectFrom('search_queue')
    .select('span_row_id')
    .orderBy('id')
    .limit(MAX_CHANGED + 1)
    .execute();
  return {
    endRowId,
    nextRowId,
    changeCount,
    changed: queued.length > MAX_CHANGED ? 'many' : queued.map((row) => row.span_row_id),
    isBeingRebuilt: ({ from, end }) => rebuild !== null && from < rebuild.endRowId && end > rebuild.nextRowId,
  };
}

/** More are a deletion of much, or a reading anew, after which everything is looked at for a while. */
const MAX_CHANGED = 20_000;

/** An index that changes faster than a part of it is read is a deletion of much. */
const MAX_ATTEMPTS = 3;

/** Parts that are listed in one go: two million spans, a few milliseconds each. */
const MAX_LISTED_PARTS = 128;
