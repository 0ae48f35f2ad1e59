/**
 * Reads chunks of segments for one question. Where a statement goes to another process, what that costs is more than what is read
 * for a segment: then one statement reads for segments that will be asked for the same next, too, more of them each time.
 */
import { prepareQuery, type QueryScope } from '../queries/prepared-query.ts';
import type { SegmentHead } from './segments.ts';

/** A chunk, and of which build of its segment it is. */
export interface ChunkRow {
  readonly segment: number;
  readonly name: string;
  readonly build: number;
  readonly data: Uint8Array;
}

/** What was read ahead under the same names. */
interface Ahead {
  /** Segments of the last statement. */
  segmentCount: number;
  readonly rows: Map<number, readonly ChunkRow[]>;
}

/** The chunks of one question. What was read ahead is handed out once, so that whoever asks again gets what is there by then. */
export class ChunkReader {
  readonly #scope: QueryScope;
  readonly #isExpected: (head: SegmentHead) => boolean;
  readonly #heads: readonly SegmentHead[];
  readonly #places: ReadonlyMap<number, number>;
  readonly #ahead = new Map<string, Ahead>();

  /**
   * @param heads of the segments that may be asked for, in that order
   * @param isExpected whether one that was not asked for yet is likely to be
   */
  constructor(scope: QueryScope, heads: readonly SegmentHead[], isExpected = (_head: SegmentHead) => true) {
    this.#isExpected = isExpected;
    this.#scope = scope;
    this.#heads = heads;
    this.#places = new Map(heads.map(({ segment }, place) => [segment, place]));
  }

  /**
   * Chunks of a segment, those that there are. Index: the primary key.
   * @param names a JSON list
   * @param isAlike whether a later segment is likely to be asked for the same
   */
  async read(segment: number, names: string, isAlike: (head: SegmentHead) => boolean): Promise<readonly ChunkRow[]> {
    const ahead: Ahead = this.#ahead.get(names) ?? { segmentCount: 0, rows: new Map() };
    this.#ahead.set(names, ahead);
    const known = ahead.rows.get(segment);
    if (known !== undefined) {
      ahead.rows.delete(segment);
      return known;
    }
    ahead.segmentCount = Math.min(Math.max(ahead.segmentCount * 2, 1), this.#scope.dialect.segmentsAtOnce);
    const others = this.#next(segment, ahead.segmentCount - 1, isAlike);
    if (others.length === 0) return selectChunks(this.#scope, { segment, names });
    const segments = JSON.stringify([segment, ...others]);
    const rows = Map.groupBy(await selectChunksOfMany(this.#scope, { segments, names }), (row) => row.segment);
    for (const other of others) ahead.rows.set(other, rows.get(other) ?? []);
    return rows.get(segment) ?? [];
  }

  #next(segment: number, count: number, isAlike: (head: SegmentHead) => boolean): readonly number[] {
    const next: number[] = [];
    for (let place = (this.#places.get(segment) ?? Infinity) + 1; place < this.#heads.length; place++) {
      if (next.length === count) break;
      const head = this.#heads[place] as SegmentHead;
      if (this.#isExpected(head) && isAlike(head)) next.push(head.segment);
    }
    return next;
  }
}

/** A join with the head takes twice as long. */
const selectChunks = prepareQuery(({ db, dialect }, values: { readonly segment: number; readonly names: string }) =>
  db
    .selectFrom('span_segment_columns')
    .select(['segment', 'name', 'build', 'data'])
    .where('segment', '=', values.segment)
    .where('name', 'in', dialect.textsOfJson(values.names)),
);

const selectChunksOfMany = prepareQuery(
  ({ db, dialect }, values: { readonly segments: string; readonly names: string }) =>
    db
      .selectFrom('span_segment_columns')
      .select(['segment', 'name', 'build', 'data'])
      .where('segment', 'in', dialect.numbersOfJson(values.segments))
      .where('name', 'in', dialect.textsOfJson(values.names)),
);
