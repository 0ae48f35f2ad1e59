/** Conditions on spans of every kind, as no parser need make them. */
import fc from 'fast-check';
import { joinedOf } from '#filter/joined.fixture';
import type { AnnotationMember, AnnotationTarget, Comparison, Condition, Literal, Value } from '#filter/tree';
import { spanId, TEST_START_US, traceId } from '../../../test/harness/otlp-json.ts';
import { ANNOTATION_NAMES } from '../annotations/annotations.fixture.ts';
import { LABELS, PINNED } from '../sets/pins.fixture.ts';
import { PATHS, TEXTS } from './queried-store.fixture.ts';

const text = fc
  .constantFrom(...TEXTS, 'LLM', 'ERROR', 'name', 'n'.repeat(1500), traceId(3), traceId(99), spanId(5), spanId(5001))
  .map((value): Literal => ({ kind: 'literal', type: 'text', value }));
const number = fc
  .constantFrom('0', '1', '1.0', '0.5', '-3', '2', '12', '20', '9007199254740993', '9300000000000000000')
  .map((digits): Literal => ({ kind: 'literal', type: 'number', value: Number(digits), text: digits }));
const boolean = fc.boolean().map((value): Literal => ({ kind: 'literal', type: 'boolean', value }));
const date = fc
  .integer({ min: 0, max: 70_000 })
  .map((ms): Literal => ({ kind: 'literal', type: 'date', value: TEST_START_US + ms * 1000 }));
const literal = fc.oneof(text, number, boolean, date);

const field = fc
  .constantFrom(
    'span_id',
    'trace_id',
    'parent_id',
    'name',
    'model_name',
    'span_kind',
    'status_code',
    'status_message',
    'start_time',
    'end_time',
    'latency_ms',
    'total_cost',
    'prompt_cost',
    'cumulative_llm_token_count_prompt',
    'cumulative_llm_token_count_total',
  )
  .map((name): Value => ({ kind: 'field', name, of: null, isOfParent: false }));
const attribute = fc.constantFrom(...PATHS).map((path): Value => ({ kind: 'attribute', path, of: null }));
const annotationName = fc.record({
  target: fc.constantFrom<AnnotationTarget>('span', 'span', 'trace', 'document'),
  name: fc.constantFrom(...ANNOTATION_NAMES),
});
const annotation = fc.record({
  kind: fc.constant('annotation' as const),
  annotation: annotationName,
  member: fc.constantFrom<AnnotationMember>('score', 'score', 'label', 'explanation', 'identifier', 'annotator_kind'),
});

/** Of single annotations, with and without what SQL can say. */
const ofAnnotation = fc.oneof(
  fc.record({
    kind: fc.constant('compare' as const),
    operator: fc.constantFrom<Comparison['operator']>('==', '!=', '<', '<=', '>', '>='),
    left: fc.constantFrom('score', 'label', 'name').map(fieldOfAnnotation),
    right: fc.oneof(text, number),
    as: fc.constantFrom<Comparison['as']>('text', 'number'),
  }),
  fc.record({
    kind: fc.constant('compare' as const),
    operator: fc.constant('==' as const),
    left: fc.constant(fieldOfAnnotation('name')),
    right: fc.constantFrom(...ANNOTATION_NAMES).map((value): Literal => ({ kind: 'literal', type: 'text', value })),
    as: fc.constant('text' as const),
  }),
  fc.record({
    kind: fc.constant('member' as const),
    isNegated: fc.boolean(),
    value: fc.constantFrom('score', 'label').map(fieldOfAnnotation),
    list: fc.oneof(fc.array(text, { maxLength: 3 }), fc.array(number, { maxLength: 3 })),
  }),
  fc.record({
    kind: fc.constant('contains' as const),
    isNegated: fc.boolean(),
    text: fc.constantFrom('label', 'explanation').map(fieldOfAnnotation),
    part: text,
  }),
  fc.record({
    kind: fc.constant('absent' as const),
    isNegated: fc.boolean(),
    value: fc.constantFrom('label', 'score').map(fieldOfAnnotation),
  }),
) satisfies fc.Arbitrary<Condition>;

function fieldOfAnnotation(name: string): Value {
  return { kind: 'field', name, of: 'a', isOfParent: false };
}

