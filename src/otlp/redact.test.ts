import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { encodeWithOracle } from '../../test/oracle/otlp.ts';
import { requestInits } from '../../test/oracle/otlp-arbitraries.ts';
import { toPlain } from '../../test/oracle/otlp-plain.ts';
import type { OtlpSpan } from './messages.ts';
import { encodeMalformedMessage } from './protobuf/malformed-message.ts';
import { decodeExportTraceRequest } from './protobuf/request.ts';
import { ProtobufWriter } from './protobuf/writer.ts';
import { redactRequest } from './redact.ts';
import { compileRedaction } from './redaction-patterns.ts';

/** A request with one span message. */
function requestAround(span: Uint8Array): Uint8Array {
  const writer = new ProtobufWriter();
  writer.message(1, () => writer.message(2, () => writer.bytes(2, span)));
  return writer.finish();
}

function onlySpan(request: Uint8Array): OtlpSpan {
  const span = decodeExportTraceRequest(request).resourceSpans[0]?.scopeSpans[0]?.spans[0];
  if (span === undefined || 'malformed' in span) throw new Error(span?.malformed);
  return span;
}

const text = (value: string) => ({ value: { case: 'stringValue', value } });
const map = (...values: readonly object[]) => ({ value: { case: 'kvlistValue', value: { values } } });
const list = (...values: readonly object[]) => ({ value: { case: 'arrayValue', value: { values } } });

/** Masks the attributes of a plain message whose key matches, or only those of them that have no value. */
function maskPlain(value: unknown, isMasked: (key: string) => boolean, which: 'all' | 'empty'): unknown {
  if (Array.isArray(value)) return value.map((element) => maskPlain(element, isMasked, which));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const { key, value: content } = value as { key?: unknown; value?: unknown };
  if (typeof key === 'string' && isMasked(key) && (which === 'all' || content === null)) {
    return { key, value: '__REDACTED__' };
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, maskPlain(part, isMasked, which)]));
}

