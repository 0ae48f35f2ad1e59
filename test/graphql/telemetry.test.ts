/** Spans, traces and sessions over GraphQL: each field of the schema against what was sent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FieldReader } from '../harness/read-fields.ts';
import { exportAll, exportLogs } from '../harness/otlp-client.ts';
import { logsRequest, logsRequestOf, otlpLogRecord, spanId, TEST_START_US, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { at, LONG, MS, PROJECT, TELEMETRY_REQUEST } from './telemetry-spans.ts';

let server: TestServer;
let graphql: FieldReader;

beforeAll(async () => {
  server = await startTestServer();
  graphql = new FieldReader(server.url);
  await exportAll(server.url, TELEMETRY_REQUEST);
});

afterAll(() => server[Symbol.asyncDispose]());

const FIND = 'getTraceByOtelId(traceId: $traceId)';

async function spanFields<Fields>(number: number, fields: string): Promise<Fields> {
  const { span } = await graphql.query<{ span: Fields }>(
    `query($spanId: String!) { span: getSpanByOtelId(spanId: $spanId) { ${fields} } }`,
    { spanId: spanId(number) },
  );
  return span;
}

describe('a span', () => {
  it('has in its row what tables show', async () => {
    const fields = `name spanId parentId context { traceId spanId } spanKind statusCode startTime endTime latencyMs userId
      modelName tokenCountPrompt tokenCountCompletion tokenCountTotal tokenPromptDetails { audio cacheRead cacheWrite }
      input { mimeType truncatedValue value } output { value } project { name } trace { traceId } sessionId tags
      timeToFirstTokenMs attributeTexts(paths: ["llm.model_name", "nowhere", "llm.token_count.prompt"])`;
    expect(await spanFields(2, fields)).toEqual({
      name: 'span 2',
      spanId: spanId(2),
      parentId: spanId(1),
      context: { traceId: traceId(1), spanId: spanId(2) },
      spanKind: 'llm',
      statusCode: 'ERROR',
      startTime: at(10),
      endTime: at(60),
      latencyMs: 50,
      userId: null,
      modelName: 'm-1',
      tokenCountPrompt: 20,
      tokenCountCompletion: 5,
      tokenCountTotal: 25,
      tokenPromptDetails: { audio: 2, cacheRead: 7, cacheWrite: 3 },
      input: { mimeType: 'json', truncatedValue: '{"q":1}', value: '{"q":1}' },
      output: null,
      project: { name: 'graphql' },
      trace: { traceId: traceId(1) },
      sessionId: 'talk',
      tags: [],
      timeToFirstTokenMs: null,
      attributeTexts: ['m-1', null, '20'],
    });
  });

  it('that is open has neither end nor latency', async () => {
    expect(await spanFields(3, 'endTime latencyMs startTime')).toEqual({
      endTime: null,
      latencyMs: null,
      startTime: at(20),
    });
  });

  it('has the first 100 characters of a long input, and all of it', async () => {
    expect(await spanFields(1, 'userId input { mimeType truncatedValue value }')).toEqual({
      userId: 'ada',
      input: { mimeType: 'text', truncatedValue: Array.from(LONG).slice(0, 100).join(''), value: LONG },
    });
  });

  it('has whatever its original holds', async () => {
    const { attributes, otelResource, ...rest } = await spanFields<{ attributes: string; otelResource: string }>(
      2,
      `attributes derivedAttributes damage statusMessage metadata otelResource instrumentationScope { name version } numDocuments
       events { name message timestamp attributes } links { traceId spanId attributes span { name } }`,
    );
    expect(rest).toEqual({
      derivedAttributes: '{}',
      damage: null,
      statusMessage: 'no answer',
      metadata: '{"tenant":"x"}',
      instrumentationScope: { name: 'test', version: '1' },
      numDocuments: null,
      events: [
        {
          name: 'exception',
          message: 'took too long',
          timestamp: at(50),
          attributes: { 'exception.type': 'Timeout', 'exception.message': 'took too long', tries: 3 },
        },
      ],
      links: [
        { traceId: traceId(2), spanId: spanId(5), attributes: { why: 'before' }, span: { name: 'span 5' } },
        { traceId: traceId(99), spanId: spanId(5), attributes: {}, span: null },
      ],
    });
    expect(JSON.parse(attributes)).toMatchObject({ llm: { model_name: 'm-1', token_count: { prompt: 20 } } });
    expect(JSON.parse(otelResource)).toEqual(PROJECT);
    expect(await spanFields(4, 'numDocuments')).toEqual({ numDocuments: 2 });
  });

  it('is found from those that link to it, and so is its trace', async () => {
    expect(await spanFields(5, 'linkedFrom { name }')).toEqual({ linkedFrom: [{ name: 'span 2' }] });
    expect(await spanFields(2, 'linkedFrom { name }')).toEqual({ linkedFrom: [] });
    const ends = (trace: number) =>
      graphql.query(`query($traceId: String!) { trace: ${FIND} { linksTo { traceId } linkedFrom { traceId } } }`, {
        traceId: traceId(trace),
      });
    expect(await ends(1)).toEqual({ trace: { linksTo: [{ traceId: traceId(2) }], linkedFrom: [] } });
    expect(await ends(2)).toEqual({ trace: { linksTo: [], linkedFrom: [{ traceId: traceId(1) }] } });
  });

  it('says how it was read', async () => {
    const { reading } = await spanFields<{ reading: { sources: readonly { label: string }[] } }>(
      4,
      'reading { isComplete dialects { name } outputs { key } sources { label count to } }',
    );
    expect(reading).toMatchObject({ isComplete: true, dialects: [{ name: 'openinference' }] });
    expect(reading.sources.map(({ label }) => label)).toContain('output.value');
  });

  it('adds up what lies below it, a repeated claim once', async () => {
    const sums = `propagatedStatusCode numChildSpans cumulativeTokenCountPrompt cumulativeTokenCountCompletion
      cumulativeTokenCountTotal cumulativeErrorCount`;
    expect(await spanFields(1, sums)).toEqual({
      propagatedStatusCode: 'ERROR',
      numChildSpans: 2,
      cumulativeTokenCountPrompt: 4,
      cumulativeTokenCountCompletion: 1,
      cumulativeTokenCountTotal: 5,
      cumulativeErrorCount: 1,
    });
    expect(await spanFields(4, 'propagatedStatusCode numChildSpans')).toEqual({
      propagatedStatusCode: 'UNSET',
      numChildSpans: 0,
    });
  });

  it('says whether its tokens count, where they count instead, and what is odd about them', async () => {
    const counting =
      'countsInSums tokenCounting { reason countedInCount surplus countedIn { name } } tokenRemarks { kind message }';
    expect(await spanFields(2, counting)).toEqual({
      countsInSums: false,
      tokenCounting: { reason: 'calls_below', countedInCount: 1, surplus: 20, countedIn: [{ name: 'span 3' }] },
      tokenRemarks: [],
    });
    expect(await spanFields(3, counting)).toMatchObject({ countsInSums: true, tokenCounting: { reason: 'counted' } });
    expect(await spanFields(4, counting)).toEqual({ countsInSums: false, tokenCounting: null, tokenRemarks: [] });
    const odd = 'tokenRemarks { kind message }';
    expect(await spanFields(5, odd)).toEqual({
      tokenRemarks: [
        { kind: 'total_differs', message: 'llm.token_count.total is 9, but 1 input and 1 output make 2.' },
      ],
    });
  });

  it('lists what lies below it, level by level', async () => {
    const names = async (args: string) => {
      const { descendants } = await spanFields<{ descendants: Names & Paged }>(
        1,
        `descendants${args} { edges { node { name } } ${PAGE} }`,
      );
      return [
        descendants.edges.map(({ node }) => node.name),
        descendants.pageInfo.hasNextPage,
        descendants.pageInfo.endCursor,
      ] as const;
    };
    expect((await names(''))[0]).toEqual(['span 2', 'span 4', 'span 3']);
    expect((await names('(maxDepth: 1)'))[0]).toEqual(['span 2', 'span 4']);
    const [first, hasNextPage, cursor] = await names('(maxDepth: 0, first: 2)');
    expect([first, hasNextPage]).toEqual([['span 2', 'span 4'], true]);
    expect(await names(`(maxDepth: 0, first: 2, after: "${cursor}")`)).toEqual([['span 3'], false, expect.any(String)]);
  });

  it('is null where nothing is stored under the id', async () => {
    expect(await spanFields(77, 'name')).toBeNull();
  });
});

interface Names {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly name: string } }[];
}
interface Paged {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
const PAGE = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

describe('the spans of a project', () => {
  const list = async (args: string) => {
    const { project } = await graphql.query<{ project: { spans: Names & Paged } }>(
      `{ project: getProjectByName(name: "graphql") { spans(${args}) { edges { cursor node { name } } ${PAGE} } } }`,
    );
    return project.spans;
  };
  const names = async (args: string) => (await list(args)).edges.map(({ node }) => node.name.slice(-1)).join('');

  it.each([
    ['first: 9', '12345'],
    ['first: 9, rootSpansOnly: true', '15'],
    ['first: 9, sort: {col: startTime, dir: desc}', '54321'],
    ['first: 9, sort: {col: endTime, dir: asc}', '24153'],
    ['first: 9, sort: {col: latencyMs, dir: desc}', '12543'],
    ['first: 9, sort: {col: tokenCountTotal, dir: desc}', '23541'],
    ['first: 9, sort: {col: tokenCountPrompt, dir: asc}', '53214'],
    ['first: 9, sort: {col: tokenCountCompletion, dir: desc}', '25341'],
    [`first: 9, timeRange: {start: "${at(10)}", end: "${at(70)}"}`, '23'],
    [`first: 9, timeRange: {end: "${at(10)}"}`, '1'],
  ])('(%s) are %s', async (args, expected) => {
    expect(await names(args)).toBe(expected);
  });

  it('go on after each cursor, that of the page and that of a row', async () => {
    const sort = 'sort: {col: tokenCountTotal, dir: desc}';
    const page = await list(`first: 2, ${sort}`);
    expect(page.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: page.edges[0]?.cursor,
      endCursor: page.edges[1]?.cursor,
    });
    expect(await names(`first: 9, ${sort}, after: "${page.pageInfo.endCursor}"`)).toBe('541');
    expect(await names(`first: 9, ${sort}, after: "${page.edges[0]?.cursor}"`)).toBe('3541');
  });

  it.each([
    ['first: 0', 'first must be between 1 and 1000.'],
    ['first: 1001', 'first must be between 1 and 1000.'],
    ['first: -1', 'first must be between 1 and 1000.'],
    ['first: 1, last: 1', 'only be read forward'],
    ['first: 1, before: "x"', 'only be read forward'],
    ['first: 1, after: "x"', 'Invalid cursor'],
    [`first: 1, sort: {col: startTime, dir: asc}, after: "${btoa('1:INT:5')}"`, 'Invalid cursor'],
  ])('(%s) are refused: %s', async (args, reason) => {
    await expect(list(args)).rejects.toThrow(reason);
  });
});

describe('a trace', () => {
  const trace = async <Data>(number: number, fields: string) =>
    (
      await graphql.query<{ trace: Data }>(`query($traceId: String!) { trace: ${FIND} { ${fields} } }`, {
        traceId: traceId(number).toUpperCase(),
      })
    ).trace;

  it('has its sums, its root and its session', async () => {
    const fields = `traceId startTime endTime latencyMs numSpans errorCount userId rootSpan { name } session { sessionId id }
      projectSessionId projectId project { id name } spanCountsByKind { spanKind count } tokenUsage { prompt completion total }`;
    const found = await trace<{
      session: { id: string };
      project: { id: string };
      spanCountsByKind: { spanKind: string }[];
    }>(1, fields);
    expect(found).toMatchObject({
      traceId: traceId(1),
      startTime: at(0),
      endTime: at(100),
      latencyMs: 100,
      numSpans: 4,
      errorCount: 1,
      userId: 'ada',
      rootSpan: { name: 'span 1' },
      session: { sessionId: 'talk' },
      projectSessionId: found.session.id,
      projectId: found.project.id,
      project: { name: 'graphql' },
      tokenUsage: { prompt: 4, completion: 1, total: 5 },
    });
    expect(found.spanCountsByKind.toSorted((a, b) => a.spanKind.localeCompare(b.spanKind))).toEqual([
      { spanKind: 'agent', count: 1 },
      { spanKind: 'llm', count: 2 },
      { spanKind: 'retriever', count: 1 },
    ]);
    expect(await trace(2, 'userId')).toEqual({ userId: null });
  });

  it('lists its spans, the newest first or sorted, page by page', async () => {
    const list = async (args: string) => {
      const { spans } = await trace<{ spans: Names & Paged }>(
        1,
        `spans(${args}) { edges { cursor node { name } } ${PAGE} }`,
      );
      return [spans.edges.map(({ node }) => node.name.slice(-1)).join(''), spans.pageInfo.endCursor] as const;
    };
    expect((await list('first: 9'))[0]).toBe('4321');
    const sort = 'sort: {col: startTime, dir: asc}';
    const [first, cursor] = await list(`first: 3, ${sort}`);
    expect(first).toBe('123');
    expect((await list(`first: 3, ${sort}, after: "${cursor}"`))[0]).toBe('4');
    await expect(list('first: 1, last: 2')).rejects.toThrow('only be read forward');
  });

  it('is found in its project alone, and listed there', async () => {
    const fields = (args: string) => `traces(${args}) { edges { cursor node { traceId } } ${PAGE} }`;
    const { project } = await graphql.query<{ project: { found: object; sorted: Traces; within: Traces } }>(
      `{ project: getProjectByName(name: "graphql") {
        found: trace(traceId: "${traceId(1)}") { traceId }
        sorted: ${fields('first: 5, sort: {col: latencyMs, dir: asc}')}
        within: ${fields(`first: 5, timeRange: {end: "${at(200)}"}`)} } }`,
    );
    expect(project.found).toEqual({ traceId: traceId(1) });
    expect(project.sorted.edges.map(({ node }) => node.traceId)).toEqual([traceId(2), traceId(1)]);
    expect(project.within.edges.map(({ node }) => node.traceId)).toEqual([traceId(1)]);
    const other = await graphql.query<{ project: { trace: null } }>(
      `{ project: getProjectByName(name: "default") { trace(traceId: "${traceId(1)}") { traceId } } }`,
    );
    expect(other.project.trace).toBeNull();
  });
});

interface Traces {
  readonly edges: readonly { readonly node: { readonly traceId: string } }[];
}

describe('a session', () => {
  it('has its sums, its first input and its last output', async () => {
    const { session } = await graphql.query<{ session: object }>(
      `{ session: getProjectSessionById(sessionId: "talk") {
        sessionId startTime endTime numTraces numTracesWithError userId project { name } tokenUsage { prompt completion total }
        firstInput { mimeType truncatedValue value } lastOutput { value } traceLatencyMsQuantile(probability: 0.5)
        traces(first: 5) { edges { node { traceId } } ${PAGE} } } }`,
    );
    expect(session).toMatchObject({
      sessionId: 'talk',
      startTime: at(0),
      endTime: at(230),
      numTraces: 2,
      numTracesWithError: 1,
      userId: 'ada',
      project: { name: 'graphql' },
      tokenUsage: { prompt: 5, completion: 2, total: 7 },
      firstInput: { mimeType: 'text', value: LONG },
      lastOutput: { value: 'bye' },
      traceLatencyMsQuantile: 65,
      traces: {
        edges: [{ node: { traceId: traceId(1) } }, { node: { traceId: traceId(2) } }],
        pageInfo: { hasNextPage: false },
      },
    });
    await expect(
      graphql.query('{ getProjectSessionById(sessionId: "talk") { traceLatencyMsQuantile(probability: 2) } }'),
    ).rejects.toThrow('between 0 and 1');
  });

  it.each(['startTime', 'endTime', 'tokenCountTotal', 'numTraces'])('is listed by %s', async (col) => {
    const { project } = await graphql.query<{ project: { sessions: object } }>(
      `{ project: getProjectByName(name: "graphql") {
        sessions(first: 5, sort: {col: ${col}, dir: desc}, timeRange: {start: "${at(229)}"}) { edges { cursor node { sessionId } } ${PAGE} } } }`,
    );
    expect(project.sessions).toMatchObject({
      edges: [{ node: { sessionId: 'talk' } }],
      pageInfo: { hasNextPage: false },
    });
  });
});

describe('log records', () => {
  it('are those of a span by time, those that a trace has beside its spans, and those of a project, the last first', async () => {
    const ids = { traceId: traceId(1), spanId: spanId(1) };
    const records = [
      { ...ids, timeUs: TEST_START_US + 2 * MS, body: 'second', attributes: { long: 2n ** 60n } },
      { ...ids, timeUs: TEST_START_US + MS, body: { first: [1, true] } },
      { ...ids, spanId: spanId(999), timeUs: TEST_START_US, body: 'alone' },
    ];
    const sent = logsRequestOf(records.map((record) => ({ ...otlpLogRecord(record), severityText: 'WARN' })));
    await exportLogs(server.url, sent);
    await exportLogs(server.url, logsRequest([{ eventName: 'gen_ai.choice', timeUs: 0 }]), {
      headers: { 'x-project-name': 'graphql' },
    });
    const record =
      'id timestamp eventName severity body attributes damage traceId spanId instrumentationScope { name version }';
    const { trace, project } = await graphql.query<{ trace: object; project: object }>(
      `query($traceId: String!) {
        trace: ${FIND} {
          numUnattachedLogRecords unattachedLogRecords(first: 5) { edges { cursor node { ${record} } } ${PAGE} }
          rootSpan { logRecords(first: 5) { edges { node { ${record} } } } }
          damagedSpans { searchedCount isWhole spans { spanNodeId } }
        }
        project: getProjectByName(name: "graphql") { unattachedLogRecords(first: 1) { edges { node { ${record} } } ${PAGE} } }
      }`,
      { traceId: traceId(1) },
    );
    const common = {
      eventName: null,
      severity: 'WARN',
      damage: null,
      traceId: ids.traceId,
      instrumentationScope: { name: 'test', version: '1' },
    };
    expect(trace).toMatchObject({
      numUnattachedLogRecords: 1,
      damagedSpans: { searchedCount: expect.any(Number), isWhole: true, spans: [] },
      unattachedLogRecords: {
        edges: [{ node: { ...common, timestamp: at(0), spanId: spanId(999), body: 'alone', attributes: '{}' } }],
        pageInfo: { hasNextPage: false },
      },
      rootSpan: {
        logRecords: {
          edges: [
            { node: { ...common, timestamp: at(1), body: '{"first":[1,true]}' } },
            { node: { ...common, timestamp: at(2), body: 'second', attributes: '{"long":"1152921504606846976"}' } },
          ],
        },
      },
    });
    const [alone] = (project as { unattachedLogRecords: { edges: { node: { id: string } }[] } }).unattachedLogRecords
      .edges;
    expect(alone).toMatchObject({ node: { eventName: 'gen_ai.choice', timestamp: null, traceId: null, body: null } });
    const { node } = await graphql.query<{ node: object }>(
      `query($id: ID!) { node(id: $id) { id ... on LogRecord { eventName } } }`,
      {
        id: alone?.node.id,
      },
    );
    expect(node).toEqual({ id: alone?.node.id, eventName: 'gen_ai.choice' });
  });
});

describe('ids', () => {
  it('lead to the rows that they came from', async () => {
    const { trace } = await graphql.query<{ trace: { id: string; rootSpan: { id: string }; session: { id: string } } }>(
      `query($traceId: String!) { trace: ${FIND} { id rootSpan { id } session { id } } }`,
      { traceId: traceId(1) },
    );
    const ids = [trace.rootSpan.id, trace.id, trace.session.id, btoa('Span:999')];
    const { nodes } = await graphql.query<{ nodes: object }>(
      `query($ids: [ID!]!) { nodes(ids: $ids) { id ... on Span { name } ... on Trace { traceId } ... on ProjectSession { sessionId } } }`,
      { ids },
    );
    expect(nodes).toEqual([
      { id: ids[0], name: 'span 1' },
      { id: ids[1], traceId: traceId(1) },
      { id: ids[2], sessionId: 'talk' },
      null,
    ]);
  });
});

/** Fields with a test file of their own: annotations, costs, filters, aggregates, skeletons, searches. */
const READ_ELSEWHERE =
  /cost|\.(?:looked|matchCount)$|[aA]nnotations$|AnnotationSummaries$|^Span\.(?:spanNotes|document\w+)$|^ProjectSession\.timeBetweenTurns$|^Trace\.(?:errorsByType|digests|skeleton|search)$/i;

it('every field of these types has been read', () => {
  const types = [
    'LogRecord',
    'LogRecordConnection',
    'Span',
    'SpanConnection',
    'SpanContext',
    'SpanEdge',
    'SpanEvent',
    'SpanIOValue',
    'SpanKindCount',
    'SpanLink',
  ];
  const others = [
    'InstrumentationScope',
    'PageInfo',
    'ProjectSession',
    'ProjectSessionConnection',
    'ProjectSessionEdge',
  ];
  const traces = [
    'TokenCounting',
    'TokenCountPromptDetails',
    'TokenRemark',
    'TokenUsage',
    'Trace',
    'TraceConnection',
    'TraceEdge',
  ];
  const unread = graphql.unread([...types, ...others, ...traces]);
  expect(unread.filter((field) => !READ_ELSEWHERE.test(field))).toEqual([]);
});
