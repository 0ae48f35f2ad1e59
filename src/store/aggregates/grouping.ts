/** Which groups an answer names: one walk finds all of them, another one computes what they are ordered by. */
import { allRows, type SpanMatcher } from './matcher.ts';
import type { CellRows } from './cell-values.ts';
import type { Rows } from './facet-counter.ts';
import { GroupKeys, NO_GROUP, openDimension } from './group-keys.ts';
import { MeasureTable } from './measures.ts';
import type { AggregateQuestion, GroupOrder } from './port.ts';
import { rankGroups } from './rank-groups.ts';
import type { Scan, ScanNeeds } from './scan.ts';
import type { SpanBatch } from '../columns/batch.ts';

/** What groups are found with. */
interface GroupingParts extends Pick<AggregateQuestion, 'groupBy' | 'maxGroups' | 'groupOrder'> {
  readonly matcher: SpanMatcher;
  readonly needs: ScanNeeds;
  /** A new walk over the spans in question. */
  readonly openScan: () => Scan;
  /** Told that a walk holds as much as it may. */
  readonly onFull: () => void;
}

/** The groups of a question. */
export class Grouping {
  readonly keys: GroupKeys;
  /** Keys, in the order of the groups. */
  readonly groups: readonly number[];
  readonly otherGroupCount: number;
  readonly isGrouped: boolean;

  private constructor(keys: GroupKeys, groups: readonly number[], otherGroupCount: number, isGrouped: boolean) {
    this.keys = keys;
    this.groups = groups;
    this.otherGroupCount = otherGroupCount;
    this.isGrouped = isGrouped;
  }

  /** Notes what the dimensions need of batches. */
  static async find(parts: GroupingParts): Promise<Grouping> {
    const { groupBy, needs, maxGroups, groupOrder } = parts;
    const keys = new GroupKeys(groupBy.map((dimension) => openDimension(dimension, needs)));
    if (groupBy.length === 0) return new Grouping(keys, [], 0, false);
    const counts = new Map<number, number>();
    for await (const [batch, rows] of walk(parts, needs)) {
      for (const key of keys.keysOf(batch, rows)) {
        const before = counts.get(key);
        if (key !== NO_GROUP && (before !== undefined || counts.size < MAX_FOUND_GROUPS))
          counts.set(key, (before ?? 0) + 1);
      }
    }
    const found = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([key]) => key);
    const ordered = groupOrder === undefined ? found : await orderGroups(parts, keys, found, groupOrder);
    const groups = ordered.slice(0, maxGroups);
    return new Grouping(keys, groups, found.length - groups.length, true);
  }
}

/** Groups that are told apart while those of the answer are looked for. */
const MAX_FOUND_GROUPS = 200_000;

/** @param found keys, those of the most spans first */
async function orderGroups(
  parts: GroupingParts,
  keys: GroupKeys,
  found: readonly number[],
  { by, direction }: GroupOrder,
): Promise<readonly number[]> {
  const places = new Map(found.map((key, place) => [key, place]));
  // What is in no group of its own has a cell that nobody reads.
  const table = new MeasureTable([by, COUNT], found.length + 1);
  const needs = { ...parts.needs, columns: new Set([...parts.needs.columns, ...table.columns]) };
  for await (const [batch, rows] of walk(parts, needs)) {
    const cells = Uint32Array.from(keys.keysOf(batch, rows), (key) => places.get(key) ?? found.length);
    table.add(batch, { ...rows, cells } satisfies CellRows);
    if (table.isFull) parts.onFull();
  }
  const [values, counts] = table.read().map((ofMeasure) => ofMeasure.subarray(0, found.length));
  if (values === undefined || counts === undefined) return found;
  return rankGroups({ values, counts, direction }).map((place) => found[place] ?? NO_GROUP);
}

const COUNT = { kind: 'count', status: null } as const;

async function* walk(
  { openScan, matcher }: GroupingParts,
  needs: ScanNeeds,
): AsyncGenerator<readonly [batch: SpanBatch, matches: Rows]> {
  for await (const batch of openScan().batches({ ...needs, ...matcher.screens })) {
    yield [batch, await matcher.narrow(batch, allRows(batch))];
  }
}
