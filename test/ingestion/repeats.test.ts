/** Spans that come more than once: retries, duplicates, corrections. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callExport, ENCODINGS, encodeRequest, exportAll, exportTraces } from '../harness/otlp-client.ts';
import {
  otlpSpan,
  resourceSpansOf,
  spanId,
  TEST_START_US,
  type TestSpan,
  traceId,
  traceRequest,
} from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import {
  findTrace,
  getOnlySpan,
  getOriginalSpan,
  listProjectNames,
  listSessions,
  listSpans,
  readIngestCounters,
} from '../harness/telemetry.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

const CALL: TestSpan = {
  spanId: spanId(2),
  parentSpanId: spanId(1),
  status: 'ERROR',
  attributes: {
    'openinference.span.kind': 'LLM',
    'llm.token_count.prompt': 10,
    'llm.token_count.completion': 5,
    'llm.cost.total': 0.25,
    'session.id': 's',
  },
};

/** What a request adds to the counters of spans. */
async function counting(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await readIngestCounters(server.url);
  await work();
  const after = await readIngestCounters(server.url);
  const names = ['stored', 'replaced', 'duplicate'];
  return Object.fromEntries(
    names.map((name) => [name, (after.get(`outcome=${name}`) ?? 0) - (before.get(`outcome=${name}`) ?? 0)]),
  );
}

describe('a request that is sent again', () => {
  it('leaves spans, tokens and sessions as they were, and is answered as the first time', async () => {
    const request = traceRequest([
      { spanId: spanId(1), traceId: traceId(1) },
      { ...CALL, traceId: traceId(1) },
    ]);
    const counts = await counting(() => exportAll(server.url, request));
    const before = [
      await findTrace(server.url, traceId(1)),
      await listSessions(server.url, 'default'),
      await listSpans(server.url, 'default'),
    ];
    const again = await counting(async () => {
      for (const encoding of ENCODINGS) {
        expect(await exportTraces(server.url, request, { encoding })).toMatchObject({ status: 200, message: '' });
      }
      await callExport(server.grpcAddress, encodeRequest('application/x-protobuf', request));
    });
    expect(counts).toEqual({ stored: 2, replaced: 0, duplicate: 0 });
    expect(again).toEqual({ stored: 0, replaced: 0, duplicate: 6 });
    expect([
      await findTrace(server.url, traceId(1)),
      await listSessions(server.url, 'default'),
      await listSpans(server.url, 'default'),
    ]).toEqual(before);
    expect(before[0]).toMatchObject({ token_count_prompt: 10, token_count_completion: 5 });
  });

  it('twenty times at once is stored once', async () => {
    const request = traceRequest([
      { spanId: spanId(1), traceId: traceId(2) },
      { ...CALL, traceId: traceId(2) },
    ]);
    const counts = await counting(() => Promise.all(Array.from({ length: 20 }, () => exportAll(server.url, request))));
    expect(counts).toEqual({ stored: 2, replaced: 0, duplicate: 38 });
    expect(await findTrace(server.url, traceId(2))).toMatchObject({
      token_count_prompt: 10,
      spans: [{ span_id: spanId(1) }, { span_id: spanId(2) }],
    });
  });

  it('with a new span in it stores only that one', async () => {
    const first: TestSpan = { spanId: spanId(1), traceId: traceId(3) };
    await exportAll(server.url, traceRequest([first]));
    const counts = await counting(() => exportAll(server.url, traceRequest([first, { ...first, spanId: spanId(2) }])));
    expect(counts).toEqual({ stored: 1, replaced: 0, duplicate: 1 });
  });

  it('without times in its span keeps the time of its first arrival', async () => {
    const span = {
      ...otlpSpan({ traceId: traceId(4), spanId: spanId(1) }),
      startTimeUnixNano: '0',
      endTimeUnixNano: '0',
    };
    const request = { resourceSpans: [resourceSpansOf([span])] };
    await exportAll(server.url, request);
    const before = await getOnlySpan(server.url, traceId(4));
    expect(await counting(() => exportAll(server.url, request))).toEqual({ stored: 0, replaced: 0, duplicate: 1 });
    expect(await getOnlySpan(server.url, traceId(4))).toEqual(before);
  });
});

