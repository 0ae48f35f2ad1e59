/** Whether spans are in sets, over batches. */
import type { Condition } from '#filter/tree';
import type { CompiledCondition, Needs } from './compile-value.ts';
import { NO, UNCERTAIN, verdictsOf, YES } from './verdicts.ts';

/** Compiles the leaf. It is asked for the rows that everything else leaves open, and certain of those. */
export function compileSet({ set, isNegated }: Condition & { kind: 'inSet' }, needs: Needs): CompiledCondition {
  needs.lookups.add('sets');
  needs.sets.add(set);
  const isOfOwner = set.subject !== 'span';
  if (isOfOwner) needs.columns.add('trace_row_id');
  return {
    decide({ batch, lookedUp: { sets } }) {
      const verdicts = verdictsOf(batch.rowCount, UNCERTAIN);
      if (sets === undefined) return verdicts;
      const { rowIds } = batch;
      const traces = isOfOwner ? batch.numbers('trace_row_id') : rowIds;
      for (let row = 0; row < verdicts.length; row++)
        verdicts[row] = sets.isSpanIn(set, rowIds[row] ?? 0, traces[row] ?? 0) === isNegated ? NO : YES;
      return verdicts;
    },
    weight: WEIGHT,
  };
}

/** More than reading a column. */
const WEIGHT = 5;
