import { beforeEach, describe, expect, it } from 'vitest';
import { appOf } from '#api/rest/app.fixture';
import type { ProjectRef, ProjectStore } from '#store/projects/port';
import type { OriginalFormat, SpanStore, TelemetryRef } from '#store/spans/port';
import { spanRoutes } from './rest.ts';

const projects = {
  findProject: async (ref: ProjectRef) =>
    'name' in ref && ref.name === 'demo' ? { rowId: 1, name: 'demo', description: null } : undefined,
} as unknown as ProjectStore;

let asked: Parameters<SpanStore['presentSpans'] | SpanStore['listOriginals']>[] = [];
let texts: readonly string[] = [];

beforeEach(() => {
  asked = [];
  texts = [];
});

const spans = {
  presentSpans: async (...parameters: Parameters<SpanStore['presentSpans']>) => {
    asked.push(parameters);
    return { body: Buffer.from(texts.join(',')), nextCursor: texts.length > 0 ? 'a"b' : null, damaged: [] };
  },
  listOriginals: async (...parameters: Parameters<SpanStore['listOriginals']>) => {
    asked.push(parameters);
    const body = Buffer.from(`the ${parameters[2]}`);
    return { body, spanCount: 1, nextCursor: texts.length > 0 ? 'next' : null, damaged: [] };
  },
  readSpanOriginal: async (ref: TelemetryRef, format: OriginalFormat) =>
    'rowId' in ref && ref.rowId === 9 ? { body: Buffer.from(`the ${format}`), spanCount: 1, damaged: [] } : undefined,
} as unknown as SpanStore;

const app = appOf(
  spanRoutes(
    () => projects,
    () => spans,
  ),
);
const PATH = '/v1/projects/demo/spans';

describe('the list of spans', () => {
  it('holds the texts that the store made, untouched', async () => {
    texts = ['{"x":1.0}', '{"x":12345678901234567890}'];
    const response = await app.inject(PATH);
    expect(response.body).toBe('{"data":[{"x":1.0},{"x":12345678901234567890}],"next_cursor":"a\\"b"}');
    expect(response.headers['content-type']).toBe('application/json');
  });

  it('can be empty', async () => {
    expect((await app.inject(PATH)).body).toBe('{"data":[],"next_cursor":null}');
    expect(asked).toEqual([[{ projectRowId: 1 }, { sort: 'id', order: 'desc', limit: 100, cursor: null }, 'span']]);
  });

  it('takes a filter beside its parameters, and says what is wrong with one', async () => {
    await app.inject(`${PATH}?name=x&filter=${encodeURIComponent('latency_ms > 5')}`);
    expect(asked[0]?.[0]).toMatchObject({ names: ['x'], condition: { kind: expect.any(String) } });
    const refused = await app.inject(`${PATH}?filter=latency_ms`);
    expect([refused.statusCode, asked.length]).toEqual([400, 1]);
  });

  it.each([
    [PATH, 'span'],
    [`${PATH}/otlpv1`, 'otlp'],
  ])('at %s takes all parameters', async (path, form) => {
    await app.inject(
      `${path}?limit=1000&cursor=c&sort=start_time&order=asc&start_time=0&end_time=1970-01-02` +
        '&trace_id=a&trace_id=b&span_id=c&parent_id=null&name=x&name=y&span_kind=llm&status_code=ok' +
        '&attribute=user.id:1&attribute=tag:a:b',
    );
    expect(asked).toEqual([
      [
        {
          projectRowId: 1,
          startTimeUs: 0,
          endTimeUs: 86_400_000_000,
          traceIds: ['a', 'b'],
          spanIds: ['c'],
          parentSpanId: null,
          names: ['x', 'y'],
          kinds: ['LLM'],
          statusCodes: ['OK'],
          attributes: [
            { path: 'user.id', json: '1' },
            { path: 'tag', json: '"a:b"' },
          ],
        },
        { sort: 'start_time', order: 'asc', limit: 1000, cursor: 'c' },
        form,
      ],
    ]);
  });

  it.each([
    [`${PATH}?span_kind=robot`, 422, 'text/plain; charset=utf-8'],
    [`${PATH}/otlpv1?attribute=novalue`, 422, 'text/plain; charset=utf-8'],
    [`${PATH}?limit=1001`, 422, 'application/json'],
    [`${PATH}?${'attribute=a:1&'.repeat(101)}`, 422, 'application/json'],
    [`${PATH}?sort=name`, 422, 'application/json'],
    [`${PATH}?start_time=2026-01-02T00:00:00Z&end_time=2026-01-01T00:00:00Z`, 422, 'text/plain; charset=utf-8'],
    ['/v1/projects/unknown/spans', 404, 'text/plain; charset=utf-8'],
    ['/v1/projects/unknown/spans/otlpv1', 404, 'text/plain; charset=utf-8'],
  ])('%s is %d as %s', async (url, status, contentType) => {
    const response = await app.inject(url);
    expect([response.statusCode, response.headers['content-type']]).toEqual([status, contentType]);
    expect(asked).toEqual([]);
  });
});

describe('the originals of spans', () => {
  it('take the parameters of the list, and say where they go on', async () => {
    texts = ['more'];
    const response = await app.inject(`${PATH}/original?trace_id=a&order=asc&limit=2&format=json`);
    expect([response.body, response.headers['content-type']]).toEqual(['the json', 'application/json']);
    expect(response.headers['x-next-cursor']).toBe('next');
    expect(asked).toEqual([
      [{ projectRowId: 1, traceIds: ['a'] }, { sort: 'id', order: 'asc', limit: 2, cursor: null }, 'json'],
    ]);
  });

  it('end without a cursor', async () => {
    const response = await app.inject(`${PATH}/original`);
    expect([response.body, response.headers['x-next-cursor']]).toEqual(['the protobuf', undefined]);
  });

  it.each([
    [`${PATH}/original?span_kind=robot`, 422],
    [`${PATH}/original?filter=latency_ms`, 400],
    ['/v1/projects/unknown/spans/original', 404],
  ])('%s is %d', async (url, status) => {
    expect((await app.inject(url)).statusCode).toBe(status);
  });
});

describe('the original of a span', () => {
  it('is protobuf, or JSON where that is asked for', async () => {
    expect((await app.inject('/v1/spans/U3Bhbjo5/original')).body).toBe('the protobuf');
    expect((await app.inject('/v1/spans/U3Bhbjo5/original?format=json')).body).toBe('the json');
  });

  it('of an unknown span is not found', async () => {
    expect((await app.inject('/v1/spans/b7ad6b7169203331/original')).statusCode).toBe(404);
  });
});
