/** Values that are hard to store: each is kept to the byte, shown as text that any client can read, and costs no span. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProtobufWriter } from '#otlp/protobuf/writer';
import { ENCODINGS, encodeRequest, encodeSpan, exportTraces, postBody, requestAround } from '../harness/otlp-client.ts';
import { Double, keyValues, otlpSpan, requestOf, spanId, type TestValue, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { getOnlyOtlpSpan, getOnlySpan, getOriginal, getOriginalSpan, listSpans } from '../harness/telemetry.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

let lastTrace = 0;

function newTraceId(): string {
  return traceId(++lastTrace);
}

type Encodings = readonly (typeof ENCODINGS)[number][];

const IN_JSON: Encodings = ['application/json'];

/** Sends a span message in OTLP JSON, once in each encoding; returns the trace ids. Originals are what was sent. */
async function sendInBoth(fields: object, encodings = ENCODINGS as Encodings): Promise<string[]> {
  const ids: string[] = [];
  for (const encoding of encodings) {
    const id = newTraceId();
    const request = requestOf([{ ...otlpSpan({ traceId: id, spanId: spanId(1) }), ...fields }]);
    const answer = await exportTraces(server.url, request, { encoding });
    expect(answer).toMatchObject({ status: 200, rejectedSpans: 0, message: '' });
    if (encodings !== IN_JSON)
      expect(await isOriginal(id, encodeRequest('application/x-protobuf', request))).toBe(true);
    ids.push(id);
  }
  return ids;
}

/** Whether what arrived of a trace is given back so, to the byte. */
async function isOriginal(id: string, expected: Uint8Array): Promise<boolean> {
  return Buffer.compare(await getOriginal(server.url, 'traces', id), expected) === 0;
}

/** Sends attributes in both encodings and returns what the lists show of them, which must be the same. */
async function showBack(attributes: readonly object[]): Promise<Readonly<Record<string, unknown>>> {
  const ids = await sendInBoth({ attributes });
  const [first, second] = await Promise.all(ids.map((id) => getOnlySpan(server.url, id)));
  expect(second?.attributes).toEqual(first?.attributes);
  return first?.attributes ?? {};
}

/** The value that both lists show of an attribute, as REST shows it and as its OTLP form types it. */
async function showValue(value: object): Promise<readonly unknown[]> {
  const [id = ''] = await sendInBoth({ attributes: [{ key: 'k', value }] }, IN_JSON);
  const { attributes } = await getOnlySpan(server.url, id);
  const typed = (await getOnlyOtlpSpan(server.url, id)).attributes.find(({ key }) => key === 'k')?.value ?? {};
  return [attributes['k'], Object.fromEntries(Object.entries(typed).filter(([, one]) => one !== null))];
}

describe('numbers', () => {
  it.each(['NaN', 'Infinity', '-Infinity'])(
    '%s is shown as that text and stays a double in the original',
    async (text) => {
      expect(await showBack([{ key: 'k', value: { doubleValue: text } }])).toEqual({ k: text });
      expect(await showBack([{ key: 'k', value: { arrayValue: { values: [{ doubleValue: text }] } } }])).toEqual({
        k: [text],
      });
    },
  );

  it.each(['9223372036854775807', '-9223372036854775808', '9007199254740993'])(
    'the integer %s is shown by its digits as text, so that no client rounds it',
    async (digits) => {
      expect(await showValue({ intValue: digits })).toEqual([digits, { int_value: digits }]);
      expect(await showBack([{ key: 'k', value: { intValue: digits } }])).toEqual({ k: digits });
    },
  );

  it('integers up to 2^53 are numbers', async () => {
    expect(await showValue({ intValue: '9007199254740991' })).toEqual([2 ** 53 - 1, { int_value: 2 ** 53 - 1 }]);
  });

  it('integers beyond 64 bits, as JavaScript exporters send large doubles, are doubles', async () => {
    const [id = ''] = await sendInBoth({ attributes: [{ key: 'k', value: { intValue: 1e30 } }] }, IN_JSON);
    expect((await getOnlySpan(server.url, id)).attributes).toEqual({ k: 1e30 });
    expect((await getOriginalSpan(server.url, id)).attributes).toEqual([{ key: 'k', value: { doubleValue: 1e30 } }]);
  });

  it('a whole double stays a double', async () => {
    expect(await showValue({ doubleValue: 12 })).toEqual([12, { double_value: 12 }]);
    const [id = ''] = await sendInBoth({ attributes: keyValues({ k: new Double(12) }) });
    const response = await fetch(`${server.url}/v1/projects/default/spans?trace_id=${id}`);
    expect(await response.text()).toContain('"k":12.0');
  });
});

