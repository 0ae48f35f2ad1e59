import { describe, expect, it } from 'vitest';
import { jsonObject } from '#base/json';
import { flattenAttributes } from '#domain/attributes';
import type { Span } from '#domain/span';
import type { AnyValue, KeyValue } from '#otlp/messages';
import { otlpEvent, otlpMap, otlpResource, otlpScope, otlpSpan } from '../../test/support/otlp-span.ts';
import { normalizeSpan } from './normalize-span.ts';

describe('ids', () => {
  it('are lower-case hex', () => {
    expect(read({})).toMatchObject({ traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) });
  });

  it.each([
    ['no bytes', new Uint8Array(0), null],
    ['zeros', new Uint8Array(8), null],
    ['an id', new Uint8Array(8).fill(1), '01'.repeat(8)],
    ['its own id', new Uint8Array(8).fill(0xcd), 'cd'.repeat(8)],
    ['an id of another length', new Uint8Array(3).fill(0xef), 'efefef'],
  ])('read a parent of %s', (_what, parentSpanId, expected) => {
    expect(read({ parentSpanId }).parentSpanId).toBe(expected);
  });
});

describe('times', () => {
  it.each([
    ['are as sent, to the nanosecond', 1_795_233_750_758_881_537n, 1_795_233_750_758_881_538n, undefined],
    ['are as sent when the end lies before the start', 9n, 5n, undefined],
    ['take the end for a missing start', 0n, 5n, [5n, 5n]],
    ['take the start for a missing end', 5n, 0n, [5n, 5n]],
    ['take the given time for both', 0n, 0n, [77n, 77n]],
  ])('%s', (_what, start, end, expected) => {
    const span = read({ startTimeUnixNano: start, endTimeUnixNano: end });
    expect([span.startTimeUnixNano, span.endTimeUnixNano]).toEqual(expected ?? [start, end]);
  });

  it.each([
    [5n, 0n, true],
    [0n, 0n, true],
    [9n, 5n, false],
    [5n, 5n, false],
    [0n, 5n, false],
  ])('from %d to %d: whether the span is open is %s', (startTimeUnixNano, endTimeUnixNano, isOpen) => {
    expect(read({ startTimeUnixNano, endTimeUnixNano }).isOpen).toBe(isOpen);
  });
});

describe('a span with more attributes than anybody means to send', () => {
  it('is read as far as its first 16,384, which bounds what it costs', () => {
    const attributes = Array.from({ length: 20_000 }, (_, n) => ({ key: `key${n}`, value: BigInt(n) }));
    expect(Object.keys(read({ attributes }).attributes)).toHaveLength(16_384);
  });

  it('is read as far as the first 131,072 segments of their keys, each of which becomes an object', () => {
    const attributes = Array.from({ length: 3000 }, (_, n) => ({ key: `key${n}${'.a'.repeat(63)}`, value: BigInt(n) }));
    expect(Object.keys(read({ attributes }).attributes)).toHaveLength(2048);
    // A key of more than 64 segments is not nested.
    const long = { key: `long${'.a'.repeat(200_000)}`, value: 1n };
    expect(Object.keys(read({ attributes: [long, { key: 'short', value: 1n }] }).attributes)).toHaveLength(2);
  });
});

describe('status and kinds', () => {
  it.each([
    [0, 'UNSET'],
    [1, 'OK'],
    [2, 'ERROR'],
    [3, 'UNSET'],
    [-1, 'UNSET'],
  ])('reads status code %i as %s', (code, expected) => {
    expect(read({ status: { code, message: 'why\0' } })).toMatchObject({
      statusCode: expected,
      statusMessage: 'why\ufffd',
    });
  });

  it.each<[AnyValue, string]>([
    ['LLM', 'LLM'],
    ['Llm', 'LLM'],
    ['decision', 'DECISION'],
    ['something', 'UNKNOWN'],
    ['constructor', 'UNKNOWN'],
    [5n, 'UNKNOWN'],
  ])('reads the OpenInference kind %s as %s and leaves the attribute as sent', (value, expected) => {
    const span = read({ attributes: { 'openinference.span.kind': value } });
    expect(span.kind).toBe(expected);
    expect(flat(span)['openinference.span.kind']).toBe(typeof value === 'bigint' ? Number(value) : value);
  });

  it('calls a span UNKNOWN where nothing tells its kind', () => {
    expect(read({ attributes: { 'http.method': 'GET', 'llm.model_name': 'm' } }).kind).toBe('UNKNOWN');
  });

  it.each([
    [0, 0],
    [3, 3],
    [5, 5],
    [6, 0],
    [-1, 0],
  ])('reads the OpenTelemetry kind %i as %i', (kind, expected) => {
    expect(read({ kind }).otelKind).toBe(expected);
  });
});

