import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { decodeWithOracle, encodeWithOracle } from '../../../test/oracle/otlp.ts';
import { requestInits, resourceSpansInits, spanInits } from '../../../test/oracle/otlp-arbitraries.ts';
import { oracleToPlain, toPlain } from '../../../test/oracle/otlp-plain.ts';
import type { ExportTraceRequest } from '../messages.ts';
import { encodeExportRequest } from './encode-request.ts';
import {
  decodeExportTraceParts,
  decodeExportTraceRequest,
  decodeResourceEnvelope,
  decodeScopeEnvelope,
} from './request.ts';
import { decodeSpan } from './span.ts';
import { ProtobufWriter } from './writer.ts';

/** A field that holds a message, around encoded content. */
function nest(field: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const writer = new ProtobufWriter();
  writer.bytes(field, Buffer.concat(contents));
  return writer.finish();
}

function decodeLikeOracle(bytes: Uint8Array): void {
  const plain = oracleToPlain(decodeWithOracle('ExportTraceServiceRequest', bytes));
  expect(toPlain(decodeExportTraceRequest(bytes))).toEqual(plain);
}

describe('decodeExportTraceRequest', () => {
  it('decodes every message as the oracle does, unknown fields included', () => {
    fc.assert(
      fc.property(requestInits, (init) => decodeLikeOracle(encodeWithOracle('ExportTraceServiceRequest', init))),
      { numRuns: 300 },
    );
  });

  it('merges a message that is sent in parts as the oracle does', () => {
    fc.assert(
      fc.property(resourceSpansInits, resourceSpansInits, spanInits, spanInits, (first, second, spanA, spanB) => {
        const spans = nest(2, encodeWithOracle('Span', spanA), encodeWithOracle('Span', spanB));
        decodeLikeOracle(
          nest(1, encodeWithOracle('ResourceSpans', first), nest(2, spans), encodeWithOracle('ResourceSpans', second)),
        );
      }),
    );
  });

  it('merges the parts of one attribute value as the oracle does', () => {
    const maps = spanInits.map(({ attributes }) => nest(6, encodeWithOracle('KeyValueList', { values: attributes })));
    const arrays = spanInits.map(({ attributes }) =>
      nest(
        5,
        encodeWithOracle('ArrayValue', {
          values: attributes.map((attribute) => ('value' in attribute ? attribute.value : {})),
        }),
      ),
    );
    const parts = fc.array(fc.oneof(maps, arrays, fc.constant(nest(1, Buffer.from('text')))), { maxLength: 4 });
    fc.assert(
      fc.property(parts, parts, (first, second) => {
        const keyValue = [nest(2, ...first), nest(2, ...second)];
        decodeLikeOracle(nest(1, nest(2, nest(2, nest(9, ...keyValue)))));
      }),
      { numRuns: 300 },
    );
  });

  it('answers changed bytes with a decoded request or an AppError, nothing else', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(requestInits, changes, (init, positions) => {
        const bytes = encodeWithOracle('ExportTraceServiceRequest', init);
        for (const [position, byte] of positions) bytes[position % bytes.length] = byte;
        try {
          decodeExportTraceRequest(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect(error).toHaveProperty('code', 'invalid_argument');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is put together again from its envelopes and span messages', () => {
    fc.assert(
      fc.property(requestInits, (init) => {
        const request = decodeExportTraceRequest(encodeWithOracle('ExportTraceServiceRequest', init));
        const again = decodeExportTraceRequest(
          encodeExportRequest(
            request.resourceSpans.map(({ resource, scopeSpans }) => ({
              envelope: resource.envelope,
              scopes: scopeSpans.map(({ scope, spans }) => ({
                envelope: scope.envelope,
                messages: spans.map((span) => span.bytes),
              })),
            })),
          ),
        );
        expect(again).toEqual(request);
        for (const { resource, scopeSpans } of request.resourceSpans) {
          expect(decodeResourceEnvelope(resource.envelope)).toEqual(resource);
          for (const { scope, spans } of scopeSpans) {
            expect(decodeScopeEnvelope(scope.envelope)).toEqual(scope);
            for (const span of spans) expect(decodeSpan(span.bytes)).toEqual(span);
          }
        }
      }),
    );
  });

  it('keeps the neighbours of a span whose inside is broken', () => {
    const good = encodeWithOracle('Span', { name: 'good' });
    const broken = Uint8Array.from([0x2a, 0x7f, 0x61]);
    const request = decodeExportTraceRequest(nest(1, nest(2, nest(2, good), nest(2, broken), nest(2, good))));
    const spans = request.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    expect(spans.map((span) => ('malformed' in span ? span.malformed : span.name))).toEqual([
      'good',
      expect.stringMatching(/^Not valid protobuf at byte \d+: a length runs past the end\.$/),
      'good',
    ]);
    expect(spans[1]?.bytes).toEqual(broken);
  });

  it('keeps every field around the spans in the envelope, wherever it lay', () => {
    const unknown = Uint8Array.from([0xc0, 0x3e, 0x05]);
    const schemaUrl = nest(3, Buffer.from('late'));
    const bytes = nest(1, unknown, nest(2, new Uint8Array(0)), schemaUrl);
    expect(decodeExportTraceRequest(bytes).resourceSpans[0]?.resource).toEqual({
      envelope: new Uint8Array([...unknown, ...schemaUrl]),
      attributes: [],
      schemaUrl: 'late',
    });
  });

  it('refuses a resource with a broken entity, which could not be read back', () => {
    const entity = (bytes: Uint8Array) => nest(1, nest(1, nest(3, bytes)));
    expect(decodeExportTraceRequest(entity(nest(1, Buffer.from('url')))).resourceSpans).toHaveLength(1);
    expect(() => decodeExportTraceRequest(entity(Uint8Array.of(0x0a, 0x7f)))).toThrow(AppError);
  });

  it('refuses broken bytes around the spans and says where', () => {
    const bytes = nest(1, nest(2, Uint8Array.of(0x1a, 9)));
    const message = 'Not valid protobuf at byte 5: a length runs past the end.';
    expect(() => decodeExportTraceRequest(bytes)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', message }),
    );
  });

  it('refuses a request of nearly nothing but malformed spans', () => {
    const span = nest(2, Uint8Array.of(0x08));
    const bytes = nest(1, nest(2, ...Array<Uint8Array>(15_000).fill(span)));
    expect(() => decodeExportTraceRequest(bytes)).toThrow(expect.objectContaining({ code: 'too_large' }));
  });

  // Seven hundred thousand spans are decoded until then.
  it('refuses a request whose decoded form would fill the memory', { timeout: 30_000 }, () => {
    const emptySpans = new Uint8Array(2_000_000);
    for (let at = 0; at < emptySpans.length; at += 2) emptySpans[at] = 0x12;
    const bytes = nest(1, nest(2, emptySpans));
    expect(() => decodeExportTraceRequest(bytes)).toThrow(expect.objectContaining({ code: 'too_large' }));
  });
});

describe('decodeExportTraceParts', () => {
  it('gives the spans of the request in order, each part with its bounds and all that surrounds its spans', () => {
    fc.assert(
      fc.property(requestInits, fc.integer({ min: 1, max: 4 }), (init, maxSpans) => {
        const body = encodeWithOracle('ExportTraceServiceRequest', init);
        const parts = [...decodeExportTraceParts(body, { maxItems: maxSpans, maxBytes: Infinity })];
        const spansOf = parts.map(({ request }) => flatten(request));
        const all = flatten(decodeExportTraceRequest(body));
        expect(spansOf.flat()).toEqual(all);
        expect(spansOf.map((spans) => spans.length)).toEqual(
          parts.map((_, index) => (index < parts.length - 1 ? maxSpans : all.length - index * maxSpans)),
        );
        expect(parts.length).toBe(Math.max(1, Math.ceil(all.length / maxSpans)));
        for (const [index, spans] of spansOf.entries()) expectInside(parts[index]?.body, spans);
      }),
      { numRuns: 300 },
    );
  });

  it('ends a part where its bytes are enough', () => {
    const span = nest(2, encodeWithOracle('Span', { name: 'x'.repeat(100) }));
    const body = nest(1, nest(2, ...Array.from({ length: 10 }, () => span)));
    const parts = [...decodeExportTraceParts(body, { maxItems: Infinity, maxBytes: 250 })];
    expect(parts.map(({ request }) => flatten(request).length)).toEqual([3, 3, 3, 1]);
  });
});

function flatten({ resourceSpans }: ExportTraceRequest) {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) => spans.map((span) => ({ resource, scope, span }))),
  );
}

function expectInside(body: Uint8Array | undefined, spans: ReturnType<typeof flatten>): void {
  for (const { span } of spans) {
    const start = span.bytes.byteOffset - (body?.byteOffset ?? 0);
    expect(start).toBeGreaterThanOrEqual(0);
    expect(start + span.bytes.length).toBeLessThanOrEqual(body?.length ?? 0);
  }
}
