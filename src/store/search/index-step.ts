/** The spans that one step of the search index takes in: read, gathered by trace and part, and planned as changes of segments. */
import { ALL_DOUBTS } from '#derive/search/scope';
import type { SearchableTexts } from '#derive/search/searchable-texts';
import { readAroundDamage } from '../engine/around-damage.ts';
import { noteUnreadableSpans } from '../engine/damage.ts';
import { isDamage, isPassing, StorageError } from '../engine/storage-error.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { type ListedSpan, selectSpanRows, toSpanRow } from '../spans/rows/span-query.ts';
import { readTexts, type SpanWithTexts } from './read-texts.ts';
import { type IndexedText, type SpanTextsRow, TraceTexts } from './trace-texts.ts';
import { type PartChange, planSegments, type SegmentChange } from '../words/segment-changes.ts';
import { partOfSpan, partOfText, spansOfPart, textsOfPart } from '../words/text-ids.ts';

/** When the spans of a project start that are in a part. */
export interface PartTimes {
  readonly projectRowId: number;
  readonly part: number;
  readonly minStartUs: number;
  readonly maxStartUs: number;
}

/** How much one step may take in. A step is one transaction, and time of a reader that others may wait for. */
export interface StepBounds {
  /** Spans that arrived. */
  readonly arrivedCount: number;
  /** Spans that changed, and as many of a pass. */
  readonly changedCount: number;
  /** After as many milliseconds no more spans are looked at. */
  readonly milliseconds: number;
  /** After as many new characters a step ends. */
  readonly characterCount: number;
  /** Whether segments of the index may be merged, which takes up to some hundred milliseconds more. */
  readonly mayMerge: boolean;
}

/** The spans of one step, gathered by trace and part. */
export class IndexStep implements Disposable {
  readonly #scope: ReadScope;
  readonly #bounds: StepBounds;
  readonly #deadline: number;
  readonly #traces = new Map<string, TraceTexts>();
  readonly #times = new Map<string, PartTimes>();
  #spanCount = 0;
  #failedCount = 0;
  #newCharacters = 0;
  /** Of a large span, until its texts are planned. */
  #room: Disposable | undefined;
  /** The number of the next segment. */
  #nextSegment: number;

  constructor(scope: ReadScope, bounds: StepBounds, nextSegment: number) {
    this.#scope = scope;
    this.#bounds = bounds;
    this.#nextSegment = nextSegment;
    this.#deadline = performance.now() + bounds.milliseconds;
  }

