import { once } from 'node:events';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signalOfClient } from './client-signal.ts';

let server: FastifyInstance;
let url: string;
let asked: PromiseWithResolvers<AbortSignal>;
let closed: Promise<unknown>;
let stop: AbortController;
/** What is answered with. */
let body: Promise<string>;

beforeEach(async () => {
  asked = Promise.withResolvers();
  server = Fastify();
  stop = new AbortController();
  server.decorate('readsEnd', stop.signal);
  server.get('/', async (request, reply) => {
    closed = once(reply.raw, 'close');
    asked.resolve(signalOfClient(request, reply));
    return body;
  });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(() => server.close());

describe('the signal of a client', () => {
  it('aborts when the client goes before it has its answer', async () => {
    const answer = Promise.withResolvers<string>();
    body = answer.promise;
    const client = new AbortController();
    const sent = fetch(url, { signal: client.signal });
    const signal = await asked.promise;
    expect(signal.aborted).toBe(false);
    client.abort();
    await expect(sent).rejects.toThrow();
    await closed;
    expect(signal).toMatchObject({ aborted: true, reason: { code: 'unavailable' } });
    answer.resolve('');
  });

  it('aborts when the server stops, for the reason of that', async () => {
    const answer = Promise.withResolvers<string>();
    body = answer.promise;
    const sent = fetch(url);
    const signal = await asked.promise;
    expect(signal.aborted).toBe(false);
    stop.abort(new Error('stopping'));
    expect(signal).toMatchObject({ aborted: true, reason: { message: 'stopping' } });
    answer.resolve('');
    await (await sent).text();
  });

  it('aborts when the client goes in the middle of its answer', async () => {
    body = Promise.resolve('x'.repeat(50_000_000));
    const client = new AbortController();
    const { status } = await fetch(url, { signal: client.signal });
    expect(status).toBe(200);
    client.abort();
    await closed;
    expect((await asked.promise).aborted).toBe(true);
  });

  it('does not when the client has its answer, also where it goes then', async () => {
    body = Promise.resolve('all of it');
    const answer = await fetch(url, { headers: { connection: 'close' } });
    expect(await answer.text()).toBe('all of it');
    await closed;
    expect((await asked.promise).aborted).toBe(false);
  });
});