describe('text', () => {
  it('with NUL is shown with U+FFFD, in every place that has text, and keeps it in the original', async () => {
    const nul = 'a\0b';
    const shown = 'a\uFFFDb';
    const fields = {
      name: nul,
      traceState: nul,
      status: { code: 2, message: nul },
      attributes: keyValues({ [nul]: nul, 'session.id': nul, map: { [nul]: [nul] } }),
      events: [{ name: nul, timeUnixNano: '1767225600000000000', attributes: keyValues({ [nul]: nul }) }],
      links: [{ traceId: traceId(1), spanId: spanId(1), traceState: nul, attributes: keyValues({ [nul]: nul }) }],
    };
    for (const id of await sendInBoth(fields)) {
      expect(await getOnlySpan(server.url, id)).toMatchObject({
        name: shown,
        status_message: shown,
        attributes: { [shown]: shown, 'session.id': shown, [`map.${shown}`]: [shown] },
        events: [{ name: shown, attributes: { [shown]: shown } }],
      });
    }
    expect(await listSpans(server.url, 'default', `name=${encodeURIComponent(shown)}`)).toHaveLength(2);
  });

  it('with a lone surrogate in JSON is stored with U+FFFD, for protobuf cannot hold one', async () => {
    const [id = ''] = await sendInBoth(
      { name: 'a\uD800b', attributes: keyValues({ ['k\uDC00']: 'v\uD800' }) },
      IN_JSON,
    );
    expect(await getOnlySpan(server.url, id)).toMatchObject({ name: 'a\uFFFDb', attributes: { 'k\uFFFD': 'v\uFFFD' } });
    expect(await getOriginalSpan(server.url, id)).toMatchObject({ name: 'a\uFFFDb' });
  });

  it('with bytes that are not UTF-8 in protobuf is shown with U+FFFD and keeps its bytes in the original', async () => {
    const id = newTraceId();
    const fields = otlpSpan({ traceId: id, spanId: spanId(1), name: 'name-??', attributes: { 'key-??': 'text-??' } });
    const span = Buffer.from(encodeSpan(fields));
    for (let at = span.indexOf('??'); at >= 0; at = span.indexOf('??')) span.set([0xff, 0xc0], at);
    const answer = await postBody(server.url, requestAround([span]), { 'content-type': 'application/x-protobuf' });
    expect(answer).toMatchObject({ status: 200, rejectedSpans: 0 });
    expect(await getOnlySpan(server.url, id)).toMatchObject({
      name: 'name-\uFFFD\uFFFD',
      attributes: { 'key-\uFFFD\uFFFD': 'text-\uFFFD\uFFFD' },
    });
    expect(await isOriginal(id, requestAround([span]))).toBe(true);
  });

  it('with bytes that are not UTF-8 in JSON is stored with U+FFFD', async () => {
    const id = newTraceId();
    const body = Buffer.from(JSON.stringify(requestOf([otlpSpan({ traceId: id, spanId: spanId(1), name: '??' })])));
    body.set([0xff, 0xfe], body.indexOf('??'));
    await postBody(server.url, new Uint8Array(body), { 'content-type': 'application/json' });
    expect((await getOnlySpan(server.url, id)).name).toBe('\uFFFD\uFFFD');
  });

  it('of five million characters is kept whole', async () => {
    const text = 'ä'.repeat(5_000_000);
    const [id = ''] = await sendInBoth({ attributes: keyValues({ 'input.value': text }) }, IN_JSON);
    expect((await getOnlySpan(server.url, id)).attributes['input.value']).toBe(text);
  });
});

describe('containers and bytes', () => {
  it('bytes are shown in base64, at any depth', async () => {
    const bytes = Uint8Array.of(0, 1, 255);
    expect(await showBack(keyValues({ k: bytes, list: [bytes], map: { inner: bytes } }))).toEqual({
      k: 'AAH/',
      list: ['AAH/'],
      'map.inner': 'AAH/',
    });
  });

  it('maps are nested, and dots in their keys mean nothing', async () => {
    const attributes = keyValues({ map: { 'a.0.b': 1, c: { d: 2 } }, 'map2.x': 3 });
    expect(await showBack(attributes)).toEqual({ 'map.a.0.b': 1, 'map.c.d': 2, 'map2.x': 3 });
  });

  it('lists may mix types, be nested and hold nothing', async () => {
    const list: TestValue = ['a', 1, true, null, [2, [3]]];
    expect(await showBack(keyValues({ list, empty: [], emptyMap: {} }))).toEqual({ list, empty: [], emptyMap: {} });
  });

  it('a value that is not set is no attribute, and null inside a container', async () => {
    expect(await showBack(keyValues({ none: null, list: [null], map: { none: null } }))).toEqual({
      list: [null],
      'map.none': null,
    });
  });

  it('of repeated keys the last one is shown, and all are in the original', async () => {
    const repeated = [
      ...keyValues({ k: 1 }),
      ...keyValues({ k: 2 }),
      { key: 'map', value: { kvlistValue: { values: [...keyValues({ k: 1 }), ...keyValues({ k: 2 })] } } },
    ];
    expect(await showBack(repeated)).toEqual({ k: 2, 'map.k': 2 });
  });

  it.each([
    ['64 levels is shown', 63, 'core'],
    ['65 levels ends in a text that says so', 64, TOO_DEEP],
    ['500 levels keeps its span and its bytes', 499, TOO_DEEP],
    ['100 000 levels keeps its span and its bytes', 99_999, TOO_DEEP],
  ])('a value of %s', async (_name, lists, end) => {
    const shown = { k: nestedList(Math.min(lists, 64), end) };
    const id = newTraceId();
    const request = requestAround([encodeDeepSpan(id, lists)]);
    const answer = await postBody(server.url, request, { 'content-type': 'application/x-protobuf' });
    expect(answer).toMatchObject({ status: 200, rejectedSpans: 0 });
    expect((await getOnlySpan(server.url, id)).attributes).toEqual(shown);
    expect(await isOriginal(id, request)).toBe(true);
    // Each list is three levels of JSON, of which a body may have a thousand.
    if (lists > 300) return;
    const [inJson = ''] = await sendInBoth({ attributes: [{ key: 'k', value: nested(lists) }] }, IN_JSON);
    expect((await getOnlySpan(server.url, inJson)).attributes).toEqual(shown);
  });

  it('JSON of more than a thousand levels is answered 400', async () => {
    const body = new Uint8Array(Buffer.from(`{"resourceSpans":${'['.repeat(100_000)}${']'.repeat(100_000)}}`));
    const answer = await postBody(server.url, body, { 'content-type': 'application/json' });
    expect(answer).toMatchObject({ status: 400, message: expect.stringContaining('1000 levels') });
  });
});

