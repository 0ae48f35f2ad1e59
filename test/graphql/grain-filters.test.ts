/** Filters of spans, traces and sessions over GraphQL and REST, of spans that arrive over OTLP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askGraphql, queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, TEST_START_US, type TestSpan, traceId, traceRequest } from '../harness/otlp-json.ts';
import { FieldReader } from '../harness/read-fields.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { TELEMETRY_REQUEST } from './telemetry-spans.ts';

let server: TestServer;
let graphql: FieldReader;

beforeAll(async () => {
  server = await startTestServer();
  graphql = new FieldReader(server.url);
  await exportAll(server.url, TELEMETRY_REQUEST);
  await exportAll(server.url, traceRequest([...chat(1, 'one'), ...chat(2, 'one', 'ERROR'), ...chat(3, 'two')]));
});

afterAll(() => server[Symbol.asyncDispose]());

/** The traces of telemetry, which are in another project, have smaller numbers. */
const chatId = (number: number) => traceId(100 + number);

/** A trace of an agent with so many tools as its number says. */
function chat(number: number, session: string, status: 'OK' | 'ERROR' = 'OK'): readonly TestSpan[] {
  const startUs = TEST_START_US + number * 1_000_000;
  const common = { traceId: chatId(number), startUs, endUs: startUs + number * 1000 };
  const root: TestSpan = {
    ...common,
    spanId: spanId(number * 10),
    name: 'agent',
    attributes: { 'openinference.span.kind': 'AGENT', 'session.id': session, 'input.value': `question ${number}` },
  };
  const tools = Array.from(
    { length: number },
    (_, tool): TestSpan => ({
      ...common,
      spanId: spanId(number * 10 + tool + 1),
      parentSpanId: spanId(number * 10),
      name: `tool ${tool}`,
      status,
      attributes: { 'openinference.span.kind': 'TOOL' },
    }),
  );
  return [root, ...tools];
}

async function ask<Project>(fields: string): Promise<Project> {
  const asked = `{ getProjectByName(name: "default") { ${fields} } }`;
  return (await queryGraphql<{ getProjectByName: Project }>(server.url, asked)).getProjectByName;
}

const LOOKED = 'looked { isWhole untilTime share } matchCount { count isExact share }';
const WHOLE = { isWhole: true, untilTime: null, share: 1 };

describe('a list of traces', () => {
  it.each([
    ['error_count > 0', [2]],
    ["len([s for s in spans if s.span_kind == 'TOOL']) >= 2", [3, 2]],
    ["'QUESTION 3' in input or any(s.name == 'tool 1' for s in spans) and error_count > 1", [3, 2]],
  ])('holds only those that match %s', async (condition, numbers) => {
    const { traces } = await ask<{ traces: { edges: object[] } }>(
      `traces(first: 10, traceFilterCondition: ${JSON.stringify(condition)}) { edges { node { traceId } } ${LOOKED} }`,
    );
    expect(traces).toEqual({
      edges: numbers.map((number) => ({ node: { traceId: chatId(number) } })),
      looked: WHOLE,
      matchCount: { count: numbers.length, isExact: true, share: 1 },
    });
    const query = new URLSearchParams({ filter: condition });
    const answer = await fetch(`${server.url}/v1/projects/default/traces?${query}`);
    const { data } = (await answer.json()) as { data: { trace_id: string }[] };
    expect(data.map((trace) => trace.trace_id)).toEqual(numbers.map(chatId));
  });

  it('goes on where a page ends', async () => {
    const filter = 'filter=num_spans%20%3E%201&include_spans=true&limit=2&sort=latency_ms&order=asc';
    const get = async (cursor: string) => {
      const answer = await fetch(`${server.url}/v1/projects/default/traces?${filter}${cursor}`);
      return (await answer.json()) as { data: { trace_id: string; spans: object[] }[]; next_cursor: string | null };
    };
    const first = await get('');
    expect(first.data.map(({ trace_id: id, spans }) => [id, spans.length])).toEqual([
      [chatId(1), 2],
      [chatId(2), 3],
    ]);
    const second = await get(`&cursor=${encodeURIComponent(first.next_cursor ?? '')}`);
    expect(second.data.map(({ trace_id: id }) => id)).toEqual([chatId(3)]);
    expect(second.next_cursor).toBeNull();
  });

  it('says nothing of matches without a filter, and refuses one that cannot be read', async () => {
    expect(await ask(`traces(first: 1, traceFilterCondition: " ") { ${LOOKED} }`)).toEqual({
      traces: { looked: null, matchCount: null },
    });
    const { errors } = await askGraphql(
      server.url,
      '{ getProjectByName(name: "default") { traces(first: 1, traceFilterCondition: "num_span > 1") { edges { cursor } } } }',
    );
    expect(errors?.[0]?.message).toContain('num_spans');
  });
});

