/** Random conditions joined by `and` and `or`. */
import fc from 'fast-check';
import { joinConditions } from './check/join.ts';
import type { Condition } from './tree.ts';

/** Leaves, alone or joined, up to three deep. */
export function joinedOf(leaf: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> {
  return fc.letrec<{ tree: Condition }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc
        .tuple(fc.constantFrom<'and' | 'or'>('and', 'or'), fc.array(tie('tree'), { minLength: 2, maxLength: 4 }))
        .map(([kind, operands]) => joinConditions(kind, operands)),
    ),
  })).tree;
}
