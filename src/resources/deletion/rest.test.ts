import { beforeEach, describe, expect, it } from 'vitest';
import { appOf } from '#api/rest/app.fixture';
import { formatGlobalId } from '#base/global-id';
import { type DeletionStore, openDeletionStore } from '#store/deletion/deletion.fixture';
import { relationalProjectStore } from '#store/projects/relational-projects';
import { spanId, TEST_START_US, traceId } from '../../../test/harness/otlp-json.ts';
import { removalRoutes } from './rest.ts';

let store: DeletionStore;
let app: ReturnType<typeof appOf>;

beforeEach(async () => {
  store = await openDeletionStore();
  for (const number of [1, 2, 3]) {
    const span = {
      traceId: traceId(number),
      spanId: spanId(number),
      startUs: TEST_START_US + number * 1_000_000,
      attributes: { 'session.id': number === 3 ? 'other talk' : 'talk' },
    };
    await store.send([span, { ...span, spanId: spanId(number + 10), parentSpanId: span.spanId }], 'app');
  }
  await store.send([{ traceId: traceId(9), spanId: spanId(9), attributes: { 'session.id': 'talk' } }]);
  app = appOf(
    removalRoutes({
      projects: () => relationalProjectStore(store.db, store.dialect),
      spans: () => store.store,
      remover: () => store.remover,
    }),
  );
});

async function ask(method: 'DELETE' | 'POST', url: string, body?: object) {
  const response = await app.inject({ method, url, ...(body !== undefined && { payload: body }) });
  return [response.statusCode, response.body];
}

const left = async () => (await store.rows('SELECT trace_id FROM traces ORDER BY id')).map((row) => row['trace_id']);
const ALL = [1, 2, 3, 9].map(traceId);
const GONE = [204, ''];

describe('deleting', () => {
  it('a project takes all of it, by name or by id', async () => {
    expect(await ask('DELETE', '/v1/projects/app')).toEqual(GONE);
    await store.remover.finished();
    expect(await left()).toEqual([traceId(9)]);
    expect(await ask('DELETE', '/v1/projects/app')).toEqual([404, 'There is no project app.']);
    const id = formatGlobalId('Project', await store.projectRowId('default'));
    expect((await ask('DELETE', `/v1/projects/${id}`))[0]).toBe(403);
    expect(await left()).toEqual([traceId(9)]);
  });

  it('the traces of a stretch of time leaves the others, its start inclusive and its end exclusive', async () => {
    const times = (from: string, to: string) =>
      `/v1/projects/app/traces?start_time=2026-01-01T00:00:${from}&end_time=2026-01-01T00:00:${to}`;
    expect(await ask('DELETE', times('02', '03'))).toEqual(GONE);
    expect(await left()).toEqual([1, 3, 9].map(traceId));
    expect(await ask('DELETE', times('20', '30'))).toEqual(GONE);
    expect(await ask('DELETE', times('03', '03'))).toEqual([422, 'start_time must be before end_time.']);
    expect((await ask('DELETE', '/v1/projects/app/traces?start_time=2026-01-01'))[0]).toBe(422);
    expect((await ask('DELETE', times('01', '02').replace('app', 'none')))[0]).toBe(404);
    expect(await left()).toEqual([1, 3, 9].map(traceId));
  });

  it('a trace or a span takes it by either of its ids', async () => {
    const byRow = formatGlobalId('Trace', await store.traceRowId(traceId(2)));
    expect(await ask('DELETE', `/v1/traces/${traceId(1).toUpperCase()}`)).toEqual(GONE);
    expect(await ask('DELETE', `/v1/traces/${byRow}`)).toEqual(GONE);
    expect(await ask('DELETE', `/v1/traces/${byRow}`)).toEqual([404, `There is no trace ${byRow}.`]);
    expect(await left()).toEqual([3, 9].map(traceId));
    expect(await ask('DELETE', `/v1/spans/${spanId(3)}`)).toEqual(GONE);
    expect(await ask('DELETE', `/v1/spans/${spanId(3)}`)).toEqual([404, `There is no span ${spanId(3)}.`]);
    expect(await left()).toEqual([3, 9].map(traceId));
    expect(await ask('DELETE', `/v1/spans/${formatGlobalId('Span', await store.spanRowId(spanId(13)))}`)).toEqual(GONE);
    expect(await left()).toEqual([traceId(9)]);
  });

  it('a session takes its traces, in the project that is named', async () => {
    expect(await ask('DELETE', '/v1/sessions/talk?project_identifier=app')).toEqual(GONE);
    expect(await left()).toEqual([3, 9].map(traceId));
    expect(await ask('DELETE', '/v1/sessions/talk?project=app')).toEqual([404, 'There is no session talk.']);
    expect(await ask('DELETE', '/v1/sessions/talk')).toEqual(GONE);
    expect(await left()).toEqual([traceId(3)]);
  });

  it('is refused with a parameter that is not known, and does nothing', async () => {
    const bounds = 'start_time=2026-01-01&end_time=2027-01-01';
    const [status, body] = await ask('DELETE', `/v1/projects/app/traces?${bounds}&filter=error_count%20%3E%200`);
    expect([status, JSON.parse(String(body))]).toMatchObject([
      422,
      {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['query', 'filter'],
            msg: expect.stringContaining('only start_time, end_time'),
          },
        ],
      },
    ]);
    for (const path of [`traces/${traceId(1)}?project=app`, `spans/${spanId(1)}?a=&a=`, 'projects/app?dry_run=true']) {
      expect((await ask('DELETE', `/v1/${path}`))[0], path).toBe(422);
    }
    expect((await ask('DELETE', '/v1/sessions/talk?projekt=app'))[0]).toBe(422);
    expect(await left()).toEqual(ALL);
  });

  it('several sessions passes over those that are not there', async () => {
    const id = formatGlobalId('ProjectSession', await store.sessionRowId('other talk'));
    const remove = (...session_identifiers: string[]) => ask('POST', '/v1/sessions/delete', { session_identifiers });
    expect((await remove())[0]).toBe(422);
    expect((await remove(id, 'talk'))[0]).toBe(422);
    expect(await remove('none', 'nor this')).toEqual(GONE);
    expect(await left()).toEqual(ALL);
    expect(await remove('other talk', 'none', 'other talk')).toEqual(GONE);
    expect(await left()).toEqual([1, 2, 9].map(traceId));
  });
});