  /** Whether it takes in no more; one span is always taken. */
  get isFull(): boolean {
    if (this.#spanCount === 0) return false;
    // Who holds such room must not wait for other.
    if (this.#room !== undefined) return true;
    return this.#newCharacters > this.#bounds.characterCount || performance.now() > this.#deadline;
  }

  [Symbol.dispose](): void {
    this.#room?.[Symbol.dispose]();
  }

  /** Row ids of the next spans that are there; on damaged pages, whatever ids there may be. Index: the primary key. */
  async selectStretch(fromRowId: number, endRowId: number, limit: number): Promise<readonly number[]> {
    try {
      const rows = await this.#scope.db
        .selectFrom('spans')
        .select('id')
        .where('id', '>=', fromRowId)
        .where('id', '<', endRowId)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map((row) => row.id);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return Array.from({ length: Math.min(limit, endRowId - fromRowId) }, (_, place) => fromRowId + place);
    }
  }

  /** Takes in spans in this order, those that are gone included, until it is full; returns how many of them. */
  async takeIn(rowIds: readonly number[], isAnew = false): Promise<number> {
    for (let start = 0; start < rowIds.length; start += SPANS_AT_ONCE) {
      if (this.isFull) return start;
      const part = rowIds.slice(start, start + SPANS_AT_ONCE);
      const takenCount = await this.#takeInTogether(part, isAnew);
      if (takenCount < part.length) return start + takenCount;
    }
    return rowIds.length;
  }

  /** What was taken in, as it is to be written. */
  async content() {
    const rows: SpanTextsRow[] = [];
    const removedRowIds: number[] = [];
    const removed: number[] = [];
    const added: IndexedText[] = [];
    let characterCount = 0;
    for (const trace of this.#traces.values()) {
      const changes = trace.changes();
      rows.push(...changes.rows);
      removedRowIds.push(...changes.removedRowIds);
      removed.push(...changes.removedTextIds);
      for (const text of changes.added) {
        added.push(text);
        characterCount += text.text.length;
      }
    }
    added.sort((a, b) => a.id - b.id);
    return {
      rows,
      removedRowIds,
      segments: await this.#planSegments(added, removed),
      characterCount,
      times: [...this.#times.values()],
      spanCount: this.#spanCount,
      failedCount: this.#failedCount,
    };
  }

  /** Where the texts of a part come first, the part before it is full. */
  async #planSegments(added: readonly IndexedText[], removed: readonly number[]): Promise<readonly SegmentChange[]> {
    const { mayMerge } = this.#bounds;
    const addedByPart = Map.groupBy(added, ({ id }) => partOfText(id));
    const removedByPart = Map.groupBy(removed, partOfText);
    const parts = new Set([...addedByPart.keys(), ...removedByPart.keys()]);
    const planned: (SegmentChange | undefined)[] = [];
    for (const part of parts) {
      const { first } = textsOfPart(part);
      const change = {
        added: (addedByPart.get(part) ?? []).map(({ id, text }) => ({ offset: id - first, text })),
        removed: new Set((removedByPart.get(part) ?? []).map((id) => id - first)),
      };
      planned.push(await this.#planPart({ part, ...change, mayMerge, isClosed: false }));
      if (!mayMerge || !addedByPart.has(part) || parts.has(part - 1)) continue;
      const nothing = { added: [], removed: new Set<number>() };
      planned.push(await this.#planPart({ part: part - 1, ...nothing, mayMerge, isClosed: true }));
    }
    return planned.filter((change) => change !== undefined);
  }

  #planPart(change: Omit<PartChange, 'number'>): Promise<SegmentChange | undefined> {
    return planSegments(this.#scope, { ...change, number: this.#nextSegment++ });
  }

  async #takeInTogether(rowIds: readonly number[], isAnew: boolean): Promise<number> {
    const { found, unreadable } = await this.#readRows(rowIds);
    const gone = rowIds.filter((rowId) => !found.has(rowId) && !unreadable.has(rowId));
    // What is known of one that cannot be read any more would have its part mended for ever.
    for (const row of await this.#findIndexed([...gone, ...unreadable])) {
      (await this.#traceOf(row.trace_row_id, row.span_row_id)).remove(row.span_row_id);
    }
    this.#spanCount += gone.length + unreadable.size;
    this.#failedCount += unreadable.size;
    const rows = rowIds.flatMap((rowId) => found.get(rowId) ?? []);
    await this.#loadTraces(rows);
    try {
      for await (const span of this.#readTexts(rows)) {
        await this.#put(span, isAnew);
        if (this.isFull) return rowIds.indexOf(span.row.rowId) + 1;
      }
    } catch (error) {
      if (isPassing(error) || (error instanceof StorageError && !isDamage(error))) throw error;
      // One that cannot be read must not keep the others from being found.
      for (const row of rows) {
        await this.#putAlone(row, isAnew);
        if (this.isFull) return rowIds.indexOf(row.rowId) + 1;
      }
    }
    return rowIds.length;
  }

  #readTexts(rows: readonly ListedSpan[]) {
    const keepRoom = (room: Disposable | undefined) => {
      this.#room?.[Symbol.dispose]();
      this.#room = room;
    };
    // A span that could not be read before needs none any more.
    keepRoom(undefined);
    return readTexts(this.#scope, rows, { keepRoom });
  }

  async #readRows(
    rowIds: readonly number[],
  ): Promise<{ readonly found: ReadonlyMap<number, ListedSpan>; readonly unreadable: ReadonlySet<number> }> {
    const { db, dialect } = this.#scope;
    const { rows, unreadable, error } = await readAroundDamage(rowIds, (some) =>
      selectSpanRows(db).select('spans.project_id').where('spans.id', 'in', dialect.numbersOf(some)).execute(),
    );
    noteUnreadableSpans({ unreadable, error });
    for (const row of rows) this.#noteTime(row.project_id, partOfSpan(row.id), row.start_us);
    return { found: new Map(rows.map((row) => [row.id, toSpanRow(row)])), unreadable: new Set(unreadable) };
  }

  async #findIndexed(rowIds: readonly number[]) {
    if (rowIds.length === 0) return [];
    const { db, dialect } = this.#scope;
    return db
      .selectFrom('search_spans')
      .select(['span_row_id', 'trace_row_id'])
      .where('span_row_id', 'in', dialect.numbersOf(rowIds))
      .execute();
  }

  async #putAlone(row: ListedSpan, isAnew: boolean): Promise<void> {
    try {
      for await (const span of this.#readTexts([row])) await this.#put(span, isAnew);
    } catch (error) {
      if (isPassing(error) || (error instanceof StorageError && !isDamage(error))) throw error;
      this.#failedCount++;
      (await this.#traceOf(row.traceRowId, row.rowId)).put(row.rowId, UNREADABLE, isAnew);
    }
  }

  async #put({ row, ...searchable }: SpanWithTexts, isAnew: boolean): Promise<void> {
    const trace = await this.#traceOf(row.traceRowId, row.rowId);
    this.#newCharacters += trace.put(row.rowId, searchable, isAnew);
    this.#spanCount++;
  }

  #noteTime(projectRowId: number, part: number, startUs: number): void {
    const key = `${projectRowId} ${part}`;
    const { minStartUs, maxStartUs } = this.#times.get(key) ?? { minStartUs: startUs, maxStartUs: startUs };
    const times = { minStartUs: Math.min(minStartUs, startUs), maxStartUs: Math.max(maxStartUs, startUs) };
    this.#times.set(key, { projectRowId, part, ...times });
  }

  /** One statement for all of a part's traces. */
  async #loadTraces(rows: readonly ListedSpan[]): Promise<void> {
    for (const [part, ofPart] of Map.groupBy(rows, ({ rowId }) => partOfSpan(rowId))) {
      const missing = new Set(
        ofPart.map(({ traceRowId }) => traceRowId).filter((id) => !this.#traces.has(`${id} ${part}`)),
      );
      if (missing.size === 0) continue;
      const known = Map.groupBy(await this.#readTraces([...missing], part), ({ traceRowId }) => traceRowId);
      for (const id of missing) this.#traces.set(`${id} ${part}`, new TraceTexts(id, known.get(id) ?? []));
    }
  }

  async #traceOf(traceRowId: number, spanRowId: number): Promise<TraceTexts> {
    const part = partOfSpan(spanRowId);
    const known = this.#traces.get(`${traceRowId} ${part}`);
    if (known !== undefined) return known;
    const trace = new TraceTexts(traceRowId, await this.#readTraces([traceRowId], part));
    this.#traces.set(`${traceRowId} ${part}`, trace);
    return trace;
  }

  async #readTraces(traceRowIds: readonly number[], part: number): Promise<readonly SpanTextsRow[]> {
    const { db, dialect } = this.#scope;
    const { first, last } = spansOfPart(part);
    const rows = await db
      .selectFrom('search_spans')
      .selectAll()
      .where('trace_row_id', 'in', dialect.numbersOf(traceRowIds))
      .where('span_row_id', '>=', first)
      .where('span_row_id', '<=', last)
      .execute();
    return rows.map((row) => ({
      spanRowId: row.span_row_id,
      traceRowId: row.trace_row_id,
      introduced: row.introduced,
      held: row.held,
      doubts: row.doubts,
    }));
  }
}

/** A span of which nothing is known. */
const UNREADABLE: SearchableTexts = { texts: new Map(), doubts: ALL_DOUBTS };

/** What is held in memory between two looks at the bounds. */
const SPANS_AT_ONCE = 256;
