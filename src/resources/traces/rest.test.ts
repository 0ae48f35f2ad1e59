import { beforeEach, describe, expect, it } from 'vitest';
import { appOf } from '#api/rest/app.fixture';
import { AppError } from '#base/errors';
import type { ProjectStore } from '#store/projects/port';
import type { OriginalFormat, SpanRow, SpanStore, TelemetryRef, TraceRow } from '#store/spans/port';
import { traceRoutes } from './rest.ts';

const TRACE: TraceRow = {
  rowId: 5,
  traceId: '0af7651916cd43dd8448eb211c80319c',
  projectRowId: 1,
  sessionRowId: null,
  sessionId: null,
  startTimeUs: 1_716_854_409_000_000,
  endTimeUs: 1_716_854_410_500_000,
  spanCount: 4,
  errorCount: 2,
  promptTokenCount: 10,
  completionTokenCount: 3,
  costNanoUsd: 1_500_000,
  promptCostNanoUsd: 250_000,
  completionCostNanoUsd: 1_000_000,
  rootSpanRowId: 9,
};

const SPAN: SpanRow = {
  rowId: 9,
  traceRowId: 5,
  traceId: TRACE.traceId,
  spanId: 'b7ad6b7169203331',
  parentSpanId: null,
  name: 'answer',
  kind: 'AGENT',
  statusCode: 'OK',
  startTimeUs: TRACE.startTimeUs,
  endTimeUs: TRACE.endTimeUs,
};

const projects = {
  findProject: async () => ({ rowId: 1, name: 'demo', description: null }),
} as unknown as ProjectStore;

let listed: Parameters<SpanStore['listTraces']>[] = [];
let error: AppError | undefined;

beforeEach(() => {
  listed = [];
  error = undefined;
});

const spans = {
  listTraces: async (...parameters: Parameters<SpanStore['listTraces']>) => {
    listed.push(parameters);
    if (error !== undefined) throw error;
    return { data: [TRACE], nextCursor: 'next', spans: new Map([[5, [SPAN]]]) };
  },
  readTraceOriginal: async (ref: TelemetryRef, format: OriginalFormat) =>
    'rowId' in ref || ref.otelId === TRACE.traceId
      ? { body: Buffer.from(format), spanCount: 1, damaged: [] }
      : undefined,
} as unknown as SpanStore;

const app = appOf(
  traceRoutes(
    () => projects,
    () => spans,
  ),
);
const PATH = '/v1/projects/demo/traces';

const WIRE = {
  id: 'VHJhY2U6NQ==',
  trace_id: TRACE.traceId,
  project_id: 'UHJvamVjdDox',
  start_time: '2024-05-28T00:00:09+00:00',
  end_time: '2024-05-28T00:00:10.500000+00:00',
  token_count_prompt: 10,
  token_count_completion: 3,
  token_count_total: 13,
  latency_ms: 1500,
  num_spans: 4,
  error_count: 2,
  prompt_cost: 0.00025,
  completion_cost: 0.001,
  total_cost: 0.0015,
  spans: null,
};

