import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { encodeWithOracle, formatWithOracle } from '../../../test/oracle/otlp.ts';
import { requestInits } from '../../../test/oracle/otlp-arbitraries.ts';
import { toPlain } from '../../../test/oracle/otlp-plain.ts';
import type { AnyValue, MalformedSpan, OtlpSpan } from '../messages.ts';
import { decodeExportTraceRequest } from '../protobuf/request.ts';
import { transcodeJsonRequest } from './transcode.ts';

function transcode(json: string | object) {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return decodeExportTraceRequest(transcodeJsonRequest(Buffer.from(text)));
}

/** The spans of a request that holds these spans, each as JSON text. */
function transcodeSpans(...spans: readonly string[]): readonly (OtlpSpan | MalformedSpan)[] {
  const request = transcode(`{"resourceSpans":[{"scopeSpans":[{"spans":[${spans.join(',')}]}]}]}`);
  return request.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
}

function transcodeSpan(span: string): OtlpSpan {
  const [only] = transcodeSpans(span);
  if (only === undefined || 'malformed' in only) throw new Error(only?.malformed);
  return only;
}

function transcodeValue(value: string): AnyValue | undefined {
  return transcodeSpan(`{"attributes":[{"key":"k","value":${value}}]}`).attributes[0]?.value;
}

