/** Decides rows whose values are read as they are asked for. */
import { evaluate } from '#filter/evaluate';
import type { FilterSubject } from '#filter/subject';
import type { Condition } from '#filter/tree';
import { giveWay } from '../../threads/fair-turns.ts';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import { OriginalValues } from './original-values.ts';

/** A row with what is read of it. */
export interface ReadySubject {
  readonly rowId: number;
  readonly subject: FilterSubject;
  readonly originals: OriginalValues;
}

/** Row ids of those that match. */
export async function decideSubjects(
  scope: ReadScope,
  condition: Condition,
  subjects: readonly ReadySubject[],
): Promise<ReadonlySet<number>> {
  const matches = new Set<number>();
  let undecided: ReadySubject[] = [];
  let askedCount = 0;
  for (const [place, ready] of subjects.entries()) {
    await giveWay();
    const holds = evaluate(condition, ready.subject);
    const { asked } = ready.originals;
    if (asked.length === 0) {
      if (holds) matches.add(ready.rowId);
    } else {
      undecided.push(ready);
      askedCount += asked.length;
    }
    if (undecided.length > 0 && (askedCount >= ORIGINALS_AT_ONCE || place === subjects.length - 1)) {
      await OriginalValues.read(
        scope,
        undecided.map(({ originals }) => originals),
      );
      for (const rowId of await decideSubjects(scope, condition, undecided)) matches.add(rowId);
      [undecided, askedCount] = [[], 0];
    }
  }
  return matches;
}

/** Originals whose values are kept together. */
const ORIGINALS_AT_ONCE = 128;
