/** Bodies that never end: they take no more than their room, and keep nobody else out. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ MAX_MEMORY_MIB: '256' });
});

afterAll(() => server[Symbol.asyncDispose]());

const BYTES = 10 * 1024 * 1024;

/** Sends all of a body but its end, from an address; gives what was answered. */
async function sendWithoutEnd(localAddress: string) {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  await once(socket, 'connect');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString())).on('error', () => undefined);
  const head = ['POST /v1/span_annotations HTTP/1.1', `Host: ${hostname}:${port}`, 'Content-Type: application/json'];
  socket.write([...head, `Content-Length: ${BYTES}`, '', ''].join('\r\n'));
  socket.write(Buffer.alloc(BYTES - 1, ' '));
  return { answer: () => answer, [Symbol.dispose]: () => socket.destroy() };
}

it('are refused with a time to come back, and others are served beside them', async () => {
  using stopped = new DisposableStack();
  const answers = await Promise.all(
    Array.from({ length: 4 }, async () => stopped.use(await sendWithoutEnd('127.0.0.2')).answer),
  );
  // One of these is all that there is room for.
  const refused = () => answers.map((read) => read()).filter((answer) => answer.startsWith('HTTP/1.1 503 '));
  await expect.poll(() => refused().length).toBeGreaterThanOrEqual(3);
  expect(refused()[0]).toMatch(/\r\nretry-after: 1\r\n/i);
  // Another address has it at the cost of the one that has stopped.
  const body = JSON.stringify({ data: [{ span_id: 'x'.repeat(7_000_000), name: 'n', annotator_kind: 'HUMAN' }] });
  const { status } = await fetch(`${server.url}/v1/span_annotations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(status).toBe(422);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const [, taken] = /^cairn_memory_taken_bytes\{purpose="text_bodies"\} (\d+)$/m.exec(metrics) ?? [];
  expect(Number(taken)).toBeLessThanOrEqual(16 * 1024 * 1024);
});
