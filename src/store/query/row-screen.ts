/** What sets tell of row ids of spans, before anything is read of the spans. */
import type { Condition } from '#filter/tree';
import type { RowScreen } from '../columns/batch.ts';
import type { RowIdRange } from '../sets/range-list.ts';
import type { SetScope } from '../sets/set-members.ts';
import type { SetReader } from '../sets/set-reader.ts';
import { leaveToColumns } from '../sets/text-sets.ts';
import { listCandidates } from './candidates.ts';
import { compileParts } from './partial-condition.ts';
import { NO, UNCERTAIN, YES } from './verdicts.ts';

/** A screen for a filter of spans; `null` where the filter asks for no set. */
export function rowScreenOf(scope: SetScope, asked: Condition, reader: SetReader): RowScreen | null {
  if (!asksForSets(asked)) return null;
  const condition = leaveToColumns(asked);
  const leaves: SpanLeaf[] = [];
  const decide = compileParts<RowIdRange>(condition, (part) => {
    if (!isSpanLeaf(part)) return () => UNCERTAIN;
    leaves.push(part);
    const members = reader.membersOf(part.set);
    return (range) => {
      const count = members.isKnown(range) ? members.countKnown(range) : undefined;
      if (count === 0) return part.isNegated ? YES : NO;
      // Row ids are never given out twice, so that a range which is full stays full.
      if (count === range.end - range.from) return part.isNegated ? NO : YES;
      return UNCERTAIN;
    };
  });
  const all = new Set(leaves.map(({ set }) => reader.membersOf(set)));
  const ruleOut = compileParts<null>(condition, (part) => (isSpanLeaf(part) ? () => NO : () => UNCERTAIN));
  const isScreening = ruleOut(null) === NO;
  return {
    list: (range, limit) => listCandidates({ scope, reader, range, limit }, asked, 'span'),
    async mayHold(range) {
      if (!isScreening) return true;
      for (const members of all) await members.cover(range);
      return decide(range) !== NO;
    },
    knows(range) {
      if (!isScreening) return true;
      return [...all].every((members) => members.isKnown(range)) ? decide(range) !== NO : undefined;
    },
  };
}

function asksForSets(condition: Condition): boolean {
  if (condition.kind === 'and' || condition.kind === 'or') return condition.operands.some(asksForSets);
  return condition.kind === 'inSet';
}

type SpanLeaf = Condition & { readonly kind: 'inSet' };

/** Whether it asks if the span itself is in a set. */
function isSpanLeaf(part: Condition): part is SpanLeaf {
  return part.kind === 'inSet' && part.of === null && part.set.subject === 'span';
}