describe('attributes', () => {
  it('skip a value that is not set and take the last of repeated keys', () => {
    const attributes: KeyValue[] = [
      { key: 'a', value: 1n },
      { key: 'none', value: null },
      { key: 'a', value: 2n },
    ];
    expect(flat(read({ attributes }))).toEqual({ a: 2 });
  });

  it('keep invocation parameters to the byte', () => {
    const text = '{ "temperature" : 0.20, "n":1.0 }';
    expect(flat(read({ attributes: { 'llm.invocation_parameters': text } }))).toEqual({
      'llm.invocation_parameters': text,
    });
  });

  it.each<[string, AnyValue, string]>([
    ['a number', 5n, '5'],
    ['a list', ['a', 1n], '["a",1]'],
    ['a map', otlpMap({ q: 'x' }), '{"q":"x"}'],
    ['a true', true, 'true'],
  ])('make %s as input.value JSON text', (_what, value, text) => {
    const span = read({ attributes: { 'input.value': value, 'input.mime_type': 'text/plain' } });
    expect(flat(span)).toEqual({ 'input.value': text, 'input.mime_type': 'application/json' });
    expect(span.input).toEqual({ value: text, mimeType: 'application/json' });
  });

  it('make nested keys below input.value JSON text', () => {
    const span = read({ attributes: { 'input.value.q': 'x', 'input.value.n': 1n } });
    expect(flat(span)).toEqual({ 'input.value': '{"q":"x","n":1}', 'input.mime_type': 'application/json' });
  });

  it('keep 0 and false as input.value, and any output.value, as they are', () => {
    expect(flat(read({ attributes: { 'input.value': 0n } }))).toEqual({ 'input.value': 0 });
    expect(flat(read({ attributes: { 'input.value': false } }))).toEqual({ 'input.value': false });
    const span = read({ attributes: { 'output.value': 5n } });
    expect(flat(span)).toEqual({ 'output.value': 5 });
    expect(span.output).toEqual({ value: '5', mimeType: 'application/json' });
  });

  it('lose no span to values that databases refuse', () => {
    const attributes = { nul: 'a\0b', half: '\ud800', nan: Number.NaN, bytes: Uint8Array.of(1), most: 2n ** 63n - 1n };
    expect(JSON.stringify(read({ attributes, name: '\0' }).attributes)).toBe(
      '{"nul":"a\ufffdb","half":"\ufffd","nan":"NaN","bytes":"AQ==","most":9223372036854775807}',
    );
  });
});

describe('input and output', () => {
  it.each([
    ['application/json', 'application/json'],
    ['text/plain', 'text/plain'],
    ['text/markdown', 'text/plain'],
    [undefined, 'text/plain'],
  ])('of media type %s read as %s', (sent, expected) => {
    const attributes = { 'output.value': '{}', ...(sent === undefined ? {} : { 'output.mime_type': sent }) };
    expect(read({ attributes }).output).toEqual({ value: '{}', mimeType: expected });
  });

  it('are null where the span has none', () => {
    expect(read({})).toMatchObject({ input: null, output: null });
  });
});

describe('session, user and model', () => {
  it.each<[AnyValue, string | null]>([
    ['s-1', 's-1'],
    [' s-1 ', 's-1'],
    ['', null],
    ['  ', null],
    [42n, '42'],
    [9223372036854775807n, '9223372036854775807'],
    [true, null],
    [['a'], null],
  ])('read %s as %s', (value, expected) => {
    expect(read({ attributes: { 'session.id': value } }).sessionId).toBe(expected);
    expect(read({ attributes: { 'user.id': value } }).userId).toBe(expected);
  });

  it('are found inside a map', () => {
    const span = read({ attributes: { session: otlpMap({ id: 's' }), llm: otlpMap({ model_name: 'm' }) } });
    expect(span).toMatchObject({ sessionId: 's', modelName: 'm' });
  });

  it.each([
    ['the model', { 'llm.model_name': 'a', 'llm.response.model_name': 'b' }, 'a'],
    ['else the one that answered', { 'llm.response.model_name': 'b', 'llm.request.model_name': 'c' }, 'b'],
    ['else the one that was asked', { 'llm.request.model_name': 'c' }, 'c'],
    ['else that of an embedding', { 'embedding.model_name': 'd' }, 'd'],
    ['else the one among the parameters', { 'llm.invocation_parameters': '{"model":"e"}' }, 'e'],
    ['else none', { 'llm.invocation_parameters': '{"model":' }, null],
  ])('name %s', (_what, attributes, expected) => {
    expect(read({ attributes }).modelName).toBe(expected);
  });

  it('stand beside the provider and the cost that was reported', () => {
    const span = read({ attributes: { 'llm.provider': 'openai', 'llm.cost.total': 0.25 } });
    expect(span).toMatchObject({ provider: 'openai', reportedCostUsd: 0.25 });
    expect(read({ attributes: { 'llm.cost.total': 1 } }).reportedCostUsd).toBe(1);
    expect(read({ attributes: { 'llm.cost.total': 'much' } }).reportedCostUsd).toBeNull();
  });
});

describe('events and links', () => {
  it('keep an exception with all that it says, flat and not parsed', () => {
    const attributes = {
      'exception.type': 'ValueError',
      'exception.message': 'station offline',
      'exception.stacktrace': 'Traceback',
      'exception.escaped': true,
      metadata: '{"a":1}',
    };
    const [event] = read({ events: [otlpEvent('exception', attributes)] }).events;
    expect(event).toEqual({
      name: 'exception',
      timeUnixNano: 1_000_000_000n,
      attributes: Object.assign(jsonObject(), attributes),
    });
  });

  it('do not make a span an error', () => {
    expect(read({ events: [otlpEvent('exception')] }).statusCode).toBe('UNSET');
  });

  it('keep links', () => {
    const link = {
      traceId: new Uint8Array(16).fill(1),
      spanId: new Uint8Array(8).fill(2),
      traceState: 'a=b',
      attributes: [{ key: 'a.b', value: 1n }],
      droppedAttributesCount: 0,
      flags: 0,
    };
    expect(read({ links: [link], traceState: 'c=d' })).toMatchObject({
      traceState: 'c=d',
      links: [{ traceId: '01'.repeat(16), spanId: '02'.repeat(8), traceState: 'a=b', attributes: { 'a.b': 1 } }],
    });
  });
});

function read(fields: Parameters<typeof otlpSpan>[0]): Span {
  return normalizeSpan(otlpSpan(fields), otlpScope(), otlpResource(), 77n);
}

function flat(span: Span): Record<string, unknown> {
  return Object.fromEntries(flattenAttributes(span.attributes));
}