describe('a project', () => {
  it('counts the sessions that match', async () => {
    const asked = `all: sessionCount(sessionFilterCondition: "") some: sessionCount(sessionFilterCondition: "num_traces == 2")`;
    expect(await ask(asked)).toEqual({ all: 2, some: 1 });
  });

  it('names what filters can use', async () => {
    const terms = '{ name type description category iterableName }';
    const found = await ask<Record<'trace' | 'session', { name: string; iterableName: string | null }[]>>(
      `trace: traceFilterVocabulary ${terms} session: sessionFilterVocabulary ${terms}`,
    );
    const namesOf = (grain: 'trace' | 'session', iterable: string | null) =>
      found[grain].filter(({ iterableName }) => iterableName === iterable).map(({ name }) => name);
    expect(namesOf('trace', null)).toEqual(
      expect.arrayContaining(['error_count', 'spans', "attributes['input.value']"]),
    );
    expect(namesOf('trace', 'spans')).toEqual(expect.arrayContaining(['latency_ms', 'children']));
    expect(namesOf('session', null)).toEqual(expect.arrayContaining(['num_traces', 'any_input']));
    expect(namesOf('session', 'traces')).toContain('spans');
  });
});

describe('a list of sessions', () => {
  it.each([
    ['num_traces_with_error > 0', ['one']],
    ["'question 3' in any_input", ['two']],
    ["any(s.name == 'tool 0' for s in spans) and num_traces < 3", ['one', 'two']],
  ])('holds only those that match %s', async (condition, sessions) => {
    const found = await ask<{ sessions: object }>(
      `sessions(first: 10, sessionFilterCondition: ${JSON.stringify(condition)}) { edges { node { sessionId } } ${LOOKED} }`,
    );
    expect(found.sessions).toEqual({
      edges: sessions.map((sessionId) => ({ node: { sessionId } })),
      looked: WHOLE,
      matchCount: { count: sessions.length, isExact: true, share: 1 },
    });
    const query = new URLSearchParams({ filter: condition, limit: '1' });
    const seen: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const answer = await fetch(`${server.url}/v1/projects/default/sessions?${query}${next}`);
      const page = (await answer.json()) as { data: { session_id: string }[]; next_cursor: string | null };
      seen.push(...page.data.map((session) => session.session_id));
      next = page.next_cursor === null ? null : `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    expect(seen).toEqual(sessions);
  });
});

describe('a filter of spans', () => {
  const LISTS = `query($condition: String!) {
    project: getProjectByName(name: "graphql") {
      recordCount(filterCondition: $condition)
      spans(first: 2, filterCondition: $condition, sort: { col: startTime, dir: desc }) { ...found }
    }
    trace: getTraceByOtelId(traceId: "${traceId(1)}") { spans(first: 2, filterCondition: $condition) { ...found } }
  }
  fragment found on SpanConnection {
    edges { node { name } } pageInfo { hasNextPage } looked { isWhole untilTime share } matchCount { count isExact share }
  }`;

  interface Found {
    readonly edges: readonly { readonly node: { readonly name: string } }[];
    readonly pageInfo: { readonly hasNextPage: boolean };
    readonly looked: unknown;
    readonly matchCount: unknown;
  }
  interface Lists {
    readonly project: { readonly recordCount: number; readonly spans: Found };
    readonly trace: { readonly spans: Found };
  }

  it('narrows lists and numbers, and says how far was looked', async () => {
    const { project, trace } = await graphql.query<Lists>(LISTS, {
      condition: "span_kind == 'LLM' and 'M-' in llm.model_name",
    });
    expect(project).toEqual({
      recordCount: 3,
      spans: {
        edges: [{ node: { name: 'span 5' } }, { node: { name: 'span 3' } }],
        pageInfo: { hasNextPage: true },
        looked: { isWhole: true, untilTime: null, share: 1 },
        matchCount: { count: 3, isExact: true, share: 1 },
      },
    });
    expect(trace.spans).toMatchObject({
      edges: [{ node: { name: 'span 3' } }, { node: { name: 'span 2' } }],
      pageInfo: { hasNextPage: false },
      matchCount: { count: 2 },
    });
  });

  it('is read in originals where rows do not hold it', async () => {
    const names = async (condition: string) => {
      const { project } = await graphql.query<Lists>(LISTS, { condition });
      return project.spans.edges.map(({ node }) => node.name);
    };
    expect(await names("'QUESTION 😀' in input.value")).toEqual(['span 1']);
    expect(await names("status_message == 'no answer'")).toEqual(['span 2']);
    expect(await names("retrieval.documents[1].document.content == 'two'")).toEqual(['span 4']);
    expect(await names('cumulative_token_count.prompt > 3')).toEqual(['span 3', 'span 2']);
  });

  it('that is empty narrows nothing, and one that is wrong is refused with what is wrong', async () => {
    const { project } = await graphql.query<Lists>(LISTS, { condition: ' ' });
    expect(project).toMatchObject({ recordCount: 5, spans: { looked: null, matchCount: { count: 5 } } });
    await expect(graphql.query(LISTS, { condition: "latency_ms > '5'" })).rejects.toThrow(
      /Invalid filter: .*latency_ms/,
    );
  });

  it('can be checked before it is applied', async () => {
    const CHECK = `query($condition: String!) { project: getProjectByName(name: "graphql") {
      validateSpanFilterCondition(condition: $condition) { isValid errorMessage warnings }
      validateTraceFilterCondition(condition: $condition) { isValid }
      validateSessionFilterCondition(condition: $condition) { isValid }
      analyzeSpanFilterCondition(condition: $condition) { selectsRootSpansOnly }
      checkFilter(grain: span, condition: $condition) { severity code message start end repair { start end text } }
    } }`;
    const check = async (condition: string) =>
      (await graphql.query<{ project: Record<string, unknown> }>(CHECK, { condition })).project;
    expect(await check('parent_span is None')).toMatchObject({
      validateSpanFilterCondition: { isValid: true, errorMessage: null, warnings: [] },
      validateTraceFilterCondition: { isValid: false },
      analyzeSpanFilterCondition: { selectsRootSpansOnly: true },
      checkFilter: [],
    });
    expect(await check("latency_ms > '5'")).toMatchObject({
      validateSpanFilterCondition: { isValid: false, errorMessage: expect.stringContaining('5') },
      analyzeSpanFilterCondition: { selectsRootSpansOnly: false },
      checkFilter: [{ severity: 'error', code: 'type_mismatch', start: 13, end: 16, repair: { text: '5' } }],
    });
  });
});
it('every field of these types has been read', () => {
  const types = [
    'FilterDiagnostic',
    'FilterRepair',
    'SpanFilterConditionAnalysis',
    'SpanMatchCount',
    'SpanPageLook',
    'ValidationResult',
  ];
  expect(graphql.unread(types)).toEqual([]);
});
