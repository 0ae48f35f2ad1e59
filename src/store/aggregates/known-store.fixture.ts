/** Spans of all sorts, in segments, changed since, erased and not sealed yet; and what is true of them, one by one. */
import { evaluate } from '#filter/evaluate';
import { parseFilter } from '#filter/parse-filter';
import type { Condition } from '#filter/tree';
import { Double, spanId, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import { hashNumbers } from '../../../test/traffic/random.ts';
import { SpanSubject } from '../query/span-subject.ts';
import { type AggregateStore, type KnownSpan, openAggregateStore } from './aggregates.fixture.ts';
import { PIN_FILTERS, type Pins } from '../sets/pins.fixture.ts';
import type { Dimension, SpanQuestion } from './port.ts';

/** Clocks in Berlin go back in the night before the second day. */
export const START_US = Date.UTC(2026, 9, 24) * 1000;
export const HOUR_US = 3_600_000_000;
const DAYS_US = 72 * HOUR_US;

/** A store with its spans, decoded. */
export class KnownStore {
  readonly store: AggregateStore;
  readonly spans: readonly KnownSpan[];
  readonly pins: Pins;
  readonly #subjects: ReadonlyMap<KnownSpan, SpanSubject>;

  private constructor(store: AggregateStore, spans: readonly KnownSpan[], pins: Pins) {
    this.store = store;
    this.spans = spans;
    this.pins = pins;
    this.#subjects = new Map(spans.map((span) => [span, subjectOf(span, spans, pins)]));
  }

  /** @param isErased whether some spans are gone since they were sealed, which leaves the rows of traces as they were */
  static async open(isErased: boolean): Promise<KnownStore> {
    const store = await openAggregateStore();
    const all = Array.from({ length: 360 }, (_, index) => randomSpan(index));
    await store.send(all.slice(0, 120));
    await store.send(all.slice(0, 20), 'other');
    await store.seal();
    await store.send(all.slice(120, 240));
    await store.seal();
    await store.send(all.slice(60, 90).map((span) => ({ ...span, status: 'ERROR', name: 'again' })));
    if (isErased) await store.exec('DELETE FROM spans WHERE id % 17 = 3');
    await store.send(all.slice(240));
    const pins = await store.createPins();
    await pins.addSome();
    return new KnownStore(store, await store.readSpans(), pins);
  }

  /** Matches of a question. */
  matchesOf({ condition, startTimeUs = 0, endTimeUs = Infinity }: Partial<SpanQuestion>): readonly KnownSpan[] {
    return this.spans.filter(
      (span) =>
        span.row.startTimeUs >= startTimeUs &&
        span.row.startTimeUs < endTimeUs &&
        (condition == null || this.#holds(condition, span)),
    );
  }

  /** What a dimension says of a span; {@link UNLISTED} where that is too long. */
  valueOf(dimension: Dimension, span: KnownSpan): unknown {
    const subject = this.#subjects.get(span);
    const value =
      dimension.kind === 'field' ? subject?.field(dimension.name, false) : subject?.attribute(dimension.path);
    if (typeof value === 'object' && value !== null) return Number((value as { text?: string }).text);
    if (typeof value === 'string' && value.length > 256) return UNLISTED;
    return value ?? null;
  }

  #holds(condition: Condition, span: KnownSpan): boolean {
    const subject = this.#subjects.get(span);
    return subject !== undefined && evaluate(condition, subject);
  }
}

/** A value that is told apart from no other. */
export const UNLISTED = Symbol('unlisted');

/** Filters of all kinds. */
export const CONDITIONS = [
  '',
  "span_kind == 'LLM'",
  "status_code == 'ERROR' and latency_ms > 100",
  "llm.model_name in ['large', 'small'] or user.id == 'user 3'",
  "'question 5' in input.value",
  'tier == 1',
  'parent_id is None',
  'llm.token_count.prompt > 10_000',
  ...PIN_FILTERS.keys(),
];

/** What spans can be told apart by. */
export const DIMENSIONS: readonly Dimension[] = [
  field('span_kind'),
  field('status_code'),
  field('name'),
  attribute('llm.model_name'),
  attribute('user.id'),
  attribute('tier'),
];

/** A field of spans. */
export function field(name: string): Dimension {
  return { kind: 'field', name, of: null, isOfParent: false };
}

/** An attribute of spans. */
export function attribute(path: string): Dimension {
  return { kind: 'attribute', path, of: null };
}

/** What a filter means. */
export function conditionOf(text: string): Condition | null {
  const ofPins = PIN_FILTERS.get(text);
  if (ofPins !== undefined) return ofPins;
  const { condition, diagnostics } = parseFilter('span', text);
  if (diagnostics.some(({ severity }) => severity === 'error')) throw new Error(JSON.stringify(diagnostics));
  return condition;
}

function subjectOf(span: KnownSpan, spans: readonly KnownSpan[], pins: Pins): SpanSubject {
  const { parentSpanId, traceId: ownTrace, spanId: ownId } = span.row;
  const isParentless = !spans.some(
    ({ row }) => row.traceId === ownTrace && row.spanId === parentSpanId && row.spanId !== ownId,
  );
  return new SpanSubject(span, {
    isParentless,
    read: (column) => span.counted[column] ?? null,
    subtree: undefined,
    isIn: (set) => pins.isSpanIn(set, span.row),
  });
}

/** From 0 to below 1, the same for the same numbers. */
function random(index: number, salt: number): number {
  return hashNumbers(index, salt) / 2 ** 32;
}

function pick<Item>(index: number, salt: number, items: readonly Item[]): Item {
  return items[Math.floor(random(index, salt) * items.length)] as Item;
}

function randomSpan(index: number): TestSpan {
  const startUs = START_US + Math.floor(random(index, 1) * DAYS_US);
  const kind = pick(index, 2, ['LLM', 'LLM', 'TOOL', 'CHAIN']);
  return {
    traceId: traceId(1 + (index % 40)),
    spanId: spanId(1 + index),
    ...(index % 5 !== 0 && { parentSpanId: spanId(1 + index - (index % 40 > 20 ? 40 : 7000)) }),
    name: pick(index, 3, ['ask', 'answer', 'look up']),
    startUs,
    // One in ten is open.
    endUs: random(index, 4) < 0.1 ? 0 : startUs + Math.floor(random(index, 5) ** 4 * 60_000_000),
    status: pick(index, 6, ['OK', 'OK', 'ERROR', 'UNSET'] as const),
    attributes: {
      'openinference.span.kind': kind,
      ...(random(index, 7) < 0.7 && { 'user.id': `user ${Math.floor(random(index, 8) * 5)}` }),
      ...(random(index, 9) < 0.5 && { 'session.id': `session ${index % 9}` }),
      ...(kind === 'LLM' && {
        'llm.model_name': pick(index, 10, ['small', 'large', 'LARGE']),
        'llm.token_count.prompt': Math.floor(random(index, 11) * 900),
        'llm.token_count.completion': Math.floor(random(index, 12) * 90),
        'llm.token_count.prompt_details.cache_read': Math.floor(random(index, 13) * 50),
        'llm.cost.total': Math.floor(random(index, 14) * 1000) / 1e6,
      }),
      tier: pick(index, 15, ['gold', 'silver', 1, new Double(1), '1', 2.5, true, `long ${'x'.repeat(400)}`]),
      'input.value': `${'question '.repeat(random(index, 16) < 0.5 ? 2 : 60)}${index % 7}`,
    },
  };
}
