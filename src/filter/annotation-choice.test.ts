import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evaluate } from './evaluate.ts';
import { joinedOf } from './joined.fixture.ts';
import { type PlainRow, plainSubject } from './plain-subject.fixture.ts';
import type { FilterAnnotation } from './subject.ts';
import type { Condition, Value } from './tree.ts';

const NAMES = ['a', 'b', 'c'] as const;

const name = fc.constantFrom(...NAMES).map((text) => ({ target: 'span', name: text }) as const);
const score = name.map((annotation): Value => ({ kind: 'annotation', annotation, member: 'score' }));
const number = fc.nat(2).map((value): Value => ({ kind: 'literal', type: 'number', value, text: String(value) }));

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc
    .tuple(fc.constantFrom<'==' | '!=' | '<'>('==', '!=', '<'), score, fc.oneof(score, number))
    .map(([operator, left, right]): Condition => ({ kind: 'compare', operator, left, right, as: 'number' })),
  fc
    .tuple(fc.boolean(), name)
    .map(([isNegated, annotation]): Condition => ({ kind: 'annotated', isNegated, annotation })),
  fc.tuple(fc.boolean(), score).map(([isNegated, value]): Condition => ({ kind: 'absent', isNegated, value })),
);

const condition = joinedOf(leaf);

type Scores = Partial<Record<(typeof NAMES)[number], readonly number[]>>;

function rowOf(scores: Scores): PlainRow {
  const annotations: Record<string, Partial<FilterAnnotation>[]> = {};
  for (const key of NAMES) annotations[`span ${key}`] = (scores[key] ?? []).map((value) => ({ score: value }));
  return { annotations };
}

/** Every way to leave one annotation of each name, as a join would. */
function joined(scores: Scores): readonly Scores[] {
  let rows: readonly Scores[] = [{}];
  for (const key of NAMES) {
    const found = scores[key] ?? [];
    if (found.length > 0) rows = rows.flatMap((row) => found.map((value) => ({ ...row, [key]: [value] })));
  }
  return rows;
}

it('holds where a row of the join of all annotations fulfils the whole condition', () => {
  const scores = fc.record({
    a: fc.array(fc.nat(2), { maxLength: 3 }),
    b: fc.array(fc.nat(2), { maxLength: 3 }),
    c: fc.array(fc.nat(2), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(condition, scores, (tree, found) => {
      const expected = joined(found).some((row) => evaluate(tree, plainSubject(rowOf(row))));
      expect(evaluate(tree, plainSubject(rowOf(found)))).toBe(expected);
    }),
    { numRuns: 500 },
  );
});