describe('keys', () => {
  it('that name a prototype are keys like any other and change none', async () => {
    const attributes = [
      ...keyValues({
        '__proto__.polluted': 1,
        'constructor.prototype.polluted': 2,
        metadata: '{"__proto__": {"polluted": 3}, "constructor": {"x": 4}}',
      }),
      { key: '__proto__', value: { kvlistValue: { values: [{ key: '__proto__', value: { intValue: '5' } }] } } },
    ];
    const shown = await showBack(attributes);
    expect(Object.entries(shown)).toEqual(
      expect.arrayContaining([
        ['__proto__.polluted', 1],
        ['constructor.prototype.polluted', 2],
        ['metadata.__proto__.polluted', 3],
        ['metadata.constructor.x', 4],
        ['__proto__.__proto__', 5],
      ]),
    );
    expect('polluted' in {}).toBe(false);
    const other = await showBack(keyValues({ innocent: true }));
    expect(other).toEqual({ innocent: true });
    expect(await listSpans(server.url, 'default', 'attribute=polluted:1')).toEqual([]);
    expect(await listSpans(server.url, 'default', 'attribute=__proto__.polluted:1')).toHaveLength(2);
  });

  it('with huge indexes make short lists in the order of the indexes', async () => {
    const attributes = keyValues({ 'a.999999999.b': 2, 'a.18446744073709551616.b': 3, 'a.7.b': 1, 'a.007.c': 4 });
    expect(await showBack(attributes)).toEqual({ 'a.0.b': 1, 'a.0.c': 4, 'a.1.b': 2, 'a.2.b': 3 });
  });

  it('with digits of other scripts are names', async () => {
    const attributes = keyValues({ 'a.².b': 1, 'b.１.c': 2, 'c.-1.d': 3 });
    expect(await showBack(attributes)).toEqual({ 'a.².b': 1, 'b.１.c': 2, 'c.-1.d': 3 });
  });

  it('that are empty, only dots, or of ten thousand segments are kept', async () => {
    const long = Array.from({ length: 10_000 }, () => 'x').join('.');
    expect(await showBack(keyValues({ '': 1, '...': 2, [long]: 3 }))).toEqual({ '': 1, '...': 2, [long]: 3 });
  });
});

const TOO_DEEP = '[nested deeper than 64 levels]';

/** A text inside so many lists. */
function nested(levels: number): object {
  let value: object = { stringValue: 'core' };
  for (let level = 0; level < levels; level++) value = { arrayValue: { values: [value] } };
  return value;
}

/** The same as a list shows it. */
function nestedList(levels: number, core: string): unknown {
  let value: unknown = core;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

function encodeDeepSpan(id: string, levels: number): Uint8Array {
  const writer = new ProtobufWriter();
  writer.text(1, 'core');
  for (let level = 0; level < levels; level++) {
    // An AnyValue in an ArrayValue in an AnyValue.
    writer.closeMessage(1, 0);
    writer.closeMessage(5, 0);
  }
  writer.closeMessage(2, 0);
  writer.text(1, 'k');
  writer.closeMessage(9, 0);
  writeIds(writer, id);
  return writer.finish();
}

function writeIds(writer: ProtobufWriter, id: string): void {
  writer.bytes(2, Buffer.from(spanId(1), 'hex'));
  writer.bytes(1, Buffer.from(id, 'hex'));
}
