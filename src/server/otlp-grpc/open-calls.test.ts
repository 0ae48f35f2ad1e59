/** What open calls take: their heads, and how many there are. */
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { frameMessage } from './framing.ts';
import { BOUNDS, createClient, EXPORT, exportSpans, serve } from './server.fixture.ts';

const HEADERS = { ':method': 'POST', ':path': EXPORT, 'content-type': 'application/grpc' };

const sessions: ClientHttp2Session[] = [];

afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});

describe('the head of a call', () => {
  const token = `Bearer ${'t'.repeat(8192)}`;
  const named = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, String(index)]));

  it.each([
    ['with a long token', { authorization: token }],
    ['with what proxies add', named(50)],
  ])('may come %s', async (_, metadata) => {
    const { port } = await serve();
    expect(await exportSpans(createClient(port), Buffer.from('x'), { metadata })).toHaveLength(0);
  });

  it.each([
    ['more headers than anything sends', named(70)],
    ['more bytes than are taken', { one: token, other: token }],
  ])('with %s is refused', async (_, metadata) => {
    const { port, receiver } = await serve();
    const client = createClient(port);
    await expect(exportSpans(client, Buffer.from('x'), { metadata })).rejects.toMatchObject({ code: 8 });
    await exportSpans(client, Buffer.from('next'));
    expect(receiver.received).toHaveLength(1);
  });

  it('is held to its bounds also by a client that has not heard of them', async () => {
    const { port, receiver } = await serve();
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    const call = session.request({ ...HEADERS, one: token, other: token });
    call.end(frameMessage(Buffer.from('x')));
    await expect(once(call, 'close').then(() => call.rstCode)).rejects.toThrow('ENHANCE_YOUR_CALM');
    expect(receiver.received).toEqual([]);
    session.close();
  });
});

describe('where open calls take too much', () => {
  /** A connection with open calls whose messages do not come, once the server has them. */
  async function open(
    port: number,
    localAddress: string,
    callCount: number,
    headers = {},
  ): Promise<ClientHttp2Session> {
    const createConnection = () => connect({ port, host: '127.0.0.1', localAddress });
    const session = connectHttp2(`http://127.0.0.1:${port}`, { createConnection });
    sessions.push(session.on('error', () => undefined));
    for (let count = 0; count < callCount; count++) {
      session.request({ ...HEADERS, ...headers }).on('error', () => undefined);
    }
    await once(session, 'remoteSettings');
    await new Promise((resolve) => session.ping(resolve));
    return session;
  }

  it('the address that holds most gives up connections, and others none', async () => {
    const { port } = await serve({ bounds: { ...BOUNDS, callBytes: 200_000 } });
    const honest = await open(port, '127.0.0.1', 10);
    const crowd: ClientHttp2Session[] = [];
    for (let count = 0; count < 20; count++) crowd.push(await open(port, '127.0.0.2', 16));
    // Beside what is free, each of its connections holds 37 kB.
    await expect.poll(() => crowd.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(5);
    expect(honest.destroyed).toBe(false);
    expect(await exportSpans(createClient(port), Buffer.from('x'))).toHaveLength(0);
  });

  it('headers count, and a few calls of any connection do not', async () => {
    const { port } = await serve({ bounds: { ...BOUNDS, callBytes: 100_000 } });
    const few: ClientHttp2Session[] = [];
    for (let count = 0; count < 100; count++) few.push(await open(port, '127.0.0.2', 4));
    const large = await open(port, '127.0.0.1', 16, { authorization: 't'.repeat(8192) });
    await expect.poll(() => large.destroyed).toBe(true);
    expect(few.filter(({ destroyed }) => destroyed)).toEqual([]);
  });

  it('calls that are over do not count', async () => {
    const { port } = await serve({ bounds: { ...BOUNDS, callBytes: 10_000 } });
    const client = createClient(port);
    for (let count = 0; count < 30; count++) expect(await exportSpans(client, Buffer.from('x'))).toHaveLength(0);
  });
});
