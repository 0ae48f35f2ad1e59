/** Screens of filters: the terms that the columns of a segment decide, whatever else is stored. */
import type { Condition } from '#filter/tree';
import type { SegmentScreen } from '../columns/batch.ts';
import { leaveToColumns } from '../sets/text-sets.ts';
import { compileForBatch } from './compile-for-batch.ts';
import { conjunction } from './discrete-filter.ts';
import { areAll, NO } from './verdicts.ts';

/** A screen that passes over segments without a match; `null` where the filter has no term that could. */
export function screenOf(asked: Condition): SegmentScreen | null {
  const condition = leaveToColumns(asked);
  const terms = condition.kind === 'and' ? condition.operands : [condition];
  const decided = conjunction(terms.filter((term) => isDecidedByColumns(term)));
  if (decided === null) return null;
  const { decide, columns, attributes } = compileForBatch(decided);
  return {
    key: JSON.stringify(decided),
    columns,
    attributes,
    mayHold: (batch) => !areAll(decide(batch), NO),
  };
}

/** Parents, members of sets, and what other tables tell may come after a segment was built. */
function isDecidedByColumns(term: Condition): boolean {
  const { columns, attributes, lookups, sets } = compileForBatch(term);
  return (
    lookups.size + sets.length === 0 && columns.length + attributes.length > 0 && !columns.includes('parent_state')
  );
}
