import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AnnotationParameters } from './annotated-leaf.ts';
import { annotationsAsSets } from './annotation-sets.ts';
import { evaluate } from './evaluate.ts';
import { joinedOf } from './joined.fixture.ts';
import { mentionsOf } from './mentions.ts';
import { parseFilter } from './parse-filter.ts';
import { type PlainRow, plainSubject } from './plain-subject.fixture.ts';
import type { FilterAnnotation, FilterSubject } from './subject.ts';
import type { Condition, SetReference, Value } from './tree.ts';

const NAMES = ['a', 'b'] as const;

const name = fc.constantFrom(...NAMES).map((text) => ({ target: 'span', name: text }) as const);
const score = name.map((annotation): Value => ({ kind: 'annotation', annotation, member: 'score' }));
const field: Value = { kind: 'field', name: 'latency_ms', of: null, isOfParent: false };
const number = fc.nat(2).map((value): Value => ({ kind: 'literal', type: 'number', value, text: String(value) }));
const value = fc.oneof(
  { weight: 4, arbitrary: score },
  fc.constant(field),
  score.map((operand): Value => ({ kind: 'convert', to: 'text', operand })),
  fc.tuple(score, number).map(([left, right]): Value => ({ kind: 'arithmetic', operator: '+', left, right })),
);

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom<'==' | '!=' | '<'>('==', '!=', '<'),
      value,
      fc.oneof({ weight: 3, arbitrary: number }, value),
    )
    .map(([operator, left, right]): Condition => ({ kind: 'compare', operator, left, right, as: 'number' })),
  fc
    .tuple(fc.boolean(), name)
    .map(([isNegated, annotation]): Condition => ({ kind: 'annotated', isNegated, annotation })),
  fc.tuple(fc.boolean(), value).map(([isNegated, of]): Condition => ({ kind: 'absent', isNegated, value: of })),
);

const condition = joinedOf(leaf);

type Annotations = Readonly<Record<string, readonly Partial<FilterAnnotation>[]>>;

function subjectOf(annotations: Annotations): FilterSubject {
  const row: PlainRow = { annotations, fields: { latency_ms: 1 } };
  return plainSubject({ ...row, isIn: (set) => isIn(set, annotations) });
}

/** As a table of annotations would have it. */
function isIn({ subject, parameters }: SetReference, annotations: Annotations): boolean {
  const { name: own, test, except } = parameters as AnnotationParameters;
  return Object.entries(annotations)
    .filter(([key]) => own === null || key === `${subject} ${own}`)
    .flatMap(([, found]) => found.map((fields) => plainSubject({ fields: { ...fields } })))
    .some((one) => (test === null || evaluate(test, one)) && (except === null || !evaluate(except, one)));
}

it('says of every row what the condition says of its annotations', () => {
  const scores = fc.array(
    fc.nat(2).map((of) => ({ score: of })),
    { maxLength: 3 },
  );
  let leftCount = 0;
  fc.assert(
    fc.property(condition, fc.record({ 'span a': scores, 'span b': scores }), (tree, annotations) => {
      const rewritten = annotationsAsSets(tree);
      if (mentionsOf(rewritten).annotations.length > 0) leftCount++;
      expect(evaluate(rewritten, subjectOf(annotations))).toBe(evaluate(tree, subjectOf(annotations)));
    }),
    { numRuns: 2000 },
  );
  expect(leftCount).toBeGreaterThan(100);
});

it.each([
  ["annotations['a']", ['a']],
  ["not annotations['a']", ['not a']],
  ["annotations['a'].score > 1 and annotations['a'].label == 'x' and name == 'n'", ['a if']],
  ["annotations['a'].score > 1 and annotations['b'].score > 1", ['a if', 'b if']],
  ["annotations['a'].score is None", ['not a', 'a if']],
  ["annotations['a'].score > latency_ms", ['not a', 'a']],
])('%s asks for one set of each name', (text, expected) => {
  const parsed = parseFilter('span', text).condition;
  if (parsed === null) throw new Error(text);
  const asked: string[] = [];
  const walk = (node: Condition): void => {
    if (node.kind === 'and' || node.kind === 'or') node.operands.forEach(walk);
    if (node.kind !== 'inSet') return;
    const { name: own, test } = node.set.parameters as AnnotationParameters;
    asked.push(`${node.isNegated ? 'not ' : ''}${own}${test === null ? '' : ' if'}`);
  };
  walk(annotationsAsSets(parsed));
  expect(asked).toEqual(expected);
});
