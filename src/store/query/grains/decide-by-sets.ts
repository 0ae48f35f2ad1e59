/** Decides rows by their fields, and those that fields leave open by the sets that the rows themselves are asked to be in. */
import type { Condition, SetReference } from '#filter/tree';
import type { Membership } from '../../sets/set-reader.ts';
import { UNCERTAIN } from '../verdicts.ts';
import type { Verdict } from '../partial-condition.ts';

/** A row, with what sets say of it; `null` while they were not asked. */
export interface RowInSets<Row> {
  readonly row: Row;
  readonly sets: Membership | null;
}

/** The sets that the row itself is asked to be in, outside of collections. */
export function setsOfRow(condition: Condition): readonly SetReference[] {
  if (condition.kind === 'and' || condition.kind === 'or') return condition.operands.flatMap(setsOfRow);
  return condition.kind === 'inSet' && condition.of === null ? [condition.set] : [];
}

/**
 * Asks sets about the rows that are open without them.
 * @param ask asks about such rows; `null` where the condition names no set
 */
export async function decideBySets<Row>(
  rows: readonly Row[],
  decide: (asked: RowInSets<Row>) => Verdict,
  ask: ((open: readonly Row[]) => Promise<Membership>) | null,
): Promise<{ readonly verdicts: Verdict[]; readonly sets: Membership | null }> {
  const verdicts = rows.map((row) => decide({ row, sets: null }));
  const open = rows.filter((_row, place) => verdicts[place] === UNCERTAIN);
  if (ask === null || open.length === 0) return { verdicts, sets: null };
  const sets = await ask(open);
  for (const [place, row] of rows.entries()) if (verdicts[place] === UNCERTAIN) verdicts[place] = decide({ row, sets });
  return { verdicts, sets };
}