describe('a span id that comes again with other bytes', () => {
  it('replaces the span, which keeps its id, and the trace and its session follow', async () => {
    const open: TestSpan = { ...CALL, traceId: traceId(10), status: 'UNSET', attributes: { 'session.id': 'open' } };
    await exportAll(server.url, traceRequest([open]), { 'x-project-name': 'replaced' });
    const { id } = await getOnlySpan(server.url, traceId(10), 'replaced');
    const finished: TestSpan = {
      ...CALL,
      traceId: traceId(10),
      startUs: TEST_START_US + 5,
      endUs: TEST_START_US + 9_000,
    };
    const counts = await counting(() => exportAll(server.url, traceRequest([finished])));
    expect(counts).toEqual({ stored: 0, replaced: 1, duplicate: 0 });
    expect(await getOnlySpan(server.url, traceId(10), 'replaced')).toMatchObject({ id, status_code: 'ERROR' });
    expect(await findTrace(server.url, traceId(10), 'replaced')).toMatchObject({
      start_time: '2026-01-01T00:00:00.000005+00:00',
      end_time: '2026-01-01T00:00:00.009000+00:00',
      token_count_prompt: 10,
    });
    expect(await listSessions(server.url, 'replaced')).toMatchObject([{ session_id: 's', token_count_prompt: 10 }]);
    expect((await getOriginalSpan(server.url, traceId(10))).startTimeUnixNano).toBe(`${TEST_START_US + 5}000`);
  });

  it('in one request: the last one is stored', async () => {
    const span: TestSpan = { traceId: traceId(11), spanId: spanId(1), name: 'first' };
    const counts = await counting(() => exportAll(server.url, traceRequest([span, span, { ...span, name: 'last' }])));
    expect(counts).toEqual({ stored: 1, replaced: 1, duplicate: 1 });
    expect((await getOnlySpan(server.url, traceId(11))).name).toBe('last');
  });

  it('or from another resource: the newer one replaces the older', async () => {
    const span: TestSpan = { traceId: traceId(12), spanId: spanId(1) };
    await exportAll(server.url, traceRequest([span], { 'service.name': 'old' }));
    const counts = await counting(() => exportAll(server.url, traceRequest([span], { 'service.name': 'new' })));
    expect(counts).toEqual({ stored: 0, replaced: 1, duplicate: 0 });
    const original = await fetch(`${server.url}/v1/traces/${traceId(12)}/original?format=json`);
    expect(await original.text()).toMatch(/"new"/);
  });
});

describe('a span id in two traces', () => {
  const tree = (trace: number, project: string) => {
    const parent: TestSpan = { traceId: traceId(trace), spanId: spanId(1), attributes: CALL.attributes ?? {} };
    const child: TestSpan = { ...CALL, traceId: traceId(trace) };
    return trace === 20
      ? traceRequest([parent], { 'openinference.project.name': project })
      : traceRequest([child], { 'openinference.project.name': project });
  };

  it('names two spans, whose tokens have nothing to do with each other', async () => {
    await exportAll(server.url, tree(20, 'same span ids'));
    await exportAll(server.url, tree(21, 'same span ids'));
    // Within one trace the child would repeat what its parent claims, and count alone.
    expect(await findTrace(server.url, traceId(20), 'same span ids')).toMatchObject({ token_count_prompt: 10 });
    expect(await findTrace(server.url, traceId(21), 'same span ids')).toMatchObject({ token_count_prompt: 10 });
    await exportAll(server.url, traceRequest([{ traceId: traceId(22), spanId: spanId(1) }]), {
      'x-project-name': 'same span ids',
    });
    expect(await listSpans(server.url, 'same span ids', `span_id=${spanId(1)}`)).toHaveLength(2);
  });

  it('leaves no empty trace and no empty project behind', async () => {
    const span: TestSpan = { traceId: traceId(23), spanId: spanId(1) };
    await exportAll(server.url, traceRequest([span]));
    await exportAll(server.url, traceRequest([span]), { 'x-project-name': 'never used' });
    expect(await listProjectNames(server.url)).not.toContain('never used');
  });

  it('and alone names the newest span that has it', async () => {
    for (const number of [24, 25]) {
      await exportAll(
        server.url,
        traceRequest([{ traceId: traceId(number), spanId: spanId(0x77), name: `in ${number}` }]),
      );
    }
    const original = await fetch(`${server.url}/v1/spans/${spanId(0x77)}/original?format=json`);
    expect(await original.text()).toContain('in 25');
  });
});
