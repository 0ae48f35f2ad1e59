/** Which project and which session a trace belongs to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callExport, encodeRequest, exportAll } from '../harness/otlp-client.ts';
import {
  Double,
  otlpSpan,
  resourceSpansOf,
  spanId,
  TEST_START_US,
  type TestSpan,
  type TestValue,
  traceId,
  traceRequest,
} from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findTrace, getOnlySpan, listProjectNames, listSessions, listSpans } from '../harness/telemetry.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

const PROJECT = 'openinference.project.name';

let lastTrace = 0;

/** Sends one span of a new trace and returns its trace id. */
async function sendTrace(resource: Record<string, TestValue>, headers: Record<string, string> = {}): Promise<string> {
  const id = traceId(++lastTrace);
  await exportAll(server.url, traceRequest([{ traceId: id, spanId: spanId(1) }], resource), headers);
  return id;
}

describe('the project of a trace', () => {
  it('is that of the resource attribute, created when it is new', async () => {
    const id = await sendTrace({ [PROJECT]: 'from resource', 'service.name': 'some service' });
    expect((await getOnlySpan(server.url, id, 'from resource')).context.trace_id).toBe(id);
    expect(await listProjectNames(server.url)).not.toContain('some service');
  });

  it('is that of the header x-project-name, which beats the resource attribute', async () => {
    const id = await sendTrace({ [PROJECT]: 'beaten' }, { 'x-project-name': 'from header' });
    expect((await getOnlySpan(server.url, id, 'from header')).context.trace_id).toBe(id);
    expect(await listProjectNames(server.url)).not.toContain('beaten');
  });

  it('may have a name in UTF-8 in the header, and spaces around it do not count', async () => {
    const bytes = Buffer.from(' projet été ').toString('latin1');
    const id = await sendTrace({}, { 'x-project-name': bytes });
    expect((await getOnlySpan(server.url, id, 'projet été')).context.trace_id).toBe(id);
  });

  it('is that of the resource attribute when the header is blank', async () => {
    const id = await sendTrace({ [PROJECT]: 'not blank' }, { 'x-project-name': '  ' });
    expect((await getOnlySpan(server.url, id, 'not blank')).context.trace_id).toBe(id);
  });

  it('is that of gRPC metadata as of the header', async () => {
    const id = traceId(++lastTrace);
    const message = encodeRequest(
      'application/x-protobuf',
      traceRequest([{ traceId: id, spanId: spanId(1) }], { [PROJECT]: 'beaten' }),
    );
    await callExport(server.grpcAddress, message, { metadata: { 'x-project-name': 'from metadata' } });
    expect((await getOnlySpan(server.url, id, 'from metadata')).context.trace_id).toBe(id);
  });

  it.each<[string, Record<string, TestValue>]>([
    ['absent', {}],
    ['empty', { [PROJECT]: '' }],
    ['blank', { [PROJECT]: ' \t' }],
    ['a number', { [PROJECT]: 42 }],
    ['a list', { [PROJECT]: ['a'] }],
  ])('is default when the resource attribute is %s', async (_name, resource) => {
    const id = await sendTrace(resource);
    expect((await getOnlySpan(server.url, id, 'default')).context.trace_id).toBe(id);
  });

  it('is the first text among repeated resource attributes', async () => {
    const id = traceId(++lastTrace);
    const part = resourceSpansOf([otlpSpan({ traceId: id, spanId: spanId(1) })]);
    const attributes = [7, '', 'first text', 'second text'].map((value) => ({
      key: PROJECT,
      value: typeof value === 'number' ? { intValue: value } : { stringValue: value },
    }));
    await exportAll(server.url, { resourceSpans: [{ ...part, resource: { attributes } }] });
    expect((await getOnlySpan(server.url, id, 'first text')).context.trace_id).toBe(id);
  });

  it('is decided for each resource of a request', async () => {
    const ids = [traceId(++lastTrace), traceId(++lastTrace)] as const;
    const resourceSpans = ids.map((id, index) =>
      resourceSpansOf([otlpSpan({ traceId: id, spanId: spanId(1) })], { [PROJECT]: `resource ${index}` }),
    );
    await exportAll(server.url, { resourceSpans });
    for (const [index, id] of ids.entries()) {
      expect((await getOnlySpan(server.url, id, `resource ${index}`)).context.trace_id).toBe(id);
    }
  });

  it('never changes: later spans go where the trace is, whatever their resource or header says', async () => {
    const id = await sendTrace({ [PROJECT]: 'first' });
    await exportAll(server.url, traceRequest([{ traceId: id, spanId: spanId(2) }], { [PROJECT]: 'second' }));
    await exportAll(server.url, traceRequest([{ traceId: id, spanId: spanId(3) }]), { 'x-project-name': 'third' });
    expect(await listSpans(server.url, 'first', `trace_id=${id}`)).toHaveLength(3);
    const names = await listProjectNames(server.url);
    expect(names).not.toContain('second');
    expect(names).not.toContain('third');
  });

  it('is that of the first span where two resources of one request share a trace', async () => {
    const id = traceId(++lastTrace);
    await exportAll(server.url, {
      resourceSpans: [
        resourceSpansOf([otlpSpan({ traceId: id, spanId: spanId(1) })], { [PROJECT]: 'came first' }),
        resourceSpansOf([otlpSpan({ traceId: id, spanId: spanId(2) })], { [PROJECT]: 'came last' }),
      ],
    });
    expect(await listSpans(server.url, 'came first', `trace_id=${id}`)).toHaveLength(2);
    expect(await listProjectNames(server.url)).not.toContain('came last');
  });

  it('is SERVICE_PROJECT_NAME where nothing names one', async () => {
    await using other = await startTestServer({ PROJECT_NAME: 'of the server' });
    await exportAll(other.url, traceRequest([{ spanId: spanId(1) }]));
    expect(await listSpans(other.url, 'of the server')).toHaveLength(1);
  });
});