describe('the list of traces', () => {
  it('is newest first and without spans where nothing is asked for', async () => {
    expect((await app.inject(PATH)).json()).toEqual({ data: [WIRE], next_cursor: 'next' });
    expect(listed).toEqual([
      [{ projectRowId: 1 }, { sort: 'start_time', order: 'desc', limit: 100, cursor: null }, false],
    ]);
  });

  it('holds the spans where they are asked for', async () => {
    const { data } = (await app.inject(`${PATH}?include_spans=Yes`)).json<{ data: unknown[] }>();
    expect(data).toEqual([
      {
        ...WIRE,
        spans: [
          {
            id: 'U3Bhbjo5',
            span_id: SPAN.spanId,
            parent_id: null,
            name: 'answer',
            span_kind: 'AGENT',
            status_code: 'OK',
            start_time: WIRE.start_time,
            end_time: WIRE.end_time,
          },
        ],
      },
    ]);
    expect(listed[0]?.[2]).toBe(true);
  });

  it('takes all its parameters, sessions as ids and as texts', async () => {
    await app.inject(
      `${PATH}?start_time=2024-05-28&end_time=1716854409&sort=latency_ms&order=asc&limit=1000&cursor=c` +
        '&session_identifier=UHJvamVjdFNlc3Npb246Mw==&session_identifier=chat-1&session_identifier=VHJhY2U6NQ==',
    );
    expect(listed).toEqual([
      [
        {
          projectRowId: 1,
          startTimeUs: 1_716_854_400_000_000,
          endTimeUs: 1_716_854_409_000_000,
          sessions: [{ rowId: 3 }, { sessionId: 'chat-1' }, { sessionId: 'VHJhY2U6NQ==' }],
        },
        { sort: 'latency_ms', order: 'asc', limit: 1000, cursor: 'c' },
        false,
      ],
    ]);
  });

  it('narrows by errors and by latency in milliseconds', async () => {
    await app.inject(`${PATH}?error=false&min_latency_ms=0.5&max_latency_ms=20`);
    expect(listed[0]?.[0]).toMatchObject({ hasErrors: false, minLatencyUs: 500, maxLatencyUs: 20_000 });
  });

  it.each(['error=maybe', 'min_latency_ms=-1', 'max_latency_ms=1e3', 'min_latency_ms=NaN'])(
    'refuses %s',
    async (query) => {
      expect((await app.inject(`${PATH}?${query}`)).statusCode).toBe(422);
    },
  );

  it('is narrowed by a filter beside all else', async () => {
    await app.inject(`${PATH}?error=true&filter=${encodeURIComponent('num_spans > 3')}`);
    expect(listed[0]?.[0]).toMatchObject({
      hasErrors: true,
      condition: { kind: 'compare', operator: '>', left: { name: 'num_spans' }, right: { value: 3 } },
    });
  });

  it.each(['span_kinds', 'num_spans >', '%20', '%00', 'num_traces > 1'])(
    'says what is wrong with the filter %s',
    async (filter) => {
      const response = await app.inject(`${PATH}?filter=${filter}`);
      expect(response.statusCode).toBe(400);
      expect(response.headers['content-type']).toContain('text/plain');
      expect(response.body).toMatch(/^Invalid filter: ./);
      expect(listed).toEqual([]);
    },
  );

  it('is given for an empty filter', async () => {
    expect((await app.inject(`${PATH}?filter=`)).statusCode).toBe(200);
  });

  it.each(['limit=1001', 'sort=name', 'order=up', 'start_time=soon', 'include_spans=2'])(
    'refuses %s',
    async (query) => {
      const response = await app.inject(`${PATH}?${query}`);
      expect([response.statusCode, response.headers['content-type']]).toEqual([422, 'application/json']);
    },
  );

  it('refuses a cursor of another sort', async () => {
    error = new AppError('invalid_argument', 'Invalid cursor');
    expect((await app.inject(`${PATH}?cursor=x`)).statusCode).toBe(422);
  });
});

describe('the original of a trace', () => {
  const path = `/v1/traces/${TRACE.traceId}/original`;

  it.each([
    ['', undefined, 'application/x-protobuf'],
    ['', '*/*', 'application/x-protobuf'],
    ['', 'text/html, application/xhtml+xml, */*;q=0.8', 'application/x-protobuf'],
    ['', 'Application/JSON; q=0.9', 'application/json'],
    ['', 'application/json, application/x-protobuf', 'application/x-protobuf'],
    ['?format=json', 'application/x-protobuf', 'application/json'],
    ['?format=protobuf', 'application/json', 'application/x-protobuf'],
  ])('asked for with %j and Accept %j is %s', async (query, accept, contentType) => {
    const headers = accept === undefined ? {} : { accept };
    const response = await app.inject({ url: `${path}${query}`, headers });
    expect(response.headers['content-type']).toBe(contentType);
    expect(response.body).toBe(contentType === 'application/json' ? 'json' : 'protobuf');
  });

  it('is found by id too', async () => {
    expect((await app.inject('/v1/traces/VHJhY2U6NQ==/original')).statusCode).toBe(200);
  });

  it('of an unknown trace is not found', async () => {
    expect((await app.inject('/v1/traces/unknown/original')).statusCode).toBe(404);
  });

  it('has no other form', async () => {
    expect((await app.inject(`${path}?format=xml`)).statusCode).toBe(422);
  });
});
