/** Spans of all sorts, in segments, changed since, erased and not sealed yet, and what filters mean of each of them. */
import { evaluate } from '#filter/evaluate';
import type { Condition, SetReference } from '#filter/tree';
import {
  Double,
  spanId,
  TEST_START_US,
  type TestSpan,
  type TestValue,
  traceId,
} from '../../../test/harness/otlp-json.ts';
import { hashNumbers } from '../../../test/traffic/random.ts';
import { type AggregateStore, type KnownSpan, openAggregateStore } from '../aggregates/aggregates.fixture.ts';
import { TestAnnotations } from '../annotations/annotations.fixture.ts';
import type { KnownAnnotations } from '../annotations/read-annotations.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { SpanSubject } from './span-subject.ts';

/** A store with its spans, decoded. */
export class QueriedStore {
  readonly store: AggregateStore;
  readonly spans: readonly KnownSpan[];
  readonly annotations: TestAnnotations;
  readonly #subjects: ReadonlyMap<KnownSpan, SpanSubject>;

  private constructor(
    store: AggregateStore,
    spans: readonly KnownSpan[],
    annotations: TestAnnotations,
    subjects: ReadonlyMap<KnownSpan, SpanSubject>,
  ) {
    this.store = store;
    this.spans = spans;
    this.annotations = annotations;
    this.#subjects = subjects;
  }

  static async open(): Promise<QueriedStore> {
    const store = await openAggregateStore();
    const all = Array.from({ length: 420 }, (_, index) => randomSpan(index));
    await store.send(all.slice(0, 150));
    await store.send(all.slice(0, 20), 'other');
    await store.seal();
    await store.send(all.slice(150, 300));
    await store.seal();
    // Replaced in sealed segments, some by what other spans were.
    await store.send(all.slice(100, 180).map((span, index) => ({ ...randomSpan(1000 + index), ...idsOf(span) })));
    await store.exec('DELETE FROM spans WHERE id % 17 = 3');
    // Whoever deletes spans says which have lost their parent.
    await store.exec('UPDATE spans SET parent_span_id = parent_span_id WHERE parent_span_id IS NOT NULL');
    await store.send(all.slice(300));
    const spans = await store.readSpans();
    const pins = await store.createPins();
    await pins.addSome();
    const annotations = new TestAnnotations(store.scope.db);
    await annotations.addSome();
    const isIn = (set: SetReference, { row }: KnownSpan) => pins.isSpanIn(set, row);
    return new QueriedStore(store, spans, annotations, await subjectsOf(store.scope, spans, isIn, annotations.known));
  }

  /** Row ids of the spans that match, ascending, one by one. */
  matchesOf(condition: Condition): readonly number[] {
    const matching = this.spans.filter((span) => {
      const subject = this.#subjects.get(span);
      return subject !== undefined && evaluate(condition, subject);
    });
    return matching.map(({ row }) => row.rowId).sort((a, b) => a - b);
  }
}

/** Whole spans of a project, all of them, as the evaluator asks for them. */
export async function subjectsOf(
  scope: ReadScope,
  spans: readonly KnownSpan[],
  isIn: (set: SetReference, span: KnownSpan) => boolean = () => false,
  annotations?: KnownAnnotations,
): Promise<ReadonlyMap<KnownSpan, SpanSubject>> {
  const stored = new Set(spans.map(({ row }) => `${row.traceId} ${row.spanId}`));
  const subjects = new Map<KnownSpan, SpanSubject>();
  for (const span of spans) {
    const { parentSpanId, spanId: ownId, traceId: ownTrace, traceRowId, rowId } = span.row;
    const tree = await scope.trees.treeOf(scope.db, traceRowId);
    subjects.set(
      span,
      new SpanSubject(span, {
        isParentless: parentSpanId === ownId || !stored.has(`${ownTrace} ${parentSpanId}`),
        subtree: tree.subtree(rowId),
        read: (column) => span.counted[column] ?? null,
        isIn: (set) => isIn(set, span),
        ...(annotations && { annotations }),
      }),
    );
  }
  return subjects;
}

/** Texts that spans and filters share: letters of several cases and scripts, digits, and longer than a row holds. */
export const TEXTS = [
  '',
  'a',
  'A',
  '12',
  '1.0',
  'true',
  'ΣΟΦΟΣ',
  'σοφοσ',
  'ß',
  '😀',
  'needle',
  `${'x'.repeat(300)}needle`,
];

/** Paths that spans and filters share. */
export const PATHS = [
  'tier',
  'text',
  'tags',
  'tags.0',
  'docs',
  'docs.1.id',
  'deep',
  'deep.a',
  'deep.a.b',
  'key.299x',
  'llm.token_count.prompt',
  'none',
];

const SCALARS: readonly TestValue[] = [
  ...TEXTS,
  0,
  1,
  new Double(1),
  0.5,
  -3,
  9_007_199_254_740_993n,
  new Double(9.3e18),
  true,
  false,
  null,
];

const KINDS = ['LLM', 'TOOL', 'CHAIN', 'AGENT'];
const STATUSES = ['UNSET', 'OK', 'ERROR'] as const;

function idsOf({ traceId: trace, spanId: span }: TestSpan) {
  return { traceId: trace ?? traceId(1), spanId: span };
}

function randomSpan(index: number): TestSpan {
  const pick = <Item>(items: readonly Item[], salt: number): Item =>
    items[hashNumbers(index, salt) % items.length] as Item;
  const isOdd = (salt: number, outOf: number) => hashNumbers(index, salt) % outOf === 0;
  const trace = Math.floor(index / 6);
  const startUs = TEST_START_US + trace * 1_000_000 + (hashNumbers(index, 1) % 5) * 1000;
  return {
    traceId: traceId(trace + 1),
    spanId: spanId(index + 1),
    ...(index % 6 !== 0 && { parentSpanId: spanId(isOdd(2, 7) ? 5000 + index : index - (hashNumbers(index, 3) % 2)) }),
    name: isOdd(4, 40) ? 'n'.repeat(1500 + (index % 2)) : `name ${pick(TEXTS.slice(0, 5), 5)}`,
    startUs,
    endUs: isOdd(6, 9) ? startUs - 1 : startUs + (hashNumbers(index, 7) % 4) * 1000,
    status: pick(STATUSES, 8),
    attributes: {
      'openinference.span.kind': pick(KINDS, 9),
      ...(isOdd(10, 2) && { tier: pick(SCALARS, 11) }),
      ...(isOdd(12, 2) && { text: pick(TEXTS, 13) }),
      ...(isOdd(14, 5) && { tags: [pick(SCALARS, 15), 'last'] }),
      ...(isOdd(16, 9) && { 'docs.0.id': 1, 'docs.1.id': pick(SCALARS, 17) }),
      ...(isOdd(18, 6) && { 'deep.a.b': pick(SCALARS, 19) }),
      ...(isOdd(20, 12) && { 'deep.a': pick(SCALARS, 21) }),
      ...(isOdd(22, 30) && Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`key.${n}x`, n]))),
      ...(isOdd(23, 3) && {
        'llm.model_name': 'gpt-4o',
        'llm.token_count.prompt': hashNumbers(index, 24) % 50,
        'llm.token_count.completion': hashNumbers(index, 25) % 20,
      }),
      ...(trace % 3 !== 0 && { 'session.id': `session ${trace % 8}` }),
      ...(isOdd(26, 8) && { 'llm.cost.total': 0.25 }),
    },
  };
}
