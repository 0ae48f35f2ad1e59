import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { RecordedSpan } from './otlp.ts';
import { retryAfterMs, sendSpans } from './send.ts';

const SPAN: RecordedSpan = {
  resource: { attributes: { 'service.name': 'café' } },
  scope: { name: 'test', version: '1' },
  span: {
    traceId: '0'.repeat(31) + '1',
    spanId: '0'.repeat(15) + '1',
    name: 'one',
    kind: 1,
    startTimeUnixNano: '1',
    endTimeUnixNano: '2',
    attributes: [],
    events: [],
    links: [],
    status: { code: 1 },
    flags: 1,
  },
};

let server: Server | undefined;
afterEach(() => server?.close());

async function listen(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}/v1/traces`;
}

describe('sendSpans', () => {
  it('posts gzip JSON and reports rejected spans', async () => {
    const seen: unknown[] = [];
    const url = await listen((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen.push(request.method, request.url, request.headers['content-type'], request.headers['content-encoding']);
        seen.push(JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()));
        response.end('{"partialSuccess":{"rejectedSpans":"2"}}');
      });
    });
    const sent = await sendSpans({ url, key: null }, [SPAN]);
    expect(sent.rejectedCount).toBe(2);
    expect(seen.slice(0, 4)).toEqual(['POST', '/v1/traces', 'application/json', 'gzip']);
    expect(seen[4]).toMatchObject({ resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'one' }] }] }] });
    expect(sent.sentBytes).toBe(Buffer.byteLength(JSON.stringify(seen[4])));
  });

  it('tries again after the time that a busy server asks for', async () => {
    let requestCount = 0;
    const url = await listen((_request, response) => {
      requestCount += 1;
      if (requestCount < 3) response.writeHead(503, { 'retry-after': '0' });
      response.end();
    });
    await expect(sendSpans({ url, key: null }, [SPAN])).resolves.toMatchObject({ rejectedCount: 0 });
    expect(requestCount).toBe(3);
  });

  it('stops at a refusal with the status and the text', async () => {
    let requestCount = 0;
    const url = await listen((_request, response) => {
      requestCount += 1;
      response.writeHead(403).end('Who are you?');
    });
    await expect(sendSpans({ url, key: null }, [SPAN])).rejects.toThrow('status 403: Who are you?');
    expect(requestCount).toBe(1);
  });

  it('sends the key, and says what to do where the server wants one or refuses it', async () => {
    const url = await listen((request, response) => {
      response.writeHead(request.headers.authorization === 'Bearer right' ? 200 : 401).end();
    });
    await expect(sendSpans({ url, key: 'right' }, [SPAN])).resolves.toMatchObject({ rejectedCount: 0 });
    await expect(sendSpans({ url, key: null }, [SPAN])).rejects.toThrow('npm run demo -- --key <key>');
    await expect(sendSpans({ url, key: 'wrong' }, [SPAN])).rejects.toThrow('does not accept this API key');
  });

  it('says how to start a server when none answers', async () => {
    const url = await listen(() => undefined);
    await new Promise((resolve) => server?.close(resolve));
    await expect(sendSpans({ url, key: null }, [SPAN])).rejects.toThrow('npm start');
  });

  it('notices that the address belongs to something else', async () => {
    const url = await listen((_request, response) => response.end('<html>Welcome</html>'));
    await expect(sendSpans({ url, key: null }, [SPAN])).rejects.toThrow('does not answer like a server for traces');
  });
});

describe('retryAfterMs', () => {
  it('reads seconds and dates', () => {
    const nowMs = Date.UTC(2026, 10, 20, 12);
    expect(retryAfterMs('3', nowMs)).toBe(3000);
    expect(retryAfterMs('Fri, 20 Nov 2026 12:00:05 GMT', nowMs)).toBe(5000);
    expect(retryAfterMs('Fri, 20 Nov 2026 11:00:00 GMT', nowMs)).toBe(0);
    expect(retryAfterMs('soon', nowMs)).toBeUndefined();
    expect(retryAfterMs(null, nowMs)).toBeUndefined();
  });
});
