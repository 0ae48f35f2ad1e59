/** Conditions that go through collections of a span. */
import { evaluate } from '#filter/evaluate';
import { mentionsOf } from '#filter/mentions';
import type { FilterSubject } from '#filter/subject';
import type { Condition } from '#filter/tree';
import type { SpanBatch } from '../columns/batch.ts';
import type { CompiledCondition, Needs } from './compile-value.ts';
import { COST_DETAIL_COLUMNS, COST_DETAILS, COST_PART_COLUMNS, costDetailsOf } from './cost-details.ts';
import { spanField } from './span-fields.ts';
import { NO, UNCERTAIN, type Verdicts, verdictsOf, YES } from './verdicts.ts';

/**
 * Compiles a condition that names collections; `undefined` for any other. Where it is of costs alone, columns tell it row
 * by row; what else it may name beside is left to the originals.
 */
export function compileCollections(condition: Condition, needs: Needs): CompiledCondition | undefined {
  const { collections, fields, attributes, annotations, sets, asksForParent } = mentionsOf(condition);
  if (collections.size === 0) return undefined;
  if (collections.has(COST_DETAILS)) for (const column of COST_DETAIL_COLUMNS) needs.columns.add(column);
  const isOfCosts = collections.size === 1 && collections.has(COST_DETAILS);
  const isOfMore = fields.size + attributes.size + annotations.length + sets.length > 0 || asksForParent;
  if (isOfCosts && !isOfMore) return { decide: ({ batch }) => decideCosts(condition, batch), weight: WEIGHT };
  needs.mayBeUncertain = true;
  if (asksForParent) needs.columns.add('parent_state');
  for (const set of sets) needs.sets.add(set);
  for (const name of fields) {
    const { columns, lookup } = spanField(name);
    for (const column of columns) needs.columns.add(column);
    if (lookup !== undefined) needs.lookups.add(lookup);
  }
  return { decide: ({ batch }) => verdictsOf(batch.rowCount, UNCERTAIN), weight: 0 };
}

const WEIGHT = 20;

/** Most spans have no costs, and one answer serves them all. */
function decideCosts(condition: Condition, batch: SpanBatch): Verdicts {
  const verdicts = verdictsOf(batch.rowCount, evaluate(condition, new CostSubject([])) ? YES : NO);
  const columns = new Map(COST_DETAIL_COLUMNS.map((column) => [column, batch.numbers(column)]));
  const parts = COST_PART_COLUMNS.flatMap((column) => columns.get(column) ?? []);
  for (let row = 0; row < verdicts.length; row++) {
    if (parts.every((costs) => Number.isNaN(costs[row]))) continue;
    const details = costDetailsOf((column) => {
      const value = columns.get(column)?.[row] ?? Number.NaN;
      return Number.isNaN(value) ? null : value;
    });
    verdicts[row] = evaluate(condition, new CostSubject(details)) ? YES : NO;
  }
  return verdicts;
}

/** A span of which nothing but its costs is asked. */
class CostSubject implements FilterSubject {
  readonly #details: readonly FilterSubject[];

  constructor(details: readonly FilterSubject[]) {
    this.#details = details;
  }

  field(): undefined {
    return undefined;
  }

  attribute(): undefined {
    return undefined;
  }

  isParentless(): boolean {
    return false;
  }

  isIn(): boolean {
    return false;
  }

  collection(): readonly FilterSubject[] {
    return this.#details;
  }
}
