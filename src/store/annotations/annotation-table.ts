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
  readonly names: readonly string[];
  readonly scores: readonly (number | null)[];
  readonly labels: readonly (string | null)[];

  constructor(parts: readonly AnnotationPart[]) {
    // A part has thousands of rows, and there are some hundred parts.
    this.rowIds = parts.flatMap(({ rowIds }) => rowIds);
    this.names = parts.flatMap(({ names }) => names);
    this.scores = parts.flatMap(({ scores }) => scores);
    this.labels = parts.flatMap(({ labels }) => labels);
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

interface AnnotationPart {
  readonly rowIds: readonly number[];
  readonly names: readonly string[];
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
  let count = 0;
  for (let from = 0; ; from += IDS_AT_ONCE) {
    const first = await wanted
      .select('target_row_id')
      .where('target_row_id', '>=', from)
      .orderBy('target_row_id')
      .limit(1)
      .executeTakeFirst();
    if (first === undefined) break;
    from = first.target_row_id;
    const rows = await wanted
      .select([
        dialect.collect(sql.ref('target_row_id')).as('rowIds'),
        // Of one name it need not be told again for each.
        (name === null ? dialect.collect(sql.ref('name')) : sql<string>`'[]'`).as('names'),
        dialect.collect(sql.ref('score')).as('scores'),
        dialect.collect(sql.ref('label')).as('labels'),
      ])
      .where('target_row_id', '>=', from)
      .where('target_row_id', '<', from + IDS_AT_ONCE)
      .groupBy(sql`target_row_id / ${sql.lit(IDS_OF_PART)}`)
      .execute();
    for (const row of rows) {
      const rowIds = JSON.parse(row.rowIds) as number[];
      const part = inOrder({
        rowIds,
        names: name === null ? (JSON.parse(row.names) as string[]) : rowIds.map(() => name),
        scores: JSON.parse(row.scores) as (number | null)[],
        labels: JSON.parse(row.labels) as (string | null)[],
      });
      count += part.rowIds.length;
      parts.push(part);
    }
    if (isOver(count)) break;
  }
  return new AnnotationTable(parts.toSorted((a, b) => (a.rowIds[0] ?? 0) - (b.rowIds[0] ?? 0)));
}

/** Row ids that one statement looks among, and those of one part. */
const IDS_AT_ONCE = 2 ** 20;
const IDS_OF_PART = 4096;

/** A database may collect rows in any order, the same for each column. */
function inOrder(part: AnnotationPart): AnnotationPart {
  const { rowIds } = part;
  if (rowIds.every((rowId, place) => place === 0 || rowId >= (rowIds[place - 1] ?? 0))) return part;
  const places = [...rowIds.keys()].sort((a, b) => (rowIds[a] ?? 0) - (rowIds[b] ?? 0));
  return {
    rowIds: places.map((place) => rowIds[place] ?? 0),
    names: places.map((place) => part.names[place] ?? ''),
    scores: places.map((place) => part.scores[place] ?? null),
    labels: places.map((place) => part.labels[place] ?? null),
  };
}
