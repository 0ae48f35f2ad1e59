import { beforeEach, describe, expect, it } from 'vitest';
import { appOf } from '#api/rest/app.fixture';
import type { ProjectRef, ProjectStore } from '#store/projects/port';
import type { SessionRef, SessionRow, SpanStore, TraceRow } from '#store/spans/port';
import { sessionRoutes } from './rest.ts';

const SESSION: SessionRow = {
  rowId: 3,
  sessionId: 'chat 1',
  projectRowId: 1,
  startTimeUs: 1_716_854_409_000_000,
  endTimeUs: 1_716_854_410_500_000,
  traceCount: 1,
  promptTokenCount: 10,
  completionTokenCount: 3,
  costNanoUsd: 0,
  promptCostNanoUsd: 0,
  completionCostNanoUsd: 0,
};

const TRACE = {
  rowId: 5,
  traceId: '0af7651916cd43dd8448eb211c80319c',
  startTimeUs: SESSION.startTimeUs,
  endTimeUs: SESSION.endTimeUs,
} as TraceRow;

const WIRE = {
  id: 'UHJvamVjdFNlc3Npb246Mw==',
  session_id: 'chat 1',
  project_id: 'UHJvamVjdDox',
  start_time: '2024-05-28T00:00:09+00:00',
  end_time: '2024-05-28T00:00:10.500000+00:00',
  traces: [
    {
      id: 'VHJhY2U6NQ==',
      trace_id: TRACE.traceId,
      start_time: '2024-05-28T00:00:09+00:00',
      end_time: '2024-05-28T00:00:10.500000+00:00',
    },
  ],
  token_count_prompt: 10,
  token_count_completion: 3,
  token_count_total: 13,
};

const projects = {
  findProject: async (ref: ProjectRef) =>
    'name' in ref && ref.name === 'demo' ? { rowId: 1, name: 'demo', description: null } : undefined,
} as unknown as ProjectStore;

let listed: Parameters<SpanStore['listSessions']>[] = [];

beforeEach(() => {
  listed = [];
});

const spans = {
  listSessions: async (...parameters: Parameters<SpanStore['listSessions']>) => {
    listed.push(parameters);
    return { data: [SESSION, { ...SESSION, rowId: 4 }], traces: new Map([[3, [TRACE]]]), nextCursor: null };
  },
  findSession: async (ref: SessionRef, projectRowId?: number) => {
    const isSession = 'rowId' in ref ? ref.rowId === 3 : ref.sessionId === 'chat 1';
    return isSession && (projectRowId ?? 1) === 1 ? SESSION : undefined;
  },
  listSessionTraces: async (rowIds: readonly number[]) =>
    new Map(rowIds.filter((rowId) => rowId === 3).map((rowId) => [rowId, [TRACE]])),
} as unknown as SpanStore;

const app = appOf(
  sessionRoutes(
    () => projects,
    () => spans,
  ),
);

describe('the list of sessions', () => {
  it('of a project begins with the oldest and holds their traces', async () => {
    const response = await app.inject('/v1/projects/demo/sessions');
    expect(response.json()).toEqual({
      data: [WIRE, { ...WIRE, id: 'UHJvamVjdFNlc3Npb246NA==', traces: [] }],
      next_cursor: null,
    });
    expect(listed).toEqual([[{ projectRowId: 1 }, { sort: 'id', order: 'asc', limit: 100, cursor: null }]]);
  });

  it('of all projects takes the same parameters, and a project', async () => {
    await app.inject('/v1/sessions?order=desc&limit=2&cursor=c');
    await app.inject('/v1/sessions?project_identifier=demo');
    expect(listed).toEqual([
      [{ projectRowId: undefined }, { sort: 'id', order: 'desc', limit: 2, cursor: 'c' }],
      [{ projectRowId: 1 }, { sort: 'id', order: 'asc', limit: 100, cursor: null }],
    ]);
  });

  it('is narrowed by a filter, unless that is empty', async () => {
    await app.inject(`/v1/projects/demo/sessions?filter=${encodeURIComponent('num_traces > 3')}`);
    await app.inject('/v1/projects/demo/sessions?filter=');
    expect(listed[0]?.[0]).toMatchObject({
      projectRowId: 1,
      condition: { kind: 'compare', left: { name: 'num_traces' } },
    });
    expect(listed[1]?.[0]).toEqual({ projectRowId: 1 });
  });

  it.each(['project_identifier', 'project', 'project_id', 'project_name'])('takes the project as %s', async (name) => {
    await app.inject(`/v1/sessions?${name}=demo`);
    expect(listed[0]?.[0]).toEqual({ projectRowId: 1 });
  });

  it.each([
    ['/v1/projects/unknown/sessions', 404],
    ['/v1/sessions?project_identifier=unknown', 404],
    ['/v1/sessions?limit=1001', 422],
    ['/v1/sessions?order=newest', 422],
    ['/v1/sessions?filter=x', 400],
    ['/v1/projects/demo/sessions?filter=x', 400],
    ['/v1/projects/demo/sessions?filter=%20', 400],
    ['/v1/projects/demo/sessions?filter=num_spans%20%3E%201', 400],
  ])('%s is %d', async (url, status) => {
    expect((await app.inject(url)).statusCode).toBe(status);
    expect(listed).toEqual([]);
  });
});

describe('a session', () => {
  it.each([
    '/v1/sessions/chat%201',
    '/v1/sessions/UHJvamVjdFNlc3Npb246Mw%3D%3D',
    '/v1/sessions/chat%201?project_identifier=demo',
  ])('is found at %s', async (url) => {
    expect((await app.inject(url)).json()).toEqual({ data: WIRE });
  });

  it.each([
    '/v1/sessions/unknown',
    '/v1/sessions/UHJvamVjdFNlc3Npb246OQ%3D%3D',
    '/v1/sessions/chat%201?project_identifier=unknown',
  ])('is not found at %s', async (url) => {
    expect((await app.inject(url)).statusCode).toBe(404);
  });
});