describe('the session of a trace', () => {
  /** Sends spans of a new trace, each in a request of its own, to the project; returns the trace id. */
  async function sendSpans(project: string, ...spans: readonly TestSpan[]): Promise<string> {
    const id = traceId(++lastTrace);
    for (const span of spans) {
      await exportAll(server.url, traceRequest([{ ...span, traceId: id }]), { 'x-project-name': project });
    }
    return id;
  }

  async function readSessions(project: string): Promise<Record<string, string[]>> {
    const sessions = await listSessions(server.url, project);
    return Object.fromEntries(
      sessions.map((session) => [session.session_id, session.traces.map((trace) => trace.trace_id)]),
    );
  }

  it('is named by any of its spans, also one that comes later', async () => {
    const id = await sendSpans(
      'named late',
      { spanId: spanId(1) },
      { spanId: spanId(2), parentSpanId: spanId(1), attributes: { 'session.id': 's' } },
    );
    expect(await readSessions('named late')).toEqual({ s: [id] });
  });

  it.each<[string, TestValue, string]>([
    ['42', 42, '42'],
    ['the digits of a large number', 2n ** 60n, '1152921504606846976'],
    ['4.5', 4.5, '4.5'],
    ['text without the spaces around it', ' s 1 ', 's 1'],
  ])('may be given as a number and is trimmed: %s', async (_name, value, expected) => {
    const project = `session ${expected}`;
    const id = await sendSpans(project, { spanId: spanId(1), attributes: { 'session.id': value } });
    expect(await readSessions(project)).toEqual({ [expected]: [id] });
  });

  it.each<[string, TestValue]>([
    ['empty', ''],
    ['blank', ' \n'],
    ['a boolean', true],
    ['a list', ['s']],
    ['null', null],
  ])('is none where the attribute is %s', async (name, value) => {
    const project = `no session, ${name}`;
    const id = await sendSpans(project, { spanId: spanId(1), attributes: { 'session.id': value } });
    expect(await readSessions(project)).toEqual({});
    expect((await getOnlySpan(server.url, id, project)).context.trace_id).toBe(id);
  });

  const EARLY: TestSpan = { spanId: spanId(1), startUs: TEST_START_US, attributes: { 'session.id': 'early' } };
  const LATE: TestSpan = { spanId: spanId(2), startUs: TEST_START_US + 10, attributes: { 'session.id': 'late' } };

  it.each([
    ['in order', [EARLY, LATE]],
    ['the other way round', [LATE, EARLY]],
  ])('is that of the span that started first, when two name different ones and arrive %s', async (name, spans) => {
    const project = `two sessions, ${name}`;
    const id = await sendSpans(project, ...spans);
    expect(await readSessions(project)).toEqual({ early: [id] });
    const values = (await listSpans(server.url, project)).map((span) => span.attributes['session.id']);
    expect(new Set(values)).toEqual(new Set(['early', 'late']));
  });

  it("is the project's own: the same id in two projects names two sessions", async () => {
    const attributes = { 'session.id': 'shared' };
    const [one, other] = [
      await sendSpans('shares one', { spanId: spanId(1), attributes }),
      await sendSpans('shares other', { spanId: spanId(1), attributes }),
    ];
    expect(await readSessions('shares one')).toEqual({ shared: [one] });
    expect(await readSessions('shares other')).toEqual({ shared: [other] });
  });

  it('spans all of its traces and sums their tokens', async () => {
    const call = (start: number, tokens: TestValue): TestSpan => ({
      spanId: spanId(1),
      startUs: TEST_START_US + start,
      endUs: TEST_START_US + start + 5,
      attributes: { 'session.id': 'sum', 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': tokens },
    });
    const ids = [await sendSpans('summed', call(2_000_000, 3)), await sendSpans('summed', call(0, new Double(4)))];
    const [session] = await listSessions(server.url, 'summed');
    expect(session).toMatchObject({
      session_id: 'sum',
      start_time: '2026-01-01T00:00:00+00:00',
      end_time: '2026-01-01T00:00:02.000005+00:00',
      token_count_prompt: 7,
    });
    expect(session?.traces.map((trace) => trace.trace_id)).toEqual([ids[1], ids[0]]);
    expect((await findTrace(server.url, ids[0] ?? '', 'summed'))?.token_count_prompt).toBe(3);
  });

  it('is gone when its only trace turns out to belong to another', async () => {
    await sendSpans('corrected', LATE, EARLY);
    expect(Object.keys(await readSessions('corrected'))).toEqual(['early']);
  });
});

describe('user, tags and metadata', () => {
  it('are plain attributes, metadata as the object that its text holds', async () => {
    const id = traceId(++lastTrace);
    const attributes = { 'user.id': 'u', 'tag.tags': ['a', 'b'], metadata: '{"tier": "gold", "a.b": 1}' };
    await exportAll(server.url, traceRequest([{ traceId: id, spanId: spanId(1), attributes }]));
    expect((await getOnlySpan(server.url, id)).attributes).toEqual({
      'user.id': 'u',
      'tag.tags': ['a', 'b'],
      'metadata.tier': 'gold',
      'metadata.a.b': 1,
    });
  });
});
