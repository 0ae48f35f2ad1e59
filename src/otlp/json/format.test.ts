import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeWithOracle, encodeJsonWithOracle, encodeWithOracle } from '../../../test/oracle/otlp.ts';
import { requestInits, resourceSpansInits } from '../../../test/oracle/otlp-arbitraries.ts';
import { oracleToPlain, toPlain } from '../../../test/oracle/otlp-plain.ts';
import { decodeExportTraceRequest } from '../protobuf/request.ts';
import { ProtobufWriter } from '../protobuf/writer.ts';
import { formatOtlpJson } from './format.ts';
import { transcodeJsonRequest } from './transcode.ts';

describe('formatOtlpJson', () => {
  it('writes JSON that the oracle and the transcoder read as the same message', () => {
    fc.assert(
      fc.property(requestInits, (init) => {
        const bytes = encodeWithOracle('ExportTraceServiceRequest', init);
        const json = formatOtlpJson(bytes).toString();
        const plain = oracleToPlain(decodeWithOracle('ExportTraceServiceRequest', bytes));
        const oracleBytes = encodeJsonWithOracle('ExportTraceServiceRequest', json);
        expect(oracleToPlain(decodeWithOracle('ExportTraceServiceRequest', oracleBytes))).toEqual(plain);
        expect(toPlain(decodeExportTraceRequest(transcodeJsonRequest(Buffer.from(json))))).toEqual(plain);
      }),
      { numRuns: 300 },
    );
  });

  it('merges a message that was sent in parts', () => {
    fc.assert(
      fc.property(resourceSpansInits, resourceSpansInits, (first, second) => {
        const writer = new ProtobufWriter();
        writer.message(1, () => {
          writer.raw(encodeWithOracle('ResourceSpans', second));
          writer.raw(encodeWithOracle('ResourceSpans', first));
        });
        const bytes = writer.finish();
        const again = transcodeJsonRequest(formatOtlpJson(bytes));
        expect(toPlain(decodeExportTraceRequest(again))).toEqual(toPlain(decodeExportTraceRequest(bytes)));
      }),
    );
  });

  it('writes the last member of a oneof only', () => {
    const writer = new ProtobufWriter();
    writer.text(1, 'last');
    writer.uint32(2, 1);
    for (const field of [2, 9, 2, 2, 1]) writer.closeMessage(field, 0);
    expect(formatOtlpJson(writer.finish()).toString()).toContain('[{"value":{"stringValue":"last"}}]');
  });

  it('writes ids in hex, wide integers as text, enums as numbers, and leaves defaults out', () => {
    const value = (name: string, content: unknown) => ({ key: '', value: { value: { case: name, value: content } } });
    const span = {
      traceId: Uint8Array.of(0xab, 0x01),
      kind: 3,
      startTimeUnixNano: 1795233865322250716n,
      flags: 257,
      attributes: [
        value('intValue', 5n),
        value('doubleValue', 1),
        value('doubleValue', NaN),
        value('bytesValue', Uint8Array.of(0xfb)),
        value('stringValue', ''),
      ],
      status: { code: 0 },
    };
    const request = encodeWithOracle('ExportTraceServiceRequest', {
      resourceSpans: [{ scopeSpans: [{ spans: [span] }] }],
    });
    expect(formatOtlpJson(request).toString()).toBe(
      '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"ab01","kind":3,"startTimeUnixNano":"1795233865322250716",' +
        '"attributes":[{"value":{"intValue":"5"}},{"value":{"doubleValue":1.0}},{"value":{"doubleValue":"NaN"}},' +
        '{"value":{"bytesValue":"+w=="}},{"value":{"stringValue":""}}],"status":{},"flags":257}]}]}]}',
    );
  });

  it('makes no object of a value: a trace of millions of them is no more than its text', () => {
    const writer = new ProtobufWriter();
    const values = new Uint8Array(4_200_000).map((_, at) => (at % 2 === 0 ? 0x0a : 0));
    for (let span = 0; span < 2; span++) {
      writer.message(1, () =>
        writer.message(2, () =>
          writer.message(2, () => writer.message(9, () => writer.message(2, () => writer.bytes(5, values)))),
        ),
      );
    }
    const json = formatOtlpJson(writer.finish());
    expect(json.length).toBeGreaterThan(2 * 3 * 2_100_000);
    expect(json.subarray(-30).toString()).toBe('{},{},{},{},{}]}}}]}]}]}]}'.padStart(30, ',{}').slice(-30));
  });

  it('refuses bytes that are no message', () => {
    expect(() => formatOtlpJson(Uint8Array.of(0x0a, 9))).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
