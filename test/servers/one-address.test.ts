/**
 * Two servers on one PostgreSQL database behind a proxy that gives each request to the next of them: whoever knows only its address
 * meets one product. On request: `npm test proxies`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { credentials, type ServiceError, status } from '@grpc/grpc-js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MIGRATED } from '../../src/store/engine/open-postgres-test-engine.fixture.ts';
import { launchBrowser } from '../harness/browser.ts';
import { findFreePort } from '../harness/free-port.ts';
import { postGraphql, queryGraphql, readEvents } from '../harness/graphql.ts';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { callExport, encodeRequest, exportAll } from '../harness/otlp-client.ts';
import { spanId, TEST_START_US, type TestSpan, traceId, traceRequest } from '../harness/otlp-json.ts';
import { createTestDatabase, describePostgres, type TestDatabase } from '../harness/postgres/databases.ts';
import { getAll, getJson } from '../harness/rest.ts';
import { launchServerProcess, type ServerProcess } from '../harness/server-process.ts';
import { urlOf } from '../harness/test-data.ts';
import { openList, range, row, sendTraces } from '../ui/list-page.ts';
import { type Backend, hasBalancer, SERVED_BY, startBalancer } from '../ui/proxies.ts';

const AUTHORITY = readFileSync(new URL('../fixtures/tls/authority.pem', import.meta.url));
const channel = credentials.createSsl(AUTHORITY);

/** As users run it, with its pages beside it. */
const PROGRAM = new URL('../../dist/main.js', import.meta.url);

/** A page shows what is stored within so long. */
const IN_TIME = { timeout: 3000 };

interface SpanPage {
  readonly spans: {
    readonly edges: readonly { readonly node: { readonly name: string } }[];
    readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
  };
}