const annotations = fc.record({
  collection: fc.constantFrom('annotations', 'annotations', 'trace_annotations', 'document_annotations'),
  of: fc.constant(null),
  variable: fc.constant('a'),
  where: fc.option(joinedOf(ofAnnotation)),
});

const DETAILS = { collection: 'cost_details', of: null, variable: 'd', where: null } as const;
const detail = (name: string): Value => ({ kind: 'field', name, of: 'd', isOfParent: false });

const SUBJECTS = ['span', 'trace', 'session'] as const;

const { condition } = fc.letrec<{ value: Value; condition: Condition }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    { arbitrary: attribute, weight: 6 },
    { arbitrary: field, weight: 6 },
    { arbitrary: literal, weight: 3 },
    annotation,
    fc.record({
      kind: fc.constant('reduction' as const),
      reduction: fc.constantFrom('sum' as const, 'max' as const, 'min' as const),
      over: annotations,
      value: fc.constant(fieldOfAnnotation('score')),
    }),
    fc.record({
      kind: fc.constant('reduction' as const),
      reduction: fc.constant('len' as const),
      over: annotations,
      value: fc.constant(null),
    }),
    fc.record({
      kind: fc.constant('arithmetic' as const),
      operator: fc.constantFrom('+' as const, '-' as const, '*' as const, '/' as const, '%' as const),
      left: tie('value'),
      right: tie('value'),
    }),
    fc.record({ kind: fc.constant('negate' as const), operand: tie('value') }),
    fc.record({
      kind: fc.constant('convert' as const),
      to: fc.constantFrom('text' as const, 'number' as const),
      operand: tie('value'),
    }),
    fc.record({
      kind: fc.constant('reduction' as const),
      reduction: fc.constantFrom('len' as const, 'sum' as const, 'max' as const, 'min' as const),
      over: fc.constant(DETAILS),
      value: fc.constantFrom(detail('cost'), detail('tokens')),
    }),
  ) satisfies fc.Arbitrary<Value>,
  condition: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'condition' },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('compare' as const),
        operator: fc.constantFrom<Comparison['operator']>('==', '!=', '<', '<=', '>', '>='),
        left: tie('value'),
        right: tie('value'),
        as: fc.constantFrom<Comparison['as']>('text', 'number', 'boolean', 'date', 'exact', 'same'),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('member' as const),
        isNegated: fc.boolean(),
        value: tie('value'),
        list: fc.oneof(
          fc.array(text, { maxLength: 3 }),
          fc.array(number, { maxLength: 3 }),
          fc.array(boolean, { maxLength: 2 }),
        ),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('contains' as const),
        isNegated: fc.boolean(),
        text: tie('value'),
        part: fc.oneof(text, tie('value')),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('absent' as const), isNegated: fc.boolean(), value: tie('value') }),
    },
    {
      weight: 4,
      arbitrary: fc
        .record({ isNegated: fc.boolean(), subject: fc.constantFrom(...SUBJECTS), label: fc.constantFrom(...LABELS) })
        .map(({ isNegated, subject, label }) => ({ ...PINNED[subject].leaf({ label }), isNegated })),
    },
    fc.record({ kind: fc.constant('parentless' as const), isNegated: fc.boolean(), of: fc.constant(null) }),
    fc.record({ kind: fc.constant('constant' as const), value: fc.boolean() }),
    fc.record({
      kind: fc.constant('annotated' as const),
      isNegated: fc.boolean(),
      annotation: annotationName,
    }),
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('quantifier' as const),
        isNegated: fc.boolean(),
        quantifier: fc.constantFrom('any' as const, 'all' as const),
        over: annotations,
        test: joinedOf(ofAnnotation),
      }),
    },
    fc.record({
      kind: fc.constant('quantifier' as const),
      isNegated: fc.boolean(),
      quantifier: fc.constantFrom('any' as const, 'all' as const),
      over: fc.constant(DETAILS),
      test: fc.record({
        kind: fc.constant('compare' as const),
        operator: fc.constantFrom('>' as const, '<' as const),
        left: fc.constantFrom(detail('cost'), detail('tokens')),
        right: number,
        as: fc.constant('number' as const),
      }),
    }),
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        operands: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }),
      }),
    },
  ) satisfies fc.Arbitrary<Condition>,
}));

/** Any condition. */
export const anyCondition = condition;
