/** A stop answers what it is still reading, and waits for no sender. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectHttp2 } from 'node:http2';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startTestServer } from '../harness/server.ts';

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

it('requests that are half sent get 503 and UNAVAILABLE at once, and do not hold the stop', async () => {
  const server = await startTestServer();
  const { hostname, port } = new URL(server.url);
  const answers = [
    ['/v1/traces', 'application/x-protobuf'],
    ['/v1/projects/half/spans', 'application/json'],
  ].map(([path, type]) => {
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\nhalf`,
    );
    return text(socket);
  });
  const session = connectHttp2(`http://${server.grpcAddress}`);
  const call = session.request({ ':method': 'POST', ':path': EXPORT, 'content-type': 'application/grpc' });
  call.on('error', () => undefined);
  const told = Promise.race([once(call, 'trailers'), once(call, 'response')]);
  call.write(Buffer.from([0, 0, 0, 0, 9, 1]));
  // The calls after it are answered when the server has begun to read it.
  await fetch(`${server.url}/healthz`);
  const health = session.request({
    ':method': 'POST',
    ':path': '/grpc.health.v1.Health/Check',
    'content-type': 'application/grpc',
  });
  health.end(Buffer.alloc(5));
  await once(health.resume(), 'close');
  const stoppedAt = performance.now();
  const stopped = server[Symbol.asyncDispose]();
  for (const answer of await Promise.all(answers)) {
    expect(answer).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1\r\n[^]*The server is stopping/);
  }
  const [headers] = (await told) as [Record<string, string>];
  expect(headers['grpc-status']).toBe('14');
  await stopped;
  expect(performance.now() - stoppedAt).toBeLessThan(4000);
  session.destroy();
});
