import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { normalizeSpan } from '#normalize/normalize-span';
import { normalizeRequest } from '#normalize/normalize-request';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { MAX_SMALL_LIST_BYTES, type PreparedSpanList, prepareSmallList, prepareSpanList } from './prepare.ts';

const SPAN = {
  name: 'answer',
  context: { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' },
  span_kind: 'LLM',
  start_time: '2026-01-02T03:04:05Z',
  end_time: '2026-01-02T03:04:06.123456789+00:00',
  status_code: 'OK',
};

function prepare(body: unknown, encoding = '') {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return prepareSpanList(encoding === 'gzip' ? gzipSync(bytes) : bytes, encoding);
}

function problems(body: unknown) {
  const list = prepare(body);
  return 'problems' in list ? list.problems.map(({ type, loc, msg }) => ({ type, loc: loc.join('.'), msg })) : [];
}

function prepared(...spans: unknown[]): PreparedSpanList {
  const list = prepare(
    `{"data":[${spans.map((span) => (typeof span === 'string' ? span : JSON.stringify(span))).join()}]}`,
  );
  if ('problems' in list) throw new Error(JSON.stringify(list.problems));
  return list;
}

/** The spans as they are read from what is stored. */
function read({ body }: PreparedSpanList) {
  const request = decodeExportTraceRequest(body);
  const context = { receivedUnixNano: 1n, projectOverride: null, defaultProject: 'default' };
  expect(normalizeRequest(request, context).rejected).toEqual([]);
  return request.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span) => {
        if ('malformed' in span) throw new Error(span.malformed);
        return normalizeSpan(span, scope, resource, 1n);
      }),
    ),
  );
}

describe('a list of spans', () => {
  it('becomes an export with every value and its type', () => {
    const attributes =
      '{"whole":42,"float":1.0,"fraction":0.1,"big":9007199254740993,"huge":123456789012345678901,"beyond":1e400,' +
      '"yes":true,"none":null,"list":[1,"a",null,[2.5]],"llm.model_name":"m","nested":{"a":{"b":1},"c.d":"x"},"text":"ü\\ud83d\\ude00"}';
    const events = '[{"name":"e","timestamp":"2026-01-02T03:04:05.5+01:00","attributes":{"a":{"b":[1.0]}}}]';
    const sent = JSON.stringify({ ...SPAN, status_message: 'fine', parent_id: 'a7ad6b7169203331' });
    const [span] = read(prepared(`${sent.slice(0, -1)},"attributes":${attributes},"events":${events}}`));
    expect(span).toMatchObject({
      name: 'answer',
      kind: 'LLM',
      traceId: SPAN.context.trace_id,
      spanId: SPAN.context.span_id,
      parentSpanId: 'a7ad6b7169203331',
      startTimeUnixNano: 1_767_323_045_000_000_000n,
      endTimeUnixNano: 1_767_323_046_123_456_789n,
      statusCode: 'OK',
      statusMessage: 'fine',
    });
    expect(JSON.stringify(span?.attributes)).toBe(
      '{"openinference":{"span":{"kind":"LLM"}},"whole":42,"float":1.0,"fraction":0.1,"big":9007199254740993,' +
        '"huge":"123456789012345678901","beyond":"1e400","yes":true,"list":[1,"a",null,[2.5]],"llm":{"model_name":"m"},' +
        '"nested":{"a":{"b":1},"c.d":"x"},"text":"ü😀"}',
    );
    expect(JSON.stringify(span?.events[0]?.attributes)).toBe('{"a":{"b":[1.0]}}');
    expect(span?.events[0]).toMatchObject({ name: 'e', timeUnixNano: 1_767_319_445_500_000_000n });
  });

  it('keeps the text of ids that are none of OpenTelemetry, and of kinds that nobody knows', () => {
    const ids = ['trace 1', 'a 15-byte trace', 'ABCDEF', 'd', 'Überlänge im Text'];
    const spans = ids.map((id) => ({
      ...SPAN,
      context: { trace_id: id, span_id: id },
      parent_id: '7 bytes',
      span_kind: 'Custom',
    }));
    expect(read(prepared(...spans))).toMatchObject(
      ids.map((id) => ({ traceId: id, spanId: id, parentSpanId: '7 bytes', kind: 'UNKNOWN' })),
    );
    const upper = { trace_id: SPAN.context.trace_id.toUpperCase(), span_id: SPAN.context.span_id.toUpperCase() };
    const list = prepared({ ...SPAN, context: upper, span_kind: 'llm', parent_id: '' });
    expect(read(list)).toMatchObject([{ traceId: SPAN.context.trace_id, kind: 'LLM', parentSpanId: null }]);
    expect(list.ids).toEqual([{ traceId: SPAN.context.trace_id, spanId: SPAN.context.span_id }]);
  });

  it('lets the kind beat an attribute of its name', () => {
    const [span] = read(prepared({ ...SPAN, attributes: { 'openinference.span.kind': 'TOOL' } }));
    expect(span?.kind).toBe('LLM');
  });

  it('is nothing where a span cannot be a message, and says which', () => {
    const wrong: object[] = [
      { context: { trace_id: '', span_id: 's' } },
      { context: { trace_id: 't', span_id: '0'.repeat(16) } },
      { context: { trace_id: 't', span_id: 'x'.repeat(257) } },
      { context: { trace_id: 't', span_id: 'a\u0000b' } },
      { parent_id: 'x'.repeat(257) },
      { parent_id: '0'.repeat(257) },
      { start_time: '1969-12-31T23:59:59Z' },
      { end_time: '2300-01-01T00:00:00Z' },
    ];
    const list = prepared(SPAN, ...wrong.map((fields) => ({ ...SPAN, ...fields })));
    expect(list.body).toHaveLength(0);
    expect(list.invalid.map(({ error }) => error)).toEqual([
      'The trace id is missing.',
      'The span id is all zeros.',
      'The span id has more than 256 characters.',
      'The span id has control characters.',
      'The parent id has more than 256 characters.',
      'The parent id has more than 256 characters.',
      'A time is before the year 1970 or after 2254.',
      'A time is before the year 1970 or after 2254.',
    ]);
  });

  it('is small by what it is once it is decompressed', () => {
    const packed = (name: string) => gzipSync(JSON.stringify({ data: [{ ...SPAN, name }] }));
    expect(prepareSmallList(packed('small'), 'gzip')).toMatchObject({ ids: [{ spanId: SPAN.context.span_id }] });
    expect(prepareSmallList(packed('x'.repeat(MAX_SMALL_LIST_BYTES)), 'gzip')).toBeNull();
  });

  it('may be compressed', () => {
    expect(prepare({ data: [SPAN] }, 'gzip')).toMatchObject({ ids: [{ spanId: SPAN.context.span_id }], invalid: [] });
  });
});

