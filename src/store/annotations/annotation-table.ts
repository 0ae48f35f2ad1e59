/** The annotations of a project on spans, traces or sessions, in memory, by their targets. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { AnnotationTarget } from '#filter/tree';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';

/** Which annotations. */
export interface AnnotationSelection {
  readonly target: AnnotationTarget;
  readonly projectRowId: number;
  /** `null` for all names. */
  readonly name: string | null;
}

/** Row ids of targets, ascending, each as often as it has annotations, and beside each what the annotation says. */
export class AnnotationTable {
  readonly rowIds: readonly number[];
  readonly scores: readonly (number | null)[];
  readonly labels: readonly (string | null)[];

  readonly #name: string;
  readonly #names: readonly string[] | null;

  /** @param name of all of them; `null` where each part names its own */
  constructor(parts: readonly AnnotationPart[], name: string | null) {
    // A part has thousands of rows, and there are some hundred parts, which are copied as wholes.
    this.rowIds = joined(parts.map(({ rowIds }) => rowIds));
    this.#name = name ?? '';
    this.#names = name === null ? joined(parts.map(({ names }) => names ?? [])) : null;
    this.scores = joined(parts.map(({ scores }) => scores));
    this.labels = joined(parts.map(({ labels }) => labels));
  }

  nameAt(place: number): string {
    return this.#names === null ? this.#name : (this.#names[place] ?? '');
  }

  /** The place of the first annotation of the target, or of one behind it. */
  placeOf(rowId: number): number {
    let [low, high] = [0, this.rowIds.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.rowIds[middle] ?? 0) < rowId) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Each target of a range, once; `null` where they are more than so many. */
  targetsIn({ from, end }: { readonly from: number; readonly end: number }, limit: number): readonly number[] | null {
    const targets: number[] = [];
    const endPlace = this.placeOf(end);
    for (let place = this.placeOf(from); place < endPlace; place++) {
      const rowId = this.rowIds[place] ?? 0;
      if (rowId === targets.at(-1)) continue;
      if (targets.length === limit) return null;
      targets.push(rowId);
    }
    return targets;
  }
}

/** Finds targets in a table, fast where their row ids ascend. */
export class AnnotationCursor {
  readonly #table: AnnotationTable;
  #place = 0;
  #last = -1;

  constructor(table: AnnotationTable) {
    this.#table = table;
  }

  /** The place of the first annotation of the target; -1 where it has none. */
  find(rowId: number): number {
    const { rowIds } = this.#table;
    if (rowId < this.#last) this.#place = this.#table.placeOf(rowId);
    this.#last = rowId;
    while ((rowIds[this.#place] ?? Infinity) < rowId) this.#place++;
    return rowIds[this.#place] === rowId ? this.#place : -1;
  }
}

function joined<Item>(parts: readonly (readonly Item[])[]): readonly Item[] {
  return new Array<Item>().concat(...parts);
}

interface AnnotationPart {
  readonly rowIds: readonly number[];
  /** `null` of one name. */
  readonly names: readonly string[] | null;
  readonly scores: readonly (number | null)[];
  readonly labels: readonly (string | null)[];
}

/**
 * Reads those that have a score or a label, until there are no more or it is told to stop. Rows come packed, since making objects of
 * them takes longer than finding them. Index: annotations_of_name, or annotations_of_project for all names.
 */
export async function readAnnotationTable(
  { db, dialect }: { readonly db: Kysely<Tables>; readonly dialect: SqlDialect },
  { target, projectRowId, name }: AnnotationSelection,
  isOver: (count: number) => boolean,
): Promise<AnnotationTable> {
  const parts: AnnotationPart[] = [];
  let wanted = db
    .selectFrom('annotations')
    .where('target', '=', target)
    .where('project_id', '=', projectRowId)
    .where(sql<SqlBool>`(score IS NOT NULL OR label IS NOT NULL)`);
  if (name !== null) wanted = wanted.where('name', '=', name);
  const idsAtOnce = name === null ? IDS_OF_ALL_NAMES : IDS_OF_ONE_NAME;
  let packed = wanted.select([
    dialect.collect(sql.ref('target_row_id')).as('rowIds'),
    // Of one name it need not be told again for each.
    (name === null ? dialect.collect(sql.ref('name')) : sql<string>`'[]'`).as('names'),
    dialect.collect(sql.ref('score')).as('scores'),
    dialect.collect(sql.ref('label')).as('labels'),
    sql<number>`count(*)`.as('count'),
  ]);
  // Grouping sorts all of them, which takes half as long again: the rows of one name come in few ranges without it.
  if (name === null) packed = packed.groupBy(sql`target_row_id / ${sql.lit(IDS_OF_PART)}`);
  let count = 0;
  for (let from = 0; ; from += idsAtOnce) {
    const rows = await packed
      .where('target_row_id', '>=', from)
      .where('target_row_id', '<', from + idsAtOnce)
      .execute();
    const found = rows.filter((row) => row.count > 0);
    for (const row of found) {
      const rowIds = JSON.parse(row.rowIds) as number[];
      const part = inOrder({
        rowIds,
        names: name === null ? (JSON.parse(row.names) as string[]) : null,
        scores: JSON.parse(row.scores) as (number | null)[],
        labels: JSON.parse(row.labels) as (string | null)[],
      });
      count += part.rowIds.length;
      parts.push(part);
    }
    if (isOver(count)) break;
    if (found.length > 0) continue;
    const next = await wanted
      .select('target_row_id')
      .where('target_row_id', '>=', from + idsAtOnce)
      .orderBy('target_row_id')
      .limit(1)
      .executeTakeFirst();
    if (next === undefined) break;
    from = next.target_row_id - idsAtOnce;
  }
  return new AnnotationTable(
    parts.toSorted((a, b) => (a.rowIds[0] ?? 0) - (b.rowIds[0] ?? 0)),
    name,
  );
}

/** Row ids that one statement looks among, and those of one part of it: what a database packs into one text has to have a bound. */
const IDS_OF_ONE_NAME = 2 ** 15;
const IDS_OF_ALL_NAMES = 2 ** 20;
const IDS_OF_PART = 4096;

/** A database may collect rows in any order, the same for each column. */
function inOrder(part: AnnotationPart): AnnotationPart {
  const { rowIds } = part;
  if (rowIds.every((rowId, place) => place === 0 || rowId >= (rowIds[place - 1] ?? 0))) return part;
  const places = [...rowIds.keys()].sort((a, b) => (rowIds[a] ?? 0) - (rowIds[b] ?? 0));
  return {
    rowIds: places.map((place) => rowIds[place] ?? 0),
    names: part.names && places.map((place) => part.names?.[place] ?? ''),
    scores: places.map((place) => part.scores[place] ?? null),
    labels: places.map((place) => part.labels[place] ?? null),
  };
}
