/** Whatever a span holds, it is read. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributeAt, flattenAttributes } from '#domain/attributes';
import type { Span } from '#domain/span';
import type { AnyValue } from '#otlp/messages';
import { otlpEvent, otlpResource, otlpScope, otlpSpan } from '../../test/support/otlp-span.ts';
import { toJsonText } from './json-value.ts';
import { normalizeSpan } from './normalize-span.ts';
import { toInteger } from './number.ts';

const EVENTS = [
  'gen_ai.user.message',
  'gen_ai.tool.message',
  'gen_ai.choice',
  'gen_ai.content.prompt',
  'gen_ai.client.inference.operation.details',
  'exception',
] as const;

const anyKey: fc.Arbitrary<string> = fc.constantFrom(
  'openinference.span.kind',
  'gen_ai.operation.name',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.prompt',
  'gen_ai.tool.name',
  'gen_ai.tool.definitions',
  'gen_ai.tool.call.result',
  'gen_ai.retrieval.documents',
  'gen_ai.usage.input_tokens',
  'gen_ai.event.content',
  'llm.input_messages',
  'llm.input_messages.0.message.role',
  'llm.token_count.prompt',
  'metadata',
  'metadata.a',
  'input.value',
  'session.id',
  'content',
  'message',
  '__proto__.x',
  'role',
  'parts',
  'tool_calls',
);

describe('any span', () => {
  const anyValue = fc.letrec<{ value: AnyValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '[{"role":"user","content":"x"}]',
        '{"parts":[{"type":"text"}]}',
        '[[',
        '[{"type":"blob","content":1}]',
        'null',
      ),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.uint8Array({ maxLength: 4 }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.record({ key: anyKey, value: tie('value') }), { maxLength: 3 }).map((entries) => ({ entries })),
    ),
  })).value;
  const keyValues = fc.array(fc.record({ key: anyKey, value: anyValue }), { maxLength: 8 });
  const events = fc.array(fc.tuple(fc.constantFrom(...EVENTS), keyValues), { maxLength: 3 });

  it('is read without failing, twice the same, into text that can be stored', () => {
    fc.assert(
      fc.property(keyValues, events, (attributes, sent) => {
        const original = {
          attributes,
          events: sent.map(([name, values]) => ({ ...otlpEvent(name), attributes: values })),
        };
        const span = read(original);
        expect(read(original)).toEqual(span);
        const json = JSON.stringify(span, (_key, value: unknown) =>
          typeof value === 'bigint' ? String(value) : value,
        );
        expect(json).not.toMatch(/\\u0000|\\ud[89a-f]/);
      }),
      { numRuns: 300 },
    );
  });

  it('says the same in its trees, in its flat attributes and in what is read of them', () => {
    const attribute = fc.record({ key: anyKey, value: anyValue });
    let flatCount = 0;
    fc.assert(
      fc.property(fc.array(attribute, { maxLength: 6 }), (attributes) => {
        const span = read({ attributes });
        if (span.flatAttributes === undefined) return;
        flatCount++;
        expect(span.flatAttributes).toEqual(flattenAttributes(span.attributes));
        expect(span.reading).toBe(span.attributes);
        const input = attributeAt(span.reading, 'input.value');
        expect(span.input?.value).toEqual(input === undefined ? undefined : toJsonText(input));
        expect(span.tokenCounts.prompt ?? undefined).toEqual(
          toInteger(attributeAt(span.reading, 'llm.token_count.prompt')),
        );
      }),
      { numRuns: 1000 },
    );
    expect(flatCount).toBeGreaterThan(100);
  });

  it('keeps every attribute that was sent, whatever the dialects add', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyKey), (keys) => {
        const span = read({ attributes: keys.map((key) => ({ key, value: `value of ${key}` })) });
        const values = flattenAttributes(span.attributes).map(([, value]) => value);
        for (const key of keys) expect(values).toContain(`value of ${key}`);
      }),
    );
  });
});

function read(fields: Parameters<typeof otlpSpan>[0]): Span {
  return normalizeSpan(otlpSpan(fields), otlpScope(), otlpResource(), 77n);
}
