/** Full-text search through a server: what was acknowledged is found soon, also when the server was killed before it was indexed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCairn } from '../../src/cli/child-process.ts';
import { askGraphql, queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, TEST_START_US, traceId, traceRequest } from '../harness/otlp-json.ts';
import { getJson } from '../harness/rest.ts';
import { startServerProcess } from '../harness/server-process.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { createTestData, environmentOf, type TestData } from '../harness/test-data.ts';
import { TEST_ENGINE } from '../harness/test-engine.ts';

const SPANS = 900;
const SOON = { timeout: 40_000, interval: 100 };

const folder = mkdtempSync(join(tmpdir(), 'cairn-search-'));
let server: TestServer;
let data: TestData;

beforeAll(async () => {
  data = await createTestData(folder);
  const first = await startServerProcess(folder, { ...data.settings });
  const spans = Array.from({ length: SPANS }, (_, index) => span(index + 1));
  for (let start = 0; start < SPANS; start += 300) {
    await exportAll(first.url, traceRequest(spans.slice(start, start + 300)), { 'x-project-name': 'shop' });
  }
  // By now some of it is indexed, or nothing is.
  await first.end('SIGKILL');
  server = await startTestServer({ WORKING_DIR: folder, ...data.settings });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await data.remove();
  rmSync(folder, { recursive: true, force: true });
});

function span(number: number) {
  return {
    traceId: traceId(Math.ceil(number / 30)),
    spanId: spanId(number),
    name: `step ${number}`,
    startUs: TEST_START_US + number,
    attributes: {
      'openinference.span.kind': number % 3 === 0 ? 'TOOL' : 'LLM',
      'input.value': `Where is my parcel number${number}? I have waited for it.`,
      'output.value': 'It is <b>on its way</b>.',
    },
  };
}

const SEARCH = `query ($text: String!, $scope: SearchScope, $order: SearchOrder, $first: Int, $after: String, $filter: String) {
  getProjectByName(name: "shop") {
    search(text: $text, scope: $scope, order: $order, first: $first, after: $after, filterCondition: $filter) {
      edges { cursor node { score span { name } snippets { place text hits { start end } isCutBefore isCutAfter } } }
      pageInfo { hasNextPage endCursor }
      isPartial
      hitCount { count isExact }
      currency { pendingSpanCount indexedUpTo }
    }
  }
}`;

interface Found {
  readonly getProjectByName: {
    readonly search: {
      readonly edges: readonly {
        readonly cursor: string;
        readonly node: {
          readonly score: number | null;
          readonly span: { readonly name: string };
          readonly snippets: readonly {
            readonly place: string;
            readonly text: string;
            readonly hits: readonly object[];
          }[];
        };
      }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
      readonly isPartial: boolean;
      readonly hitCount: { readonly count: number; readonly isExact: boolean };
      readonly currency: { readonly pendingSpanCount: number; readonly indexedUpTo: string | null };
    };
  };
}

async function search(variables: Record<string, unknown>) {
  return (await queryGraphql<Found>(server.url, SEARCH, variables)).getProjectByName.search;
}

describe('search', () => {
  it('finds everything that was acknowledged, although the server was killed', async () => {
    await vi.waitFor(async () => {
      const { hitCount, currency } = await search({ text: 'parcel' });
      expect([hitCount, currency.pendingSpanCount]).toEqual([{ count: SPANS, isExact: true }, 0]);
    }, SOON);
  });

  it('shows what arrives soon after, and how it was found', async () => {
    const late = { ...span(2000), traceId: traceId(999), attributes: { 'output.value': 'a <i>late</i> answer' } };
    await exportAll(server.url, traceRequest([late]), { 'x-project-name': 'shop' });
    await vi.waitFor(async () => expect((await search({ text: 'late' })).edges).toHaveLength(1), SOON);
    const [edge] = (await search({ text: 'late answer', scope: 'output' })).edges;
    expect(edge?.node).toEqual({
      score: null,
      span: { name: 'step 2000' },
      snippets: [
        {
          place: 'output',
          text: 'a <i>late</i> answer',
          hits: [
            { start: 5, end: 9 },
            { start: 14, end: 20 },
          ],
          isCutBefore: false,
          isCutAfter: false,
        },
      ],
    });
    expect(await search({ text: 'late', scope: 'input' })).toMatchObject({ edges: [], hitCount: { count: 0 } });
  });

  it('goes through pages, narrowed by a filter', async () => {
    const wanted = { text: 'parcel waited', filter: 'span_kind == "TOOL"', first: 100 };
    const names: string[] = [];
    for (let after: string | null = null; ; ) {
      const page: Found['getProjectByName']['search'] = await search({ ...wanted, after });
      names.push(...page.edges.map((edge) => edge.node.span.name));
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
    expect(names).toEqual(Array.from({ length: SPANS / 3 }, (_, index) => `step ${SPANS - 3 * index}`));
    expect((await search({ text: 'number7 OR parcel', order: 'best', first: 1 })).edges[0]?.node.span.name).toBe(
      'step 7',
    );
  });

  it('looks through a trace', async () => {
    const query = `query ($id: ID!) { getProjectByName(name: "shop") { trace(traceId: $id) {
      search(text: "step", scope: names, first: 100) { edges { node { span { name } } } } } } }`;
    const found = await queryGraphql<{
      getProjectByName: { trace: { search: { edges: { node: { span: { name: string } } }[] } } };
    }>(server.url, query, { id: traceId(2) });
    expect(found.getProjectByName.trace.search.edges).toHaveLength(30);
    expect(found.getProjectByName.trace.search.edges[0]?.node.span.name).toBe('step 60');
  });

  it('says what is wrong with a search', async () => {
    const wrong = async (variables: object) =>
      (await askGraphql(server.url, SEARCH, { text: 'parcel', ...variables })).errors?.[0]?.message;
    expect(await wrong({ text: '***' })).toContain('no word to search for');
    expect(await wrong({ text: '-parcel' })).toContain('at least one word to find');
    expect(await wrong({ after: 'bm9uc2Vuc2U=' })).toContain('Invalid cursor');
    expect(await wrong({ after: btoa('5'), order: 'best' })).toContain('Invalid cursor');
    expect(await wrong({ first: 1_000_000 })).toContain('between 1 and 1000');
    expect(await wrong({ filter: 'nonsense ==' })).toContain('Invalid filter');
  });

  it('answers over REST', async () => {
    interface Reply {
      readonly data: readonly { readonly name: string; readonly snippets: readonly { readonly place: string }[] }[];
      readonly next_cursor: string | null;
      readonly pending_span_count: number;
    }
    const base = `${server.url}/v1/projects/shop/search`;
    const page = await getJson<Reply>(`${base}?text=${encodeURIComponent('"waited for it"')}&limit=2`);
    expect(page.data.map(({ name }) => name)).toEqual([`step ${SPANS}`, `step ${SPANS - 1}`]);
    expect(page.data[0]?.snippets[0]).toMatchObject({ place: 'input' });
    const next = await getJson<Reply>(`${base}?text=waited&limit=2&cursor=${page.next_cursor}`);
    expect(next.data.map(({ name }) => name)).toEqual([`step ${SPANS - 2}`, `step ${SPANS - 3}`]);
    const ofTrace = await getJson<Reply>(`${base}?text=parcel&trace_id=${traceId(1)}&limit=100`);
    expect(ofTrace.data).toHaveLength(30);
    for (const [query, status] of [
      ['', 422],
      ['?text=*', 422],
      ['?text=a&cursor=x', 422],
      ['?text=a&start_time=2026-01-02&end_time=2026-01-01', 422],
      [`?text=a&trace_id=${traceId(4242)}`, 404],
    ]) {
      expect([query, (await fetch(`${base}${query}`)).status]).toEqual([query, status]);
    }
    expect((await fetch(`${server.url}/v1/projects/none/search?text=a`)).status).toBe(404);
  });

  it('is counted, and built anew while it answers', async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/cairn_search_indexed_spans_total \d+/);
    expect(metrics).toMatch(/cairn_search_pending_spans 0/);
    const flags = ['--data', folder, '--host', '127.0.0.1', '--port', new URL(server.url).port];
    const { stdout, exitCode } = await runCairn(['reindex', '--search', ...flags], environmentOf(data.settings));
    expect([stdout.trim(), exitCode]).toEqual([expect.stringContaining(SAID[TEST_ENGINE]), 0]);
    expect((await search({ text: 'parcel' })).hitCount.count).toBe(SPANS);
    expect(server.complaints).toEqual([]);
  });
});

/** By the command, whether the server is asked, or finds in the database what is to be done. */
const SAID = { sqlite: 'rebuilds its search index in the background', postgres: 'the search index is rebuilt.\nDone.' };