describe.skipIf(!hasBalancer())('where nginx is installed', () => {
  describePostgres('two servers behind one address', () => {
    const folder = createTestFolder('one-address');
    let database: TestDatabase;
    let url: string;
    let backends: readonly Backend[];
    let servers: ServerProcess[];
    let balancer: AsyncDisposable;
    let browser: Browser;
    let sent = 0;
    /** The last trace that a page shows. */
    let shown = 100_000;

    beforeAll(async () => {
      setDefaultCACertificates([...getCACertificates('default'), AUTHORITY.toString()]);
      database = await createTestDatabase({ template: MIGRATED });
      const [port, ...others] = await Promise.all(range(1, 5).map(findFreePort));
      const [http1 = 0, grpc1 = 0, http2 = 0, grpc2 = 0] = others;
      url = `https://localhost:${port}`;
      backends = [
        { httpPort: http1, grpcAddress: `127.0.0.1:${grpc1}` },
        { httpPort: http2, grpcAddress: `127.0.0.1:${grpc2}` },
      ];
      servers = await Promise.all(backends.map(start));
      balancer = await startBalancer(port ?? 0, backends);
      browser = await launchBrowser();
    });

    afterAll(async () => {
      await browser?.close();
      await balancer?.[Symbol.asyncDispose]();
      for (const { child } of servers ?? []) child.kill('SIGKILL');
      await database?.drop();
      removeTestFolder(folder);
    });

    function start({ httpPort, grpcAddress }: Backend): Promise<ServerProcess> {
      const settings = {
        SQL_DATABASE_URL: urlOf(database.address),
        ROOT_URL: url,
        PORT: `${httpPort}`,
        GRPC_PORT: grpcAddress.replace(/.*:/, ''),
      };
      return launchServerProcess(join(folder, `${httpPort}`), { settings, program: PROGRAM }).ready;
    }

    /** Ends a server, and starts it again; returns when it is asked again. */
    async function whileGone(place: number, signal: 'SIGTERM' | 'SIGKILL', run: () => Promise<void>): Promise<void> {
      await servers[place]?.end(signal);
      await run();
      servers[place] = await start(backends[place] as Backend);
      await expect.poll(async () => new Set(await both(servedBy)).size).toBe(2);
    }

    /** A request with spans of new traces, each later than the one before, and their numbers. */
    function compose(spans: readonly Partial<TestSpan>[], project: string) {
      const numbers = spans.map(() => ++sent);
      const all = spans.map((span, place): TestSpan => {
        const number = numbers[place] ?? 0;
        const ids = { traceId: traceId(number), spanId: spanId(number) };
        return { ...ids, name: `answer ${number}`, startUs: TEST_START_US + number * 1000, ...span };
      });
      return { numbers, request: traceRequest(all, { 'openinference.project.name': project }) };
    }

    const protocols = {
      http: (request: object) => exportAll(url, request),
      grpc: async (request: object) => {
        await callExport(new URL(url).host, encodeRequest('application/x-protobuf', request), { channel });
      },
    };

    /** Spans of new traces, over HTTP and gRPC by turns; returns their numbers. */
    async function send(spans: readonly Partial<TestSpan>[], project = 'default'): Promise<readonly number[]> {
      const { numbers, request } = compose(spans, project);
      await protocols[sent % 2 === 0 ? 'http' : 'grpc'](request);
      return numbers;
    }

    /** What each of the servers answers: the one whose turn it is, and then the other. */
    async function both<T>(ask: () => Promise<T>): Promise<readonly [T, T]> {
      return [await ask(), await ask()];
    }

    async function servedBy(): Promise<string | null> {
      return (await fetch(`${url}/v1/projects`)).headers.get(SERVED_BY);
    }

    function same<T>(answer: T): readonly [T, T] {
      return [answer, answer];
    }

    async function project<T>(fields: string, name = 'default'): Promise<T> {
      const query = `query ($name: String!) { project: getProjectByName(name: $name) { ${fields} } }`;
      return (await queryGraphql<{ project: T }>(url, query, { name })).project;
    }

    /** What who asks now and then, and does not watch, compares of a project. */
    async function readMark(): Promise<string> {
      return (await project<{ streamingLastUpdatedAt: string }>('streamingLastUpdatedAt', 'watched'))
        .streamingLastUpdatedAt;
    }

    /** The sum of a counter over both, each asked by itself. */
    async function metric(name: string): Promise<number> {
      const texts = await Promise.all(
        backends.map(async ({ httpPort }) => (await fetch(`http://127.0.0.1:${httpPort}/metrics`)).text()),
      );
      const values = texts.flatMap((text) => [...text.matchAll(new RegExp(`^${name}(?:{.*})? (.*)$`, 'gm'))]);
      return values.reduce((sum, [, value]) => sum + Number(value), 0);
    }

    function change(method: string, path: string, body?: object): Promise<Response> {
      const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      return fetch(`${url}${path}`, { method, ...(body !== undefined && json) });
    }

    it('are asked by turns', async () => {
      const first = await both(servedBy);
      expect(new Set(first)).toEqual(new Set(backends.map(({ httpPort }) => `127.0.0.1:${httpPort}`)));
      expect(await both(servedBy)).toEqual(first);
    });

    it('read what was acknowledged with the very next request', async () => {
      const attributes = { 'session.id': 'talk', 'llm.token_count.prompt': 5, 'openinference.span.kind': 'LLM' };
      for (const count of range(1, 8)) {
        const [number = 0] = await send([{ attributes }], 'read');
        const [listed, counted] = [
          await both(() =>
            getJson<{ data: { name: string }[] }>(`${url}/v1/projects/read/spans?trace_id=${traceId(number)}`),
          ),
          await both(() =>
            project(
              'recordCount traceCount tokenCountPrompt sessions(first: 1) { edges { node { numTraces } } } spans(first: 1, sort: { col: startTime, dir: desc }) { edges { node { name } } }',
              'read',
            ),
          ),
        ];
        expect(listed.map(({ data }) => data.map(({ name }) => name))).toEqual(same([`answer ${number}`]));
        expect(counted).toEqual(
          same({
            recordCount: count,
            traceCount: count,
            tokenCountPrompt: 5 * count,
            sessions: { edges: [{ node: { numTraces: count } }] },
            spans: { edges: [{ node: { name: `answer ${number}` } }] },
          }),
        );
      }
    });

    it("go on with each other's pages", async () => {
      const names = (await getAll<{ name: string }>(`${url}/v1/projects/read/spans`, 3)).map(({ name }) => name);
      expect([names.length, new Set(names).size]).toEqual([8, 8]);
      const pages: string[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const page: SpanPage = await project<SpanPage>(
          `spans(first: 3, after: ${JSON.stringify(after ?? null)}) { edges { node { name } } pageInfo { endCursor hasNextPage } }`,
          'read',
        );
        pages.push(...page.spans.edges.map(({ node }) => node.name));
        after = page.spans.pageInfo.hasNextPage ? page.spans.pageInfo.endCursor : null;
      }
      expect([pages.length, new Set(pages)]).toEqual([8, new Set(names)]);
    });

    it('find new texts soon, whichever indexes them', async () => {
      for (const word of ['parcel', 'letter']) {
        await send([{ attributes: { 'input.value': `Where is my ${word}?` } }], 'found');
        const find = async () =>
          (await getJson<{ data: unknown[] }>(`${url}/v1/projects/found/search?text=${word}`)).data.length;
        await expect.poll(() => both(find), { timeout: 5000 }).toEqual([1, 1]);
      }
    });

    it('tell everybody who watches what either stored, and say of it the same mark', async () => {
      await send([{}], 'watched');
      const { id } = await project<{ id: string }>('id', 'watched');
      const query = `subscription { projectChanges(projectId: "${id}") { traceIds } }`;
      const open = async () => {
        const response = await postGraphql(url, { query }, { accept: 'text/event-stream' });
        onTestFinished(() => void response.body?.cancel().catch(() => undefined));
        const events = readEvents<{ projectChanges: { traceIds: string[] | null } }>(response);
        await events.next();
        return { events, servedBy: response.headers.get(SERVED_BY) };
      };
      const streams = await both(open);
      expect(new Set(streams.map(({ servedBy }) => servedBy)).size).toBe(2);
      for (let time = 0; time < 2; time++) {
        const [number = 0] = await send([{}], 'watched');
        const told = await Promise.all(
          streams.map(async ({ events }) => (await events.next()).value?.data?.projectChanges),
        );
        expect(told).toEqual(same({ traceIds: [traceId(number)] }));
      }
      expect(new Set(await both(readMark)).size).toBe(1);
    });

    it('price what arrives by a price that was changed at the other', async () => {
      const attributes = {
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'house-model',
        'llm.token_count.prompt': 1_000_000,
        'llm.token_count.completion': 0,
      };
      const cost = async () => {
        const [number = 0] = await send([{ attributes }], 'priced');
        const { trace } = await queryGraphql<{ trace: { costSummary: { total: { cost: number } } } }>(
          url,
          `{ trace: getTraceByOtelId(traceId: "${traceId(number)}") { costSummary { total { cost } } } }`,
        );
        return trace.costSummary.total.cost;
      };
      const price = (usd: number) => ({
        name: 'House model',
        name_pattern: '^house-',
        prices: [
          { token_type: 'input', is_prompt: true, usd_per_million_tokens: usd },
          { token_type: 'output', is_prompt: false, usd_per_million_tokens: usd },
        ],
      });
      await both(cost);
      const created = (await (await change('POST', '/v1/model_prices', price(3))).json()) as { data: { id: string } };
      expect(await both(cost)).toEqual(same(3));
      expect((await change('PUT', `/v1/model_prices/${created.data.id}`, price(4))).status).toBe(200);
      expect(await both(cost)).toEqual(same(4));
    });

    it('know the same projects and policies, whoever made, changed or deleted them', async () => {
      await both(() => send([{}], 'gone'));
      const before = await project<{ id: string }>('id', 'gone');
      const { createProjectTraceRetentionPolicy: created } = await queryGraphql<{
        createProjectTraceRetentionPolicy: { node: { id: string } };
      }>(
        url,
        `mutation ($ids: [ID!]) { createProjectTraceRetentionPolicy(input: { name: "short", cronExpression: "0 1 * * *",
          rule: { maxDays: { maxDays: 3 } }, addProjects: $ids }) { node { id } } }`,
        { ids: [before.id] },
      );
      expect(await both(() => project('traceRetentionPolicy { id name }', 'gone'))).toEqual(
        same({ traceRetentionPolicy: { id: created.node.id, name: 'short' } }),
      );
      await queryGraphql(
        url,
        'mutation ($id: ID!) { patchProject(input: { id: $id, description: "ours" }) { project { id } } }',
        { id: before.id },
      );
      expect(await both(() => project('description', 'gone'))).toEqual(same({ description: 'ours' }));
      expect((await change('DELETE', '/v1/projects/gone')).status).toBe(204);
      expect(await both(() => project('id', 'gone'))).toEqual(same(null));
      await both(() => send([{}], 'gone'));
      const [after] = await both(() => project<{ id: string; recordCount: number }>('id recordCount', 'gone'));
      expect(after).toEqual({ id: expect.not.stringMatching(before.id) as string, recordCount: 2 });
    });

    it('do what either is asked to do in the background once', async () => {
      const [stored] = await database.query<{ count: string }>('SELECT count(*) AS count FROM spans');
      const count = Number(stored?.count);
      const reread = await metric('cairn_reindex_spans_total');
      expect((await change('POST', '/v1/reindex', { normalise: true, search: true, columns: true })).status).toBe(202);
      const state = async () => (await getJson<{ data: object }>(`${url}/v1/reindex`)).data;
      const done = { is_running: false, progress: 1, read_count: count, failed_count: 0 };
      await expect.poll(() => both(state)).toMatchObject([done, done]);
      expect((await metric('cairn_reindex_spans_total')) - reread).toBe(count);
      const erased = await metric('cairn_erased_spans_total');
      const path = '/v1/projects/read/traces?start_time=2020-01-01T00:00:00Z&end_time=2030-01-01T00:00:00Z';
      expect((await change('DELETE', path)).status).toBe(204);
      expect(await both(() => project('recordCount', 'read'))).toEqual(same({ recordCount: 0 }));
      await expect.poll(async () => (await metric('cairn_erased_spans_total')) - erased).toBe(8);
    });

    it('show two people the same page, whoever stored or deleted', async () => {
      const [first = 0] = range(shown + 1, (shown += 3));
      await sendTraces(url, 'shop', range(first, shown));
      await using one = await openList(browser, url, 'shop', 'traces?range=all');
      await using other = await openList(browser, url, 'shop', 'traces?range=all');
      for (let time = 0; time < 4; time++) {
        await sendTraces(url, 'shop', [++shown]);
        for (const { page } of [one, other]) await row(page, shown).waitFor(IN_TIME);
      }
      const { page } = one;
      await row(page, first).click();
      await page.getByRole('region', { name: `Trace answer ${first}` }).waitFor();
      await page.getByRole('link', { name: 'Config' }).click();
      await page.getByRole('button', { name: 'Delete traces…' }).click();
      await page.getByText('Deletes 7 traces.').waitFor();
      await page.getByRole('textbox', { name: /^Type/ }).fill('shop');
      await page.getByRole('button', { name: 'Delete traces', exact: true }).click();
      await page.getByText('The traces of shop were deleted').waitFor();
      await page.getByRole('link', { name: /^Traces/ }).click();
      for (const tab of [one, other]) {
        await row(tab.page, first).waitFor({ state: 'detached', ...IN_TIME });
        expect(tab.faults).toEqual([]);
      }
    });

    it('apply a policy that is due once, whichever leads that', async () => {
      await both(() => send([{}], 'old'));
      const { id } = await project<{ id: string }>('id', 'old');
      await queryGraphql(
        url,
        `mutation ($ids: [ID!]) { createProjectTraceRetentionPolicy(input: { name: "month", cronExpression: "0 1 * * *",
          rule: { maxDays: { maxDays: 30 } }, addProjects: $ids }) { node { id } } }`,
        { ids: [id] },
      );
      await database.query(`UPDATE retention_policies SET looked_at_us = 0 WHERE name = 'month'`);
      // Who begins to lead looks at once, and then once a minute.
      for (const place of [0, 1]) await whileGone(place, 'SIGTERM', async () => undefined);
      await expect.poll(() => both(() => project('recordCount', 'old'))).toEqual(same({ recordCount: 0 }));
      const deletions = await database.query(
        `SELECT trace_count::int AS count FROM deletions JOIN retention_policies AS policy ON policy.id = policy_id
          WHERE policy.name = 'month'`,
      );
      expect(deletions).toEqual([{ count: 2 }]);
    });

    it.each([
      ['SIGKILL', 0],
      ['SIGKILL', 1],
      ['SIGTERM', 0],
      ['SIGTERM', 1],
    ] as const)('lose nothing when %s ends one of them, number %i, under load', async (signal, place) => {
      const name = `under ${signal} ${place}`;
      const attributes = { 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': 1 };
      const [first, late] = [++shown, ++shown];
      await sendTraces(url, name, [first]);
      await using tab = await openList(browser, url, name, 'traces?range=all');
      const failures: unknown[] = [];
      const acknowledged: number[] = [];
      let isLoaded = true;
      /** Sends again what the proxy sends nowhere else, as exporters over gRPC do. */
      const exportAgainAndAgain = async (protocol: keyof typeof protocols) => {
        while (isLoaded) {
          const { numbers, request } = compose([{ attributes }, { attributes }, { attributes }], name);
          const isBroken = (error: unknown) =>
            protocol === 'grpc' && (error as ServiceError).code === status.UNAVAILABLE ? 'broken' : error;
          const deliver = () => protocols[protocol](request).then(() => 'acknowledged' as const, isBroken);
          let outcome = await deliver();
          if (outcome === 'broken') outcome = await deliver();
          if (outcome === 'acknowledged') acknowledged.push(...numbers);
          else failures.push(outcome);
        }
      };
      const exporters = range(1, 6).map((number) => exportAgainAndAgain(number % 2 === 0 ? 'http' : 'grpc'));
      const untilMore = async () => {
        const before = acknowledged.length;
        await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 100);
      };
      await untilMore();
      await whileGone(place, signal, async () => {
        await untilMore();
        await sendTraces(url, name, [late]);
        await row(tab.page, late).waitFor(IN_TIME);
      });
      await untilMore();
      isLoaded = false;
      await Promise.all(exporters);
      expect(failures).toEqual([]);
      // Of what was told while it was gone it knows nothing; the page asks by turns, too.
      expect(new Set(await Promise.all(range(1, 8).map(readMark))).size).toBe(1);
      const stored = await database.query<{ span_id: string }>(
        'SELECT span_id FROM spans JOIN projects ON projects.id = project_id WHERE projects.name = $1',
        [name],
      );
      const expected = [...acknowledged, first, late].map(spanId);
      expect(stored.map(({ span_id }) => span_id).toSorted()).toEqual(expected.toSorted());
      const { length } = expected;
      expect(await both(() => project('recordCount traceCount tokenCountPrompt', name))).toEqual(
        same({ recordCount: length, traceCount: length, tokenCountPrompt: acknowledged.length }),
      );
    });
  });
});