describe('transcodeJsonRequest', () => {
  it('gives what the oracle gives for the same message, enums as numbers or names', () => {
    fc.assert(
      fc.property(requestInits, fc.boolean(), (init, enumAsInteger) => {
        const bytes = encodeWithOracle('ExportTraceServiceRequest', init);
        const json = formatWithOracle('ExportTraceServiceRequest', bytes, { enumAsInteger });
        expect(toPlain(transcode(json))).toEqual(toPlain(decodeExportTraceRequest(bytes)));
      }),
      { numRuns: 300 },
    );
  });

  it('reads ids as hex in any letter case, and keeps the text of any other', () => {
    const span = transcodeSpan('{"traceId":"00FFaa","spanId":"no-hex","parentSpanId":"abc"}');
    expect(Buffer.from(span.traceId).toString('hex')).toBe('00ffaa');
    expect(Buffer.from(span.spanId).toString()).toBe('no-hex');
    expect(Buffer.from(span.parentSpanId).toString()).toBe('abc');
  });

  it.each([
    ['{"intValue":9007199254740993}', 9007199254740993n],
    ['{"intValue":"-9223372036854775808"}', -(2n ** 63n)],
    ['{"intValue":3.0}', 3n],
    ['{"intValue":1e3}', 1000n],
    ['{"intValue":-9007199254740993 }', -9007199254740993n],
    ['{"doubleValue":3}', 3],
    ['{"doubleValue":0.1234567890123456789}', 0.1234567890123456789],
    ['{"doubleValue":12345678901234567890}', 12345678901234567890],
    ['{"stringValue":"\\" 9007199254740993,[:9007199254740993"}', '" 9007199254740993,[:9007199254740993'],
    ['{"doubleValue":-0.0}', -0],
    ['{"doubleValue":"2.5"}', 2.5],
    ['{"doubleValue":"-Infinity"}', -Infinity],
    ['{"doubleValue":"NaN"}', NaN],
    ['{"stringValue":""}', ''],
    ['{"stringValue":"\\ud800 \\u0000"}', '\uFFFD \0'],
    ['{"boolValue":false}', false],
    ['{"bytesValue":"-_8"}', Uint8Array.of(0xfb, 0xff)],
    ['{"bytesValue":"+/8="}', Uint8Array.of(0xfb, 0xff)],
    ['{"arrayValue":{"values":[{"intValue":1},{},null]}}', [1n, null, null]],
    ['{"arrayValue":{}}', []],
    ['{"kvlistValue":{"values":[{"key":"a","value":{"intValue":"1"}}]}}', { entries: [{ key: 'a', value: 1n }] }],
    ['{}', null],
    ['null', null],
    ['{"stringValue":null}', null],
    ['{"stringValueStrindex":3}', null],
  ])('reads the value %s', (json, value) => {
    expect(transcodeValue(json)).toEqual(value);
  });

  it('reads a whole number beyond 64 bits as the double that a JavaScript exporter meant', () => {
    expect(transcodeValue('{"intValue":1.7976931348623157e+308}')).toBe(Number.MAX_VALUE);
    expect(transcodeValue('{"intValue":9223372036854775808}')).toBe(2 ** 63);
    expect(transcodeValue('{"intValue":9223372036854775807}')).toBe(2n ** 63n - 1n);
  });

  it('reads times as decimal text or as a number, without losing a digit', () => {
    const span = transcodeSpan('{"startTimeUnixNano":"1795233865322250716","endTimeUnixNano":1795233865322250717}');
    expect([span.startTimeUnixNano, span.endTimeUnixNano]).toEqual([1795233865322250716n, 1795233865322250717n]);
  });

  it('ignores unknown fields, also those of the protobuf spelling, and takes null for absent', () => {
    const span = transcodeSpan('{"trace_id":"aa","nonsense":[{}],"name":"n","events":null,"status":null}');
    expect(span).toMatchObject({ name: 'n', traceId: new Uint8Array(0), events: [], status: { code: 0, message: '' } });
  });

  it.each([
    ['{"name":5}', 'Not a valid span: name: a string is expected.'],
    ['{"attributes":{}}', 'Not a valid span: attributes: an array is expected.'],
    [
      '{"attributes":[{"key":"a"},{"key":"b","value":{"intValue":"1.5"}}]}',
      'Not a valid span: attributes.1.value.intValue: an integer is expected.',
    ],
    ['{"events":[5]}', 'Not a valid span: events.0: an object is expected.'],
    ['{"startTimeUnixNano":-1}', /startTimeUnixNano: an integer from 0 to 18446744073709551615 is expected/],
    ['{"droppedEventsCount":4294967296}', /droppedEventsCount: an integer from 0 to 4294967295 is expected/],
    ['{"kind":"SPAN_KIND_OTHER"}', /kind: an integer from -2147483648 to 2147483647 is expected/],
    ['{"kind":"toString"}', /kind: an integer/],
    ['{"attributes":[{"value":{"bytesValue":"§"}}]}', /bytesValue: base64 is expected/],
    ['{"attributes":[{"value":{"boolValue":"true"}}]}', /boolValue: true or false is expected/],
    ['{"attributes":[{"value":{"doubleValue":1e999}}]}', /doubleValue: a number is expected/],
    ['[]', 'Not a valid span: an object is expected.'],
  ])('gives up the span %s alone, and says why', (json, reason) => {
    const [before, malformed, after] = transcodeSpans('{"name":"a"}', json, '{"name":"b"}');
    expect(before).toMatchObject({ name: 'a' });
    expect(malformed).toMatchObject({ malformed: typeof reason === 'string' ? reason : expect.stringMatching(reason) });
    expect(after).toMatchObject({ name: 'b' });
  });

  it('takes the empty object for an empty request', () => {
    expect(transcode({})).toEqual({ resourceSpans: [] });
  });

  it.each([
    ['nothing', '', 'invalid_argument'],
    ['no JSON', '{"resourceSpans":', 'invalid_argument'],
    ['an array', '[]', 'invalid_argument'],
    ['a number that starts like one', '{"a":1234567890123456x}', 'invalid_argument'],
    ['a wrong type at the top', '{"resourceSpans":{}}', 'invalid_argument'],
    ['a wrong type in a resource', '{"resourceSpans":[{"resource":{"attributes":[5]}}]}', 'invalid_argument'],
    ['endless nesting', '['.repeat(1_000_000), 'invalid_argument'],
    ['endless objects', `{"resourceSpans":[${'{},'.repeat(4_000_000)}{}]}`, 'too_large'],
    ['endless numbers', `{"x":[${'0,'.repeat(4_000_000)}0]}`, 'too_large'],
    [
      'endless names',
      `{"x":[${Array.from({ length: 60_000 }, (_, index) => `{"${index}":0}`).join(',')}]}`,
      'invalid_argument',
    ],
  ])('refuses %s', (_, json, code) => {
    expect(() => transcode(json)).toThrow(expect.objectContaining({ code }));
  });

  it('refuses a request in which nearly every span is malformed', () => {
    expect(() => transcodeSpans(...Array<string>(10_001).fill('1'))).toThrow(
      'resourceSpans.0.scopeSpans.0.spans.0: an object is expected',
    );
  });

  it('does not quote the body when it is no JSON', () => {
    expect(() => transcode('{"secret": hunter2}')).toThrow(expect.not.objectContaining({ message: /hunter2/ }));
    expect(() => transcode('{"secret": hunter2}')).toThrow(/^The body is not JSON/);
  });

  it.each([
    ['{"resourceSpans": [1 2]}', ': the error is at position 21 (line 1, column 22). Send'],
    ['{"at": 1234567890123456789,\n "b": [1 2]}', ': the error is at position 37 (line 2, column 10). Send'],
    ['{"resourceSpans": [', ': it is incomplete. Send'],
  ])('says where it is no JSON, where the parser tells: %j', (json, where) => {
    expect(() => transcode(json)).toThrow(where);
  });

  it('keeps a value nested to level 64 and lets decoding replace deeper ones', () => {
    const nested = (depth: number): string =>
      `${'{"arrayValue":{"values":['.repeat(depth)}{"intValue":1}${']}}'.repeat(depth)}`;
    expect(JSON.stringify(transcodeValue(nested(63)), (_, part) => (part === 1n ? 'one' : part))).toContain('one');
    expect(JSON.stringify(transcodeValue(nested(300)))).toContain('[nested deeper than 64 levels]');
  });

  it('answers changed text with a request or an AppError, nothing else', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'"{}[],:0-e\\null')), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(requestInits, changes, (init, positions) => {
        const bytes = encodeWithOracle('ExportTraceServiceRequest', init);
        const text = Buffer.from(formatWithOracle('ExportTraceServiceRequest', bytes, { enumAsInteger: true }));
        for (const [position, character] of positions) text.write(character, position % text.length);
        try {
          decodeExportTraceRequest(transcodeJsonRequest(text));
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
