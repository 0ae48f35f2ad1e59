/** Cairn behind the reverse proxies of docs/deploy/proxies/, as people and exporters reach it. On request: `npm test proxies`. */
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { credentials, status as grpcStatus } from '@grpc/grpc-js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { findFreePort } from '../harness/free-port.ts';
import { callExport, callFailingExport, encodeRequest, exportTraces } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { getJson } from '../harness/rest.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { openList, row, sendTraces } from './list-page.ts';
import { type Form, OTHER_SITE, PROXY_KINDS, startProxy } from './proxies.ts';

const AUTHORITY = readFileSync(new URL('../fixtures/tls/authority.pem', import.meta.url));
const ROOT_PATHS: Readonly<Record<Form, string>> = { name: '', subPath: '/tools/cairn' };

let browser: Browser;
beforeAll(async () => {
  setDefaultCACertificates([...getCACertificates('default'), AUTHORITY.toString()]);
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const cases = PROXY_KINDS.flatMap((kind) => [
  { title: `${kind.name} with a name for Cairn`, kind, form: 'name' as const },
  { title: `${kind.name} with a path for Cairn`, kind, form: 'subPath' as const },
]);

describe.each(cases)('$title', ({ kind, form }) => {
  describe.skipIf(kind.program === undefined)('where it is installed', () => {
    let server: TestServer;
    let proxy: AsyncDisposable;
    let url: string;

    beforeAll(async () => {
      const [port, httpPort] = [await findFreePort(), await findFreePort()];
      url = `https://localhost:${port}${ROOT_PATHS[form]}`;
      server = await startTestServer({ PORT: String(httpPort), ROOT_URL: url, HOST_ROOT_PATH: ROOT_PATHS[form] });
      proxy = await startProxy(kind, form, { port, httpPort, grpcAddress: server.grpcAddress });
    });
    afterAll(async () => {
      await proxy?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    });

    it('shows pages, and a new trace on them within 3 s', async () => {
      await sendTraces(url, 'shop', [1]);
      await using tab = await openList(browser, url, 'shop', 'traces?range=7d');
      await sendTraces(url, 'shop', [2]);
      await row(tab.page, 2).waitFor({ timeout: 3000 });
      expect(tab.page.url()).toMatch(new RegExp(`^${url}/projects/`));
      expect(tab.faults).toEqual([]);
    });

    it('finds the first page with and without a slash at its end', async () => {
      for (const address of [url, `${url}/`]) {
        const answer = await fetch(address);
        expect([answer.status, (await answer.text()).includes('cairn-config')]).toEqual([200, true]);
      }
    });

    it('passes an export of 30 MB on', async () => {
      const span = { traceId: traceId(30), spanId: spanId(30), attributes: { 'input.value': 'x'.repeat(30_000_000) } };
      const { status, message } = await exportTraces(url, traceRequest([span]));
      expect({ status, message }).toEqual({ status: 200, message: '' });
      const { data } = await getJson<{ data: { attributes: { 'input.value': string } }[] }>(
        `${url}/v1/projects/default/spans?trace_id=${traceId(30)}`,
      );
      expect(data.map(({ attributes }) => attributes['input.value'].length)).toEqual([30_000_000]);
    });

    it('passes exports over gRPC on, and what is wrong with them back', async () => {
      const { host } = new URL(url);
      const channel = credentials.createSsl(AUTHORITY);
      const span = { traceId: traceId(40), spanId: spanId(40), attributes: { 'input.value': 'x'.repeat(30_000_000) } };
      const body = encodeRequest('application/x-protobuf', traceRequest([span]));
      expect(await callExport(host, body, { channel })).toEqual({ rejectedSpans: 0, message: '' });
      const logs = { channel, service: 'logs.v1.LogsService' };
      expect(await callExport(host, new Uint8Array(0), logs)).toEqual({ rejectedSpans: 0, message: '' });
      const { code, details } = await callFailingExport(host, Buffer.from('no export'), { channel });
      expect([code, details]).toEqual([grpcStatus.INVALID_ARGUMENT, expect.stringMatching(/\w/)]);
    });

    it.runIf(form === 'name')('passes an address of a thousand ids on', async () => {
      const ids = Array.from({ length: 1000 }, (_, index) => `trace_id=${traceId(index)}`);
      expect((await fetch(`${url}/v1/projects/default/spans?${ids.join('&')}`)).status).toBe(200);
    });

    it.runIf(form === 'subPath')('has the rest of the site to itself', async () => {
      expect(await (await fetch(new URL('/', url))).text()).toBe(OTHER_SITE);
    });
  });
});
