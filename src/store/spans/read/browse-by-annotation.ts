/**
 * Pages in the order of annotations: rows that have a value are looked for along the order, those without one are a list of their
 * own behind them, narrowed by a set.
 */
import type {
  AnnotationPage,
  AnnotationPageRequest,
  AnnotationPosition,
  AnnotationSort,
  ValuePlace,
} from '#domain/annotation-page';
import type { KeysetPage, KeysetRequest, Position } from '#domain/page';
import { annotatedLeaf } from '#filter/annotated-leaf';
import { joinConditions } from '#filter/check/join';
import type { Condition, FilterGrain } from '#filter/tree';
import { type AnnotationSteps, readAnnotationStep } from '../../annotations/annotation-order.ts';
import { Budget, PAGE_MS } from '../../query/budget.ts';
import type { ReadScope } from '../rows/read-scope.ts';

/** A list that can be in the order of annotations. */
export interface AnnotatedList<Row extends { readonly rowId: number }> {
  readonly target: FilterGrain;
  readonly within: AnnotationSteps['within'];
  /** What is asked of its rows. */
  readonly condition: Condition | undefined;
  /** Of the row ids, those of rows of the list. */
  readonly keep: (rowIds: readonly number[], budget: Budget) => Promise<ReadonlySet<number>>;
  /** By row id. */
  readonly load: (rowIds: readonly number[]) => Promise<ReadonlyMap<number, Row>>;
  /** Rows of the list that fulfil another condition, in the order of those without a value. */
  readonly browse: (condition: Condition, page: Omit<KeysetRequest<never>, 'sort'>) => Promise<KeysetPage<Row>>;
  /** Where a row stands in that order. */
  readonly positionOf: (row: Row) => Position;
}

/** One page; one that looked for as long as it may ends early and can be continued. */
export async function browseByAnnotation<Row extends { readonly rowId: number }>(
  scope: ReadScope,
  list: AnnotatedList<Row>,
  request: AnnotationPageRequest,
): Promise<AnnotationPage<Row>> {
  const found =
    request.after?.kind === 'rest'
      ? NOTHING_FOUND
      : await findAnnotated(scope, list, { ...request, after: request.after });
  const { places, next } = found;
  const loaded = await list.load(places.map(({ rowId }) => rowId));
  const rows = places.flatMap((place) => {
    const row = loaded.get(place.rowId);
    return row === undefined ? [] : [{ row, position: { kind: 'value', ...place } as const }];
  });
  if (next !== null) {
    return { rows, next: { kind: 'value', ...next }, looked: { ...WHOLE, isWhole: places.length === request.limit } };
  }
  const after = request.after?.kind === 'rest' ? request.after.after : null;
  const limit = request.limit - places.length;
  if (limit === 0) return { rows, next: { kind: 'rest', after }, looked: WHOLE };
  const rest = await list.browse(withoutValue(list, request.sort), { order: request.order, limit, after });
  const restRows = rest.rows.map((row) => ({ row, position: toRest(list.positionOf(row)) }));
  return { rows: [...rows, ...restRows], next: rest.next && toRest(rest.next), looked: rest.looked ?? WHOLE };
}

const WHOLE = { isWhole: true, untilTimeUs: null, share: 1 };

function toRest(after: Position): AnnotationPosition {
  return { kind: 'rest', after };
}

/** Rows with a value, and after which place there may be more of them; `null` where there are no more. */
interface FoundAnnotated {
  readonly places: readonly ValuePlace[];
  readonly next: ValuePlace | null;
}

const NOTHING_FOUND: FoundAnnotated = { places: [], next: null };

async function findAnnotated<Row extends { readonly rowId: number }>(
  { db }: ReadScope,
  { target, within, keep }: AnnotatedList<Row>,
  { sort, order, limit, after: start }: Omit<AnnotationPageRequest, 'after'> & { readonly after: ValuePlace | null },
): Promise<FoundAnnotated> {
  const budget = new Budget(PAGE_MS);
  const places: ValuePlace[] = [];
  let after = start;
  for (let step = Math.max(limit + 1, FIRST_STEP); ; step = Math.min(step * 4, LARGEST_STEP)) {
    const read = await readAnnotationStep(db, { target, within, sort, direction: order }, after, step);
    const kept = await keep(
      read.map(({ rowId }) => rowId),
      budget,
    );
    for (const place of read) {
      if (!kept.has(place.rowId)) continue;
      if (places.length === limit) return { places, next: places.at(-1) ?? null };
      places.push(place);
    }
    if (read.length < step) return { places, next: null };
    after = read.at(-1) ?? null;
    if (budget.isOver) return { places, next: after };
  }
}

/** Rows that are read along the order at once: few at first, since the first ones may fill the page. */
const FIRST_STEP = 128;
const LARGEST_STEP = 4096;

function withoutValue<Row extends { readonly rowId: number }>(
  { target, condition }: AnnotatedList<Row>,
  { name, by }: AnnotationSort,
): Condition {
  const value = { kind: 'field', name: by, of: null, isOfParent: false } as const;
  const test: Condition = { kind: 'absent', isNegated: true, value };
  const isWithout: Condition = { ...annotatedLeaf(target, { name, test, except: null }), isNegated: true };
  return condition === undefined ? isWithout : joinConditions('and', [condition, isWithout]);
}
