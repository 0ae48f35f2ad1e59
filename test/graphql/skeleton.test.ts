/** `Trace.skeleton`: a whole tree in one answer, which must say what the list of spans says. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, type TestSpan, TEST_START_US, traceId, traceRequest } from '../harness/otlp-json.ts';
import { FieldReader } from '../harness/read-fields.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const COUNT = 250;

let server: TestServer;
let graphql: FieldReader;

beforeAll(async () => {
  server = await startTestServer();
  graphql = new FieldReader(server.url);
  const spans = Array.from({ length: COUNT }, (_, place) => span(place + 1));
  // The last come first, so that arrival and start differ.
  await exportAll(server.url, traceRequest(spans.toReversed(), { 'openinference.project.name': 'tree' }));
});

afterAll(() => server[Symbol.asyncDispose]());

/** Ten start at a time; every seventh failed, every third calls a model. */
function span(number: number): TestSpan {
  const startUs = TEST_START_US + Math.floor(number / 10) * 1000;
  return {
    traceId: traceId(1),
    spanId: spanId(number),
    ...(number > 1 && { parentSpanId: spanId(Math.floor(number / 2)) }),
    name: `step "${number}" é`,
    startUs,
    endUs: startUs + number,
    ...(number % 7 === 0 && { status: 'ERROR' as const }),
    attributes:
      number % 3 === 0
        ? {
            'openinference.span.kind': 'LLM',
            'llm.model_name': 'gpt-4o',
            'llm.token_count.prompt': number,
            'llm.token_count.completion': 1,
          }
        : { 'openinference.span.kind': 'TOOL' },
  };
}

interface Skeleton {
  readonly columns: string;
  readonly endCursor: string | null;
}

async function readSkeleton(limit: number, after: string | null = null): Promise<Skeleton> {
  const { trace } = await graphql.query<{ trace: { skeleton: Skeleton } }>(
    `query($traceId: String!, $limit: Int!, $after: String) {
      trace: getTraceByOtelId(traceId: $traceId) { skeleton(limit: $limit, after: $after) { columns endCursor } } }`,
    { traceId: traceId(1), limit, after },
  );
  return trace.skeleton;
}

type Columns = Readonly<Record<string, readonly (string | number | null)[]>>;

/** The columns as spans, with names in place of numbers. */
function toSpans({ columns }: Skeleton) {
  const lists = JSON.parse(columns) as Columns;
  const at = (name: string, place: number) => lists[name]?.[place] ?? null;
  return (lists['rowIds'] ?? []).map((rowId, place) => ({
    id: btoa(`Span:${rowId}`),
    spanId: at('spanIds', place),
    parentId: at('parentIds', place),
    name: at('names', place),
    spanKind: String(at('kindNames', Number(at('kinds', place)))).toLowerCase(),
    statusCode: at('statusNames', Number(at('statusCodes', place))),
    startUs: at('startTimesUs', place),
    endUs: at('endTimesUs', place),
    tokenCountTotal: at('tokenCounts', place),
    modelName: at('modelNames', place),
    countsInSums: Number(at('countedPromptTokens', place)) + Number(at('countedCompletionTokens', place)) > 0,
    hasCost: Number(at('costsNanoUsd', place)) > 0,
  }));
}

interface ListedSpan {
  readonly countsInSums: boolean;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly costSummary: { readonly total: { readonly cost: number | null } } | null;
}

it('says what the list of spans says, earliest start first', async () => {
  const { trace } = await graphql.query<{ trace: { spans: { edges: { node: ListedSpan }[] } } }>(
    `query($traceId: String!) { trace: getTraceByOtelId(traceId: $traceId) { spans(first: 1000, sort: {col: startTime, dir: asc}) {
      edges { node { id spanId parentId name spanKind statusCode startTime endTime tokenCountTotal modelName countsInSums
        costSummary { total { cost } } } } } } }`,
    { traceId: traceId(1) },
  );
  const listed = trace.spans.edges.map(({ node: { startTime, endTime, costSummary, ...node } }) => ({
    ...node,
    startUs: toUs(startTime),
    endUs: endTime === null ? null : toUs(endTime),
    // Of a call that another stands for the tree has no cost.
    hasCost: node.countsInSums && (costSummary?.total.cost ?? 0) > 0,
  }));
  expect(listed).toHaveLength(COUNT);
  const skeleton = await readSkeleton(1000);
  expect(skeleton.endCursor).toBeNull();
  expect(toSpans(skeleton)).toEqual(listed);
});

it('can be read in parts, none twice and none left out', async () => {
  const whole = toSpans(await readSkeleton(COUNT + 1));
  const parts: ReturnType<typeof toSpans>[number][] = [];
  let after: string | null = null;
  do {
    const part: Skeleton = await readSkeleton(7, after);
    parts.push(...toSpans(part));
    after = part.endCursor;
  } while (after !== null);
  expect(parts).toEqual(whole);
});

it.each([0, 50_001])('is of 1 to 50,000 spans, not of %i', async (limit) => {
  await expect(readSkeleton(limit)).rejects.toThrow('limit must be between 1 and 50000.');
});

it.each(['', 'x', '1:2:3', '1.5:2', "1:2' OR 1", '99999999999999999999:1'])('refuses the cursor %j', async (after) => {
  await expect(readSkeleton(10, after)).rejects.toThrow('Invalid cursor');
});

/** Microseconds since the epoch of a time with six digits of a second. */
function toUs(time: string): number {
  const fraction = /\.(\d+)/.exec(time)?.[1] ?? '';
  return Date.parse(time.replace(/\.\d+/, '')) * 1000 + Number(fraction.padEnd(6, '0'));
}