describe('moving traces', () => {
  const move = (destination_project_identifier: string, ...trace_identifiers: string[]) =>
    ask('POST', '/v1/traces/transfer', { trace_identifiers, destination_project_identifier });

  it('brings them to the other project, each into its session there', async () => {
    const byRow = formatGlobalId('Trace', await store.traceRowId(traceId(2)));
    const [status, body] = await move('default', traceId(1), byRow, traceId(2));
    const destination_project_id = formatGlobalId('Project', await store.projectRowId('default'));
    expect([status, JSON.parse(String(body))]).toEqual([
      200,
      { data: { transferred_trace_count: 2, destination_project_id } },
    ]);
    expect(
      await store.rows(`SELECT project_id AS project, session_id, trace_count FROM sessions ORDER BY session_id`),
    ).toEqual([
      { project: await store.projectRowId('app'), session_id: 'other talk', trace_count: 1 },
      { project: await store.projectRowId('default'), session_id: 'talk', trace_count: 3 },
    ]);
    const { data } = await store.store.listSpans(
      { projectRowId: await store.projectRowId('default') },
      { sort: 'id', order: 'asc', limit: 10, cursor: null },
    );
    expect(data.map((span) => span.spanId)).toEqual([1, 11, 2, 12, 9].map(spanId));
  });

  it('refuses what is not there, of several projects, or nothing', async () => {
    expect((await move('none', traceId(1)))[0]).toBe(404);
    expect((await move('default', traceId(1), traceId(77)))[0]).toBe(404);
    expect((await move('default', traceId(1), traceId(9)))[0]).toBe(422);
    expect((await move('default'))[0]).toBe(422);
    expect(await store.rows('SELECT DISTINCT project_id FROM traces')).toHaveLength(2);
  });

  it('has what arrives later follow them', async () => {
    await move('default', traceId(1));
    await store.send([{ traceId: traceId(1), spanId: spanId(21) }], 'app');
    expect(
      await store.rows(
        `SELECT DISTINCT project_id AS id FROM spans WHERE trace_row_id = ${await store.traceRowId(traceId(1))}`,
      ),
    ).toEqual([{ id: await store.projectRowId('default') }]);
  });
});