describe('redactRequest', () => {
  it('returns the same bytes object when nothing matches', () => {
    fc.assert(
      fc.property(requestInits, (init) => {
        const bytes = encodeWithOracle('ExportTraceServiceRequest', init);
        expect(redactRequest(bytes, () => false)).toBe(bytes);
      }),
    );
  });

  it('masks the matching attributes everywhere and nothing else', () => {
    const isMasked = (key: string): boolean => !key.includes('.') && key.length % 2 === 1;
    fc.assert(
      fc.property(requestInits, (init) => {
        const bytes = encodeWithOracle('ExportTraceServiceRequest', init);
        const redacted = toPlain(decodeExportTraceRequest(redactRequest(bytes, isMasked)));
        const plain = toPlain(decodeExportTraceRequest(bytes));
        // An attribute that was sent without a value has none to mask.
        expect(maskPlain(redacted, isMasked, 'empty')).toEqual(maskPlain(plain, isMasked, 'all'));
      }),
      { numRuns: 300 },
    );
  });

  it('masks in resource, scope, span, event and link, and leaves no byte of the value', () => {
    const attributes = [{ key: 'secret', value: text('hunter2') }];
    const span = { attributes, events: [{ attributes }], links: [{ attributes }] };
    const bytes = encodeWithOracle('ExportTraceServiceRequest', {
      resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { attributes }, spans: [span] }] }],
    });
    const redacted = Buffer.from(redactRequest(bytes, compileRedaction('secret'))).toString('latin1');
    expect(redacted).not.toContain('hunter2');
    expect(redacted.split('__REDACTED__')).toHaveLength(6);
  });

  it('masks an entry of a map by its own key and by its path', () => {
    const value = map(
      { key: 'city', value: text('x') },
      { key: 'docs', value: list(map({ key: 'body', value: text('y') })) },
    );
    const bytes = requestAround(encodeWithOracle('Span', { attributes: [{ key: 'user', value }] }));
    const entries = (patterns: string) => {
      const { value: masked } = onlySpan(redactRequest(bytes, compileRedaction(patterns))).attributes[0] ?? {};
      return JSON.stringify(masked);
    };
    const [city, body] = ['"city","value":"__REDACTED__"', '"body","value":"__REDACTED__"'];
    expect(entries('city')).toContain(city);
    expect(entries('user.city')).toContain(city);
    expect(entries('user.docs.0.body')).toContain(body);
    expect(entries('user.docs.1.body')).not.toContain(body);
    expect(entries('user.docs.*')).not.toContain(city);
  });

  it('keeps unknown fields and unusual spellings of what it does not mask byte by byte', () => {
    // A length in two bytes where one would do, and an unknown field inside the masked attribute.
    const kept = Uint8Array.from([0x4a, 0x83, 0x00, 0x0a, 1, 0x6b]);
    const masked = Uint8Array.from([0x4a, 12, 0xc0, 0x3e, 1, 0x0a, 1, 0x73, 0x12, 4, 0x0a, 2, 0x68, 0x69]);
    const redacted = redactRequest(requestAround(Buffer.concat([kept, masked])), (key) => key === 's');
    const { bytes } = onlySpan(redacted);
    expect([...bytes.subarray(0, kept.length)]).toEqual([...kept]);
    expect([...bytes.subarray(kept.length + 2, kept.length + 8)]).toEqual([0xc0, 0x3e, 1, 0x0a, 1, 0x73]);
  });

  it('masks a value that comes before its key, in parts, or in another wire type', () => {
    const key = [0x0a, 1, 0x73];
    const part = (...content: readonly number[]): number[] => [0x12, content.length, ...content];
    const keyValue = [
      ...part(0x0a, 2, 0x68, 0x69),
      ...key,
      ...part(0x0a, 2, 0x68, 0x69),
      0x13,
      0x0a,
      2,
      0x68,
      0x69,
      0x14,
    ];
    const request = requestAround(Uint8Array.from([0x4a, keyValue.length, ...keyValue]));
    const redacted = redactRequest(request, (name) => name === 's');
    expect(onlySpan(redacted).attributes).toEqual([{ key: 's', value: '__REDACTED__' }]);
    expect(Buffer.from(redacted).toString('latin1')).not.toContain('hi');
  });

  it('masks under every key that an attribute is sent with', () => {
    const keyValue = [0x0a, 1, 0x73, 0x0a, 1, 0x6b, 0x12, 4, 0x0a, 2, 0x68, 0x69];
    const request = requestAround(Uint8Array.from([0x4a, keyValue.length, ...keyValue]));
    expect(onlySpan(redactRequest(request, (key) => key === 's')).attributes[0]?.value).toBe('__REDACTED__');
  });

  it('keeps nothing of a span that cannot be walked, and its neighbours whole', () => {
    const broken = Buffer.concat([encodeWithOracle('Span', { name: 'hunter2' }), Uint8Array.of(0x4a, 9)]);
    const good = encodeWithOracle('Span', { name: 'good' });
    const writer = new ProtobufWriter();
    writer.message(1, () => writer.message(2, () => [good, broken, good].map((span) => writer.bytes(2, span))));
    const redacted = redactRequest(writer.finish(), () => false);
    const spans = decodeExportTraceRequest(redacted).resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    expect(spans).toMatchObject([
      { name: 'good' },
      { malformed: expect.stringContaining('protobuf') },
      { name: 'good' },
    ]);
    expect(Buffer.from(redacted).toString('latin1')).not.toContain('hunter2');
  });

  it('keeps the reason of a span that was given up before', () => {
    const request = requestAround(encodeMalformedMessage('the reason'));
    expect(redactRequest(request, () => true)).toBe(request);
  });

  it('replaces what is nested too deep to be decoded, without overflowing the stack', () => {
    const writer = new ProtobufWriter();
    writer.text(1, 'hunter2');
    for (let depth = 0; depth < 50_000; depth++) {
      writer.closeMessage(1, 0);
      writer.closeMessage(5, 0);
    }
    writer.closeMessage(2, 0);
    writer.closeMessage(9, 0);
    const request = requestAround(writer.finish());
    const redacted = redactRequest(request, () => false);
    expect(Buffer.from(redacted).toString('latin1')).toContain('[nested deeper than 64 levels]');
    expect(Buffer.from(redacted).toString('latin1')).not.toContain('hunter2');
    expect(onlySpan(redacted).attributes).toEqual(onlySpan(request).attributes);
  });

  it('takes a large array that decoding takes too', () => {
    const content = new Uint8Array(11 * 1_000_000);
    for (let at = 0; at < content.length; at += 11) content.set([0x0a, 9, 0x21], at);
    const writer = new ProtobufWriter();
    writer.raw(content);
    for (const field of [5, 2, 9]) writer.closeMessage(field, 0);
    const request = requestAround(writer.finish());
    expect(redactRequest(request, () => false)).toBe(request);
  });

  it('answers changed bytes with bytes or an AppError, nothing else', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(requestInits, changes, (init, positions) => {
        const bytes = encodeWithOracle('ExportTraceServiceRequest', init);
        for (const [position, byte] of positions) bytes[position % bytes.length] = byte;
        try {
          redactRequest(bytes, (key) => key.length > 5);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
