/** Measures of spans by bucket of time and by group. */
import { AppError } from '#base/errors';
import type { SpanBatch } from '../columns/batch.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { type Buckets, type ClosedRange, findBucket, layOutBuckets } from './buckets.ts';
import { Budget } from '../query/budget.ts';
import type { Rows } from './facet-counter.ts';
import type { CellRows } from './cell-values.ts';
import { Grouping } from './grouping.ts';
import { allRows, openOwners, SpanMatcher } from './matcher.ts';
import { MeasureTable } from './measures.ts';
import {
  type AggregateAnswer,
  type AggregateQuestion,
  type BucketRequest,
  MAX_DIMENSIONS,
  MAX_GROUPS,
} from './port.ts';
import { assertForward, closeRange } from './range.ts';
import { Scan, type ScanNeeds } from './scan.ts';
import { openTimeZone } from './time-zone.ts';

/** Computes the measures; where spans are grouped, in a last walk after those that find and order the groups. */
export async function aggregate(
  scope: ReadScope,
  question: AggregateQuestion,
  budgetMs: number,
): Promise<AggregateAnswer> {
  assertAskable(question);
  const budget = new Budget(budgetMs);
  const range = await closeRange(scope, 'spans', question);
  const buckets = layOut(question.bucket, range);
  const needs: ScanNeeds = { columns: new Set(), attributes: new Set() };
  const owners = openOwners(scope, question, budget);
  const matcher = await SpanMatcher.open(scope, question.condition, needs, budget, owners);
  // Spans that arrive meanwhile may start later than the last bucket.
  const spans = { projectRowId: question.projectRowId, startTimeUs: range.startUs, endTimeUs: range.endUs };
  const grouping = await Grouping.find({
    ...question,
    matcher,
    needs,
    openScan: () => new Scan(scope, spans, budget),
    onFull: () => budget.exceed(),
  });
  const groupCount = grouping.groups.length + 1;
  const cellCount = buckets.startsUs.length * groupCount;
  assertFits(cellCount * question.measures.length);
  const table = new MeasureTable(question.measures, cellCount);
  const cells = new CellFinder(buckets, grouping);
  for (const column of [...table.columns, ...cells.columns]) needs.columns.add(column);
  const scan = new Scan(scope, spans, budget);
  if (cellCount > 0) {
    for await (const batch of scan.batches({ ...needs, ...matcher.screens })) {
      table.add(batch, cells.locate(batch, await matcher.narrow(batch, allRows(batch))));
      if (table.isFull) budget.exceed();
    }
  }
  const values = table.read();
  const isRestEmpty = grouping.groups.length > 0 && cells.restCount === 0;
  const groups = [...grouping.groups, null].slice(0, isRestEmpty ? -1 : undefined);
  return {
    buckets,
    groups: groups.map((key, group) => ({
      key: key === null ? (grouping.isGrouped ? null : []) : grouping.keys.valuesOf(key),
      values: values.map((ofMeasure) => takeGroup(ofMeasure, group, groupCount)),
    })),
    otherGroupCount: grouping.otherGroupCount,
    ...scan.coverage,
  };
}

/** The buckets of a request; a single one, which is the range, without a request. */
export function layOut(bucket: BucketRequest | null, range: ClosedRange): AggregateAnswer['buckets'] {
  if (bucket !== null) return layOutBuckets(range, bucket.unit, openTimeZone(bucket.zone));
  return { unit: null, startsUs: Float64Array.of(range.startUs), endUs: range.endUs };
}

function assertAskable(question: AggregateQuestion): void {
  assertForward(question);
  if (question.groupBy.length > MAX_DIMENSIONS) {
    throw new AppError('invalid_argument', `Spans can be grouped by at most ${MAX_DIMENSIONS} dimensions at once.`);
  }
  if (!(question.maxGroups >= 1 && question.maxGroups <= MAX_GROUPS)) {
    throw new AppError('invalid_argument', `A response has 1 to ${MAX_GROUPS} groups, plus one group for all others.`);
  }
}

/** Numbers of one answer. */
const MAX_NUMBERS = 100_000;

function assertFits(numberCount: number): void {
  if (numberCount <= MAX_NUMBERS) return;
  throw new AppError(
    'invalid_argument',
    `The response would have ${numberCount} numbers; the limit is ${MAX_NUMBERS}. Use larger buckets, or fewer groups or measures.`,
  );
}

/** Finds the cell of each row: buckets of a group follow each other by the number of groups. */
class CellFinder {
  /** Spans of no group of their own. */
  restCount = 0;
  readonly #startsUs: Float64Array;
  readonly #endUs: number;
  readonly #grouping: Grouping;
  readonly #places: ReadonlyMap<number, number>;

  constructor({ startsUs, endUs }: Pick<Buckets, 'startsUs' | 'endUs'>, grouping: Grouping) {
    this.#startsUs = startsUs;
    this.#endUs = endUs;
    this.#grouping = grouping;
    this.#places = new Map(grouping.groups.map((key, place) => [key, place]));
  }

  get columns(): readonly 'start_us'[] {
    return this.#startsUs.length > 1 ? ['start_us'] : [];
  }

  locate(batch: SpanBatch, rows: Rows): CellRows {
    const cells = new Uint32Array(rows.count);
    if (this.#startsUs.length > 1) this.#findBuckets(batch, rows, cells);
    if (this.#grouping.isGrouped) this.#findGroups(batch, rows, cells);
    return { ...rows, cells };
  }

  #findBuckets(batch: SpanBatch, { rows, count }: Rows, cells: Uint32Array): void {
    const starts = batch.numbers('start_us');
    const boundaries = this.#startsUs;
    let [bucket, from, to] = [0, Number.POSITIVE_INFINITY, 0];
    for (let index = 0; index < count; index++) {
      const start = starts[rows[index] ?? 0] ?? 0;
      // Most spans start soon after the one before.
      if (start < from || start >= to) {
        bucket = findBucket(boundaries, start);
        from = boundaries[bucket] ?? 0;
        to = boundaries[bucket + 1] ?? this.#endUs;
      }
      cells[index] = bucket;
    }
  }

  #findGroups(batch: SpanBatch, rows: Rows, cells: Uint32Array): void {
    const keys = this.#grouping.keys.keysOf(batch, rows);
    const rest = this.#grouping.groups.length;
    for (const [index, key] of keys.entries()) {
      const group = this.#places.get(key) ?? rest;
      if (group === rest) this.restCount++;
      cells[index] = (cells[index] ?? 0) * (rest + 1) + group;
    }
  }
}

function takeGroup(values: Float64Array, group: number, groupCount: number): Float64Array {
  if (groupCount === 1) return values;
  return Float64Array.from(
    { length: values.length / groupCount },
    (_, bucket) => values[bucket * groupCount + group] ?? 0,
  );
}
