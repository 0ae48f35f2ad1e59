import { afterEach, describe, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { currentSignal } from '#base/cancellation';
import { AppError } from '#base/errors';
import { jsonInteger } from '#base/json';
import { appOf } from './app.fixture.ts';
import { defineRoute, type RouteReply } from './route.ts';
import { pageOrInvalidCursor, UnprocessableError } from './unprocessable.ts';
import { refuseUnoffered } from './unoffered.ts';
import { testPolicy } from '../test-policy.fixture.ts';

let app: FastifyInstance | undefined;

afterEach(() => app?.close());

const ROUTE = { operationId: 'test', summary: '', tag: 'test', access: testPolicy.read, replies: {} } as const;

function answer(reply: () => Promise<RouteReply>) {
  app = appOf([defineRoute({ ...ROUTE, method: 'GET', path: '/thing', handler: reply })]);
  return app.inject('/thing');
}

describe('a body', () => {
  it('goes out as JSON, exactly, and without a charset', async () => {
    const response = await answer(async () => ({ body: { wide: jsonInteger(2n ** 60n), none: null } }));
    expect(response.body).toBe('{"wide":1152921504606846976,"none":null}');
    expect(response.headers['content-type']).toBe('application/json');
  });

  it('goes out as it is when it is text or bytes', async () => {
    const text = await answer(async () => ({ body: 'ü' }));
    expect([text.body, text.headers['content-type']]).toEqual(['ü', 'text/plain; charset=utf-8']);
    const json = await answer(async () => ({ contentType: 'application/json', body: '{"a":1.0}' }));
    expect([json.body, json.headers['content-type']]).toEqual(['{"a":1.0}', 'application/json']);
    const bytes = await answer(async () => ({ contentType: 'a/b', body: Uint8Array.of(0, 255) }));
    expect([[...bytes.rawPayload], bytes.headers['content-type']]).toEqual([[0, 255], 'a/b']);
  });

  it('can be absent, with a status and headers', async () => {
    const response = await answer(async () => ({ status: 204, headers: { 'x-a': 'b' }, body: undefined }));
    expect([response.statusCode, response.body, response.headers['x-a']]).toEqual([204, '', 'b']);
  });
});

it('a header can stand in an answer several times', async () => {
  const response = await answer(async () => ({ headers: { 'set-cookie': ['a=1', 'b=2'] }, body: '' }));
  expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2']);
});

it('a read that has failed ends what it had begun, and one that has succeeded does not', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const reading = (path: string, end: () => RouteReply) =>
    defineRoute({ ...ROUTE, method: 'GET', path, handler: async () => (signals.push(currentSignal()), end()) });
  const refuse = () => {
    throw new AppError('unavailable', 'No memory.');
  };
  app = appOf([reading('/failing', refuse), reading('/succeeding', () => ({ body: 'read' }))]);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const statuses = [(await fetch(`${url}/failing`)).status, (await fetch(`${url}/succeeding`)).status];
  expect(statuses).toEqual([503, 200]);
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
});

it('a route can refuse an address before the body is read', async () => {
  const addresses: unknown[] = [];
  const route = defineRoute({
    ...ROUTE,
    method: 'POST',
    path: '/limited',
    body: z.object({}),
    limit: (address) => {
      addresses.push(address);
      if (addresses.length > 1) throw new AppError('resource_exhausted', 'Enough.', { retryAfterSeconds: 1.2 });
    },
    handler: async ({ caller }) => ({ body: caller.address }),
  });
  app = appOf([route]);
  const send = (payload: string) =>
    app?.inject({ method: 'POST', url: '/limited', headers: { 'content-type': 'application/json' }, payload });
  expect((await send('{}'))?.body).toBe('127.0.0.1');
  const refused = await send('{');
  expect([refused?.statusCode, refused?.body, refused?.headers['retry-after']]).toEqual([429, 'Enough.', '2']);
  expect(addresses).toEqual(['127.0.0.1', '127.0.0.1']);
});

it('a route for anybody takes small bodies alone, and one without a body reads none', async () => {
  const body = z.object({ text: z.string() });
  const routes = [testPolicy.open, testPolicy.read].flatMap((access) => {
    const route = { ...ROUTE, access, handler: async () => ({ body: 'taken' }) };
    const path = `/${access.access}`;
    return [defineRoute({ ...route, method: 'POST', path, body }), defineRoute({ ...route, method: 'DELETE', path })];
  });
  const tested = appOf(routes);
  app = tested;
  const send = async (method: 'POST' | 'DELETE', url: string, length: number) => {
    const payload = JSON.stringify({ text: 'x'.repeat(length) });
    return (await tested.inject({ method, url, headers: { 'content-type': 'application/json' }, payload })).statusCode;
  };
  for (const [method, ofLarge] of [
    ['POST', 413],
    ['DELETE', 200],
  ] as const) {
    const statuses = [await send(method, '/public', 50_000), await send(method, '/public', 100_000)];
    expect([method, statuses, await send(method, '/read', 100_000)]).toEqual([method, [200, ofLarge], 200]);
  }
});

it('a body of another type is told which one to send', async () => {
  const body = z.object({ text: z.string() });
  const tested = appOf([
    defineRoute({ ...ROUTE, method: 'POST', path: '/json', body, handler: async () => ({ body: 'taken' }) }),
    defineRoute({
      ...ROUTE,
      method: 'POST',
      path: '/form',
      body,
      isForm: true,
      handler: async () => ({ body: 'taken' }),
    }),
    defineRoute({ ...ROUTE, method: 'DELETE', path: '/none', handler: async () => ({ body: 'taken' }) }),
  ]);
  app = tested;
  const send = async (url: string, type: string, method: 'POST' | 'DELETE' = 'POST') => {
    const response = await tested.inject({ method, url, headers: { 'content-type': type }, payload: '{}' });
    return [response.statusCode, response.body];
  };
  expect(await send('/json', 'application/x-www-form-urlencoded')).toEqual([
    415,
    'Send the content type application/json.',
  ]);
  expect(await send('/none', 'text/plain', 'DELETE')).toEqual([415, 'Send the content type application/json.']);
  expect(await send('/form', 'application/json')).toEqual([
    415,
    'Send the content type application/x-www-form-urlencoded.',
  ]);
});

