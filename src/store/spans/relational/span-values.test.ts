import { describe, expect, it } from 'vitest';
import { normalizeSpan } from '#normalize/normalize-span';
import { otlpResource, otlpScope, otlpSpan } from '../../../../test/support/otlp-span.ts';
import { toSpanFacts, toSpanValues } from './span-values.ts';

const PLACE = { projectId: 1, traceRowId: 2, otelResourceId: 3, instrumentationScopeId: 4 };

describe('a narrow row', () => {
  it('shows the beginning of a long input, and no second copy of a short one', () => {
    const long = 'A long question. '.repeat(40);
    expect(rowOf({ 'input.value': long, 'output.value': 'short' })).toMatchObject({
      input_preview: long.slice(0, 200),
      output_preview: null,
    });
    expect(JSON.parse(rowOf({ 'output.value': 'short' }).attributes)).toMatchObject({ 'output.value': 'short' });
    expect(rowOf({})).toMatchObject({ input_preview: null, output_preview: null });
  });

  it('keeps the beginning of a short input where a bound cut the attributes', () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`key.k${n}`, 'x'.repeat(100)]));
    expect(rowOf({ ...many, 'input.value': 'short' })).toMatchObject({ attributes_cut: 1, input_preview: 'short' });
  });

  it('ends no earlier than it starts', () => {
    const row = rowOf({}, { startTimeUnixNano: 5_000_000n, endTimeUnixNano: 1_000_000n });
    expect(row).toMatchObject({ start_us: 5000, end_us: 5000 });
  });
});

function rowOf(attributes: Readonly<Record<string, string>>, more: Parameters<typeof otlpSpan>[0] = {}) {
  const span = normalizeSpan(otlpSpan({ ...more, attributes }), otlpScope(), otlpResource(), 0n);
  const facts = toSpanFacts(span, 9);
  return toSpanValues(span, facts, facts.claim, PLACE);
}
