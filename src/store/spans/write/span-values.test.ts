import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInPrices } from '#derive/cost/built-in-list';
import { PriceTable } from '#derive/cost/price-table';
import { parseNarrowAttributes, parseOmitted } from '#derive/narrow-attributes';
import { narrowMember } from '#derive/narrow-member';
import { normalizeSpan, summarizeSpan } from '#normalize/normalize-span';
import type { SpanSummary } from '#normalize/normalized';
import type { AnyValue } from '#otlp/messages';
import { otlpResource, otlpScope, otlpSpan } from '../../../../test/support/otlp-span.ts';
import { digestSpan } from '../digest.ts';
import { rateSpan, toSpanValues } from './span-values.ts';

const PRICES = new PriceTable([], builtInPrices());

const PLACE = { projectId: 1, traceRowId: 2, otelResourceId: 3 };

describe('a narrow row', () => {
  it('shows the beginning of a long input, and no second copy of a short one', () => {
    const long = 'A long question. '.repeat(40);
    expect(rowOf({ 'input.value': long, 'output.value': 'short' })).toMatchObject({
      input_preview: long.slice(0, 100),
      output_preview: null,
    });
    expect(parseNarrowAttributes(rowOf({ 'output.value': 'short' }).attributes)).toMatchObject({
      'output.value': 'short',
    });
    expect(rowOf({})).toMatchObject({ input_preview: null, output_preview: null });
  });

  it('keeps the beginning of a short input where a bound cut the attributes', () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`key.k${n}`, 'x']));
    expect(rowOf({ ...many, 'input.value': 'short' })).toMatchObject({ attributes_cut: 1, input_preview: 'short' });
  });

  it('shows the beginning of a short output that is a list or a map, which its attributes hold in pieces or not at all', () => {
    expect(rowOf({ 'output.value': ['a', 'b'] })).toMatchObject({ output_preview: '["a","b"]' });
    const map = { entries: [{ key: 'b', value: 'c' }] };
    expect(rowOf({ 'output.value': map })).toMatchObject({ output_preview: '{"b":"c"}' });
  });

  it('tells of an attribute and a member of a map that have one name what parsing the row tells', () => {
    const map = (key: string, value: string) => ({ entries: [{ key, value }] });
    const { attributes } = rowOf({
      session: map('id', 'b'),
      'session.id': 'a',
      input: map('mime_type', 'text/plain'),
      'input.mime_type': 'application/json',
    });
    const whole = parseNarrowAttributes(attributes);
    for (const key of ['session.id', 'input.mime_type']) {
      expect(attributes).not.toContain(key);
      expect(narrowMember(key).valueIn(attributes)).toBe(whole[key]);
    }
    expect([whole['session.id'], whole['input.mime_type']]).toEqual(['a', 'application/json']);
  });

  it('shows what a model says to tools and hears from them, also where its attributes hold the JSON around it', () => {
    const call = 'llm.output_messages.0.message.tool_calls.0.tool_call.function';
    const spoken = {
      'input.value': '[{"role":"tool","content":"delivered"}]',
      'llm.input_messages.0.message.role': 'tool',
      'llm.input_messages.0.message.content': 'delivered',
      'output.value': '{"role":"assistant","content":null,"tool_calls":[]}',
      [`${call}.name`]: 'track',
      [`${call}.arguments`]: '{"id":"4711"}',
    };
    expect(rowOf({ ...spoken, 'openinference.span.kind': 'LLM' })).toMatchObject({
      input_preview: '← delivered',
      output_preview: '→ track(id: "4711")',
    });
    expect(rowOf({ ...spoken, 'openinference.span.kind': 'AGENT' })).toMatchObject({ output_preview: null });
  });

  it.each([
    [5_000_000n, 5_000_000n, 5000],
    [5_000_000n, 1_000_000n, 5000],
    [5_000_000n, 0n, null],
  ])('that starts at %d and ends at %d has the end %s', (startTimeUnixNano, endTimeUnixNano, endUs) => {
    expect(rowOf({}, { startTimeUnixNano, endTimeUnixNano })).toMatchObject({ start_us: 5000, end_us: endUs });
  });
});

function rowOf(attributes: Readonly<Record<string, AnyValue>>, more: Parameters<typeof otlpSpan>[0] = {}) {
  const digest = digestSpan(summarizeSpan(otlpSpan({ ...more, attributes }), otlpScope(), otlpResource(), 0n));
  const rated = rateSpan(digest, 9, 4, PRICES);
  return toSpanValues(rated, { counted: rated.facts.claim, callDistance: 0 }, PLACE);
}

describe('the row of a span that arrives', () => {
  const anyKey = fc.constantFrom(
    'input.value',
    'input.value.x',
    'input',
    'input.mime_type',
    'output.value',
    'output.value.x',
    ' output . value',
    'llm.model_name',
    'llm..model_name',
    'llm',
    'llm.input_messages',
    'llm.input_messages.0.message.role',
    'metadata',
    'a.metadata',
    'a',
    'a.b',
    'a.b.c',
    'a.0',
    'a.0.b',
    'a.01.b',
    '0.a',
    '.a',
    '',
    '__proto__',
    'session.id',
    'session',
    'gen_ai.conversation.id',
    'gen_ai.prompt',
    'gen_ai.tool.name',
    'a\0',
    'a\ufffd',
    'tool.parameters',
    'llm.token_count.prompt',
    'llm.invocation_parameters',
    'x.'.repeat(65),
    'openinference.span.kind',
    'llm.output_messages',
    'llm.output_messages.0.message.content',
    'llm.output_messages.0.message.tool_calls',
    'llm.output_messages.0.message.tool_calls.0.tool_call.function.name',
    'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments',
  );
  const anyValue: fc.Arbitrary<AnyValue> = fc.oneof(
    fc.constantFrom('text', 'LLM', '12', '{"model":"m","b":[{"c":1}]}', '[{"message":{"role":"user"}}]', 'null', ''),
    fc.constantFrom('x'.repeat(300), 7n, 0n, 1.5, true, null, Uint8Array.of(1), ['a', 1n], [{ entries: [] }]),
    fc
      .array(fc.record({ key: anyKey, value: fc.constantFrom('v', 1n) }), { maxLength: 2 })
      .map((entries) => ({ entries })),
  );

  it('is the row of the same span read whole', () => {
    const anyAttributes = fc.array(fc.record({ key: anyKey, value: anyValue }), { maxLength: 6 });
    fc.assert(
      fc.property(anyAttributes, (attributes) => {
        const given = [otlpSpan({ attributes }), otlpScope(), otlpResource(), 0n] as const;
        const whole = normalizeSpan(...given);
        const { attributes: tree } = whole;
        expect(unordered(summarizeSpan(...given))).toEqual(
          unordered({ ...whole, linked: [], entries: Object.entries(tree) }),
        );
      }),
      { numRuns: 3000 },
    );
  });
});

/** The row, with its attributes as sets: their order is that of the span's. */
function unordered(span: SpanSummary) {
  const digest = digestSpan(span);
  const rated = rateSpan(digest, 9, 4, PRICES);
  const row = toSpanValues(rated, { counted: rated.facts.claim, callDistance: 0 }, PLACE);
  const members = Object.entries(parseNarrowAttributes(row.attributes));
  const omitted = parseOmitted(row.omitted_attributes);
  return {
    ...row,
    attributes: new Set(members.map(([key, value]) => JSON.stringify([key, value]))),
    omitted_attributes: new Set(omitted),
  };
}