describe('an error', () => {
  it.each([
    [new AppError('not_found', 'There is no thing.'), 404],
    [new AppError('invalid_argument', 'A filter cannot be read.'), 400],
    [new UnprocessableError('Invalid cursor'), 422],
  ])('%s is answered as text', async (error, status) => {
    const response = await answer(() => Promise.reject(error));
    expect([response.statusCode, response.body]).toEqual([status, error.message]);
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it('of a cursor that the store refuses is 422, and no other error of the store is', async () => {
    const refused = await answer(() =>
      pageOrInvalidCursor(Promise.reject(new AppError('invalid_argument', 'Invalid cursor: give another.'))),
    );
    expect([refused.statusCode, refused.body]).toEqual([422, 'Invalid cursor: give another.']);
    const busy = await answer(() => pageOrInvalidCursor(Promise.reject(new AppError('unavailable', 'Busy.'))));
    expect(busy.statusCode).toBe(503);
  });

  it('of a parameter that would narrow the answer and is not offered names it', async () => {
    const response = await answer(async () => {
      refuseUnoffered({ sort: 'id', filter: '', error: 'true' }, ['filter', 'error']);
      return { body: 'everything' };
    });
    expect(response.statusCode).toBe(501);
    expect(response.body).toContain('error');
  });
});

describe('a request', () => {
  const schema = z.object({ name: z.string().min(1), tags: z.array(z.string()).default([]) });
  const create = defineRoute({
    ...ROUTE,
    method: 'POST',
    path: '/things/{kind}',
    params: z.object({ kind: z.enum(['a', 'b']) }),
    query: z.object({ note: z.string().optional() }),
    body: schema,
    handler: async ({ params, query, body, caller, header }) => ({
      body: { params, query, body, role: caller.role, agent: header('user-agent') },
    }),
  });

  function post(path: string, payload: string, contentType = 'application/json') {
    app = appOf([create]);
    return app.inject({
      method: 'POST',
      url: path,
      payload,
      headers: { 'content-type': contentType, 'user-agent': 'x' },
    });
  }

  it('reaches its handler validated, part by part', async () => {
    const response = await post('/things/a?note=n', '{"name":"x","unknown":1}');
    expect(response.json()).toEqual({
      params: { kind: 'a' },
      query: { note: 'n' },
      body: { name: 'x', tags: [] },
      role: 'admin',
      agent: 'x',
    });
  });

  it('is told each problem of its body with where it lies', async () => {
    const response = await post('/things/a', '{"tags":["x",{"y":1}]}');
    expect([response.statusCode, response.headers['content-type']]).toEqual([422, 'application/json']);
    expect(response.json()).toEqual({
      detail: [
        { type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: null },
        { type: 'invalid_type', loc: ['body', 'tags', 1], msg: expect.any(String), input: null },
      ],
    });
  });

  it('is told that its path names nothing', async () => {
    expect((await post('/things/c', '{"name":"x"}')).json()).toMatchObject({
      detail: [{ loc: ['path', 'kind'], input: 'c' }],
    });
  });

  it.each(['{', ''])('is told that its body %j is not JSON', async (payload) => {
    const response = await post('/things/a', payload);
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({ detail: [{ type: 'json_invalid', loc: ['body'] }] });
  });

  it.each(['', '{', '{"name":"x"}'])('without a body may name the type of one, and send %j', async (payload) => {
    const remove = defineRoute({
      ...ROUTE,
      method: 'DELETE',
      path: '/things',
      handler: async ({ body }) => ({ status: 204, body }),
    });
    app = appOf([create, remove]);
    const headers = { 'content-type': 'application/json' };
    const { statusCode, body } = await app.inject({ method: 'DELETE', url: '/things', headers, payload });
    expect([statusCode, body]).toEqual([204, '']);
    expect((await app.inject({ method: 'POST', url: '/things/a', headers, payload: '{' })).statusCode).toBe(422);
  });

  it('is told which of its parameters change nothing', async () => {
    const told = (url: string) =>
      post(url, '{"name":"x"}').then(({ headers }) => headers['x-cairn-ignored-parameters']);
    expect(await told('/things/a?note=n')).toBeUndefined();
    expect(await told('/things/a?notes=n&note=n&notes=m&a%0Ab=')).toBe('notes, a%0Ab');
    const many = Array.from({ length: 30 }, (_, index) => `${index}${'%F0%9F%99%82'.repeat(200)}`).join('&');
    expect(String(await told(`/things/a?${many}`)).length).toBeLessThan(10_000);
    expect((await post('/things/c?notes=n', '{}')).headers['x-cairn-ignored-parameters']).toBe('notes');
  });

  it('cannot send its body as text, which any page may send', async () => {
    expect((await post('/things/a', '{"name":"x"}', 'text/plain')).statusCode).toBe(415);
  });

  it('is answered in bounds when everything in a long list is wrong', async () => {
    const response = await post('/things/a', JSON.stringify({ name: 'x', tags: Array(5000).fill(1) }));
    expect(response.json<{ detail: unknown[] }>().detail).toHaveLength(100);
  });
});
