/** Pages and numbers of rows that match a filter, looked for step by step along an order. */
import type { Budget } from '../budget.ts';
import type { Place } from '../place.ts';

/** A row in an order. */
export interface PlacedRow {
  readonly place: Place;
}

/** Some rows that follow each other in the order, and those of them that match. */
export interface DecidedRows<Row> {
  readonly rows: readonly Row[];
  /** Row ids. */
  readonly matches: ReadonlySet<number>;
}

/** Where rows are looked for. */
export interface MatchSearch<Row extends PlacedRow> {
  /** The rows after a place, so many at most; fewer at the end alone. */
  readonly read: (after: Place | null, limit: number) => Promise<readonly Row[]>;
  /** Decides them in parts, in their order. */
  readonly decide: (rows: readonly Row[]) => AsyncIterable<DecidedRows<Row>>;
  readonly budget: Pick<Budget, 'isOver'>;
}

/** The matches of a page, in order. */
export interface MatchPage {
  readonly places: readonly Place[];
  /** After which place the list goes on; `null` at its end. */
  readonly next: Place | null;
  /** Whether the page is full, or the last. */
  readonly isWhole: boolean;
  readonly lookedCount: number;
}

/** Finds a page, which ends early where it had looked for as long as it may; some rows are decided in any case. */
export async function findMatches<Row extends PlacedRow>(
  search: MatchSearch<Row>,
  { after, limit }: { readonly after: Place | null; readonly limit: number },
): Promise<MatchPage> {
  const places: Place[] = [];
  let lookedCount = 0;
  for await (const { rows, matches, isLast } of walk(search, after, limit)) {
    lookedCount += rows.length;
    for (const { place } of rows) {
      if (!matches.has(place.rowId)) continue;
      if (places.length === limit) return { places, next: places.at(-1) ?? null, isWhole: true, lookedCount };
      places.push(place);
    }
    if (!isLast && search.budget.isOver) {
      const next = rows.at(-1)?.place ?? null;
      return { places, next, isWhole: places.length === limit, lookedCount };
    }
  }
  return { places, next: null, isWhole: true, lookedCount };
}

/** How many match, as far as there was time to look. */
export async function countMatchingRows<Row extends PlacedRow>(
  search: MatchSearch<Row>,
): Promise<{ readonly count: number; readonly isWhole: boolean; readonly next: Place | null; lookedCount: number }> {
  let [count, lookedCount] = [0, 0];
  for await (const { rows, matches, isLast } of walk(search, null, LARGEST_STEP)) {
    lookedCount += rows.length;
    count += matches.size;
    if (!isLast && search.budget.isOver) {
      return { count, isWhole: false, next: rows.at(-1)?.place ?? null, lookedCount };
    }
  }
  return { count, isWhole: true, next: null, lookedCount };
}

/** Rows that are read at once: few at first, since the first ones may fill the page. */
const LARGEST_STEP = 4096;

async function* walk<Row extends PlacedRow>(
  { read, decide }: MatchSearch<Row>,
  start: Place | null,
  wanted: number,
): AsyncGenerator<DecidedRows<Row> & { readonly isLast: boolean }> {
  let after = start;
  for (let step = Math.min(wanted + 1, LARGEST_STEP); ; step = Math.min(step * 4, LARGEST_STEP)) {
    const rows = await read(after, step);
    const last = rows.at(-1);
    if (last === undefined) return;
    let decided = 0;
    for await (const part of decide(rows)) {
      decided += part.rows.length;
      yield { ...part, isLast: rows.length < step && decided === rows.length };
    }
    if (rows.length < step) return;
    after = last.place;
  }
}