describe('a body of another form', () => {
  it('is told each place', () => {
    const { name: _name, ...nameless } = SPAN;
    const data = [
      nameless,
      { ...SPAN, context: { trace_id: 1, span_id: 's' }, attributes: [] },
      { ...SPAN, start_time: '2026-01-02T03:04:05', events: [{ name: 'e', timestamp: 'soon' }] },
      'no span',
    ];
    expect(problems({ data })).toEqual([
      { type: 'dict_type', loc: 'body.data.3', msg: 'Input should be a valid dictionary' },
      { type: 'missing', loc: 'body.data.0.name', msg: 'Field required' },
      { type: 'string_type', loc: 'body.data.1.context.trace_id', msg: 'Input should be a valid string' },
      { type: 'dict_type', loc: 'body.data.1.attributes', msg: 'Input should be a valid dictionary' },
      { type: 'value_error', loc: 'body.data.2', msg: expect.stringContaining('timezone-naive') as string },
      { type: 'datetime_parsing', loc: 'body.data.2.events.0.timestamp', msg: 'Input should be a valid datetime' },
    ]);
    expect(problems({})).toEqual([{ type: 'missing', loc: 'body.data', msg: 'Field required' }]);
    expect(problems('{"data":')).toEqual([{ type: 'json_invalid', loc: 'body', msg: 'The body is not valid JSON.' }]);
    expect(problems({ data: 'x' })).toMatchObject([{ type: 'list_type', loc: 'body.data' }]);
  });

  it('is refused before it is parsed where it is too deep or has too many values', () => {
    expect(problems('['.repeat(300))).toMatchObject([
      { loc: 'body', msg: expect.stringContaining('200 levels') as string },
    ]);
    expect(() => prepare(`[${'0,'.repeat(1_000_001)}0]`)).toThrow('more than 1000000 values');
    const names = Array.from({ length: 100_002 }, (_none, index) => `"${index}":0`);
    expect(() => prepare(`{${names.join()}}`)).toThrow('more than 50000 member names');
    expect(() => prepare(`{"data":[${Array.from({ length: 10_001 }, () => JSON.stringify(SPAN)).join()}]}`)).toThrow(
      'Send them in parts',
    );
  });
});
