/** Names, summaries, charts and orders of annotations over GraphQL, counted by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatGlobalId } from '#base/global-id';
import { TestAnnotations } from '#store/annotations/annotations.fixture';
import { spanId, TEST_START_US, traceId } from '../harness/otlp-json.ts';
import { type InProcess, openInProcess } from './in-process.ts';

let opened: InProcess;
let spanRowIds: readonly number[];

const DAY_US = 86_400_000_000;

/** Of each day's span; the last span has none. */
const DOCUMENTS = [3, 2, 2, 0].map((count) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, place) => [`retrieval.documents.${place}.document.content`, `text ${place}`]),
  ),
);

beforeAll(async () => {
  opened = await openInProcess();
  const { store } = opened;
  // One span a day, each in a trace of its own, all in one session.
  await store.send(
    Array.from({ length: 4 }, (_, day) => ({
      traceId: traceId(day + 1),
      spanId: spanId(day + 1),
      name: `day ${day}`,
      startUs: TEST_START_US + day * DAY_US,
      attributes: { 'session.id': 's', ...DOCUMENTS[day] },
    })),
  );
  const spans = await store.readSpans();
  spanRowIds = spans.map(({ row }) => row.rowId).sort((a, b) => a - b);
  const [first = 0, second = 0, third = 0] = spanRowIds;
  const annotations = new TestAnnotations(store.scope.db, store.projectRowId());
  await annotations.add([
    { target: 'span', rowId: first, name: 'quality', score: 1, label: 'good' },
    { target: 'span', rowId: first, name: 'quality', score: 0, label: 'bad', identifier: 'other' },
    { target: 'span', rowId: second, name: 'quality', score: 1, label: 'good' },
    { target: 'span', rowId: third, name: 'note', explanation: 'look at this' },
    { target: 'trace', rowId: spans[0]?.row.traceRowId ?? 0, name: 'outcome', label: 'solved' },
    { target: 'session', rowId: 1, name: 'mood', score: 0.25 },
    { target: 'document', rowId: first, name: 'relevance', score: 1, annotator_kind: 'LLM' },
    { target: 'document', rowId: second, name: 'by hand', score: 1 },
    ...[
      { rowId: first, document_position: 1, score: 0 },
      // Of two of one document the one that was stored last counts.
      { rowId: first, document_position: 1, score: 2, identifier: 'again' },
      // There is no such document.
      { rowId: first, document_position: 3, score: 9 },
      { rowId: second, document_position: 0, score: -1 },
      { rowId: second, document_position: 1, score: 1 },
    ].map((said) => ({ target: 'document' as const, name: 'relevance', annotator_kind: 'LLM', ...said })),
    { target: 'document', rowId: third, name: 'relevance', score: 1, annotator_kind: 'HUMAN' },
  ]);
});

afterAll(() => opened.store.close());

async function ofProject(fields: string): Promise<Record<string, unknown>> {
  const id = formatGlobalId('Project', opened.store.projectRowId());
  const query = `query($id: ID!) { project: node(id: $id) { ... on Project { ${fields} } } }`;
  const { project } = await opened.query<{ project: Record<string, unknown> }>(query, { id });
  return project;
}

const SUMMARY = 'name count labels labelFractions { label fraction targetCount } meanScore scoreCount labelCount';
const WHOLE = {
  name: 'quality',
  count: 3,
  labels: ['good', 'bad'],
  labelFractions: [
    { label: 'good', fraction: 0.75, targetCount: 2 },
    { label: 'bad', fraction: 0.25, targetCount: 1 },
  ],
  meanScore: 0.75,
  scoreCount: 3,
  labelCount: 3,
};

const at = (day: number) => new Date((TEST_START_US + day * DAY_US) / 1000).toISOString();

describe('annotations of a project', () => {
  it('have names, and how many have each', async () => {
    const fields = `spanAnnotationNames traceAnnotationNames traceAnnotationsNames sessionAnnotationNames
      documentEvaluationNames ofFirst: documentEvaluationNames(spanId: "${formatGlobalId('Span', spanRowIds[2] ?? 0)}")
      spanAnnotationNameCounts { name count } spanAnnotationMetricNames(timeRange: {})
      earlier: spanAnnotationMetricNames(timeRange: { end: "${at(0)}" })`;
    expect(await ofProject(fields)).toEqual({
      spanAnnotationNames: ['note', 'quality'],
      traceAnnotationNames: ['outcome'],
      traceAnnotationsNames: ['outcome'],
      sessionAnnotationNames: ['mood'],
      documentEvaluationNames: ['relevance'],
      ofFirst: [],
      spanAnnotationNameCounts: [
        { name: 'note', count: 1 },
        { name: 'quality', count: 3 },
      ],
      spanAnnotationMetricNames: ['quality'],
      earlier: [],
    });
  });

  it('are summed up, each span first', async () => {
    const fields = `spanAnnotationSummary(annotationName: "quality") { ${SUMMARY} }
      second: spanAnnotationSummary(annotationName: "quality", filterCondition: "name == 'day 1'") { count meanScore }
      none: spanAnnotationSummary(annotationName: "note") { count }
      traceAnnotationSummary(annotationName: "outcome") { labels meanScore }
      sessionAnnotationSummary(annotationName: "mood", sessionFilterCondition: "num_traces == 4") { meanScore }
      other: sessionAnnotationSummary(annotationName: "mood", sessionFilterCondition: "num_traces > 4") { meanScore }`;
    expect(await ofProject(fields)).toEqual({
      spanAnnotationSummary: WHOLE,
      second: { count: 1, meanScore: 1 },
      none: null,
      traceAnnotationSummary: { labels: ['solved'], meanScore: null },
      sessionAnnotationSummary: { meanScore: 0.25 },
      other: null,
    });
  });

  it('are charted by the start of what they are of', async () => {
    const bins = `timeRange: { start: "${at(0)}", end: "${at(3)}" }, timeBinConfig: { scale: DAY }`;
    const fields = `scores: spanAnnotationScoreTimeSeries(${bins}) { names data { scoresWithLabels { label score } } }
      metrics: spanAnnotationMetricsTimeSeries(${bins}, annotationName: "quality") { names data { annotationSummaries { count } } }`;
    const { scores, metrics } = await ofProject(fields);
    const points = [0.5, 1, null].map((score) => ({
      scoresWithLabels: score === null ? [] : [{ label: 'quality', score }],
    }));
    expect(scores).toMatchObject({ names: ['quality'], data: expect.arrayContaining(points) });
    expect(metrics).toMatchObject({
      names: ['quality'],
      data: expect.arrayContaining([{ annotationSummaries: [{ count: 2 }] }, { annotationSummaries: [{ count: 1 }] }]),
    });
  });

  it('are summed up for a span, a trace and a session', async () => {
    const query = `{ span: getSpanByOtelId(spanId: "${spanId(1)}") { spanAnnotationSummaries { name meanScore labels }
        trace { traceAnnotationSummaries { name labelCount } } }
      session: getProjectSessionById(sessionId: "s") { sessionAnnotationSummaries { name meanScore } } }`;
    expect(await opened.query(query)).toEqual({
      span: {
        spanAnnotationSummaries: [{ name: 'quality', meanScore: 0.5, labels: ['bad', 'good'] }],
        trace: { traceAnnotationSummaries: [{ name: 'outcome', labelCount: 1 }] },
      },
      session: { sessionAnnotationSummaries: [{ name: 'mood', meanScore: 0.25 }] },
    });
  });

  it('are summed up as far as they pass a filter', async () => {
    const only = (filter: string) => `spanAnnotationSummaries(filter: { ${filter} }) { count }`;
    const query = `{ span: getSpanByOtelId(spanId: "${spanId(1)}") {
        named: ${only('include: { names: ["quality"] }')} other: ${only('include: { names: ["other"] }')}
        without: ${only('exclude: { names: ["quality"] }')} byNobody: ${only('include: { userIds: [null] }')}
        bySomebody: ${only('exclude: { userIds: [null] }')} fromApp: ${only('include: { sources: [APP] }')}
        trace { traceAnnotationSummaries(filter: { exclude: { sources: [API] } }) { name } } }
      session: getProjectSessionById(sessionId: "s") { sessionAnnotationSummaries(filter: { include: { names: [] } }) { name } } }`;
    expect(await opened.query(query)).toEqual({
      span: {
        named: [{ count: 2 }],
        other: [],
        without: [],
        byNobody: [{ count: 2 }],
        bySomebody: [],
        fromApp: [],
        trace: { traceAnnotationSummaries: [] },
      },
      session: { sessionAnnotationSummaries: [] },
    });
  });
});

describe('evaluations of documents', () => {
  const SPANS = `evaluationName averageNdcg countNdcg averagePrecision countPrecision meanReciprocalRank countReciprocalRank hitRate countHit`;

  it('are averaged over the spans that models judged', async () => {
    const fields = `documentEvaluationSummary(evaluationName: "relevance") { ${SPANS}
        averagePrecisionAtOne: averagePrecision(k: 1) averageNdcgAtOne: averageNdcg(k: 1) }
      first: documentEvaluationSummary(evaluationName: "relevance", filterCondition: "name == 'day 0'") { averagePrecision countHit }
      later: documentEvaluationSummary(evaluationName: "relevance", timeRange: { start: "${at(1)}" }) { countNdcg countHit }
      byPeople: documentEvaluationSummary(evaluationName: "by hand") { countHit }
      none: documentEvaluationSummary(evaluationName: "quality") { countHit }`;
    const { documentEvaluationSummary, ...others } = await ofProject(fields);
    // The first span has the scores 1, 2, 0; the second -1, 1.
    const ideal = 2 + 1 / Math.log2(3);
    expect(documentEvaluationSummary).toEqual({
      evaluationName: 'relevance',
      averageNdcg: expect.closeTo((1 + 2 / Math.log2(3)) / ideal, 12),
      countNdcg: 1,
      averagePrecision: 0.5,
      countPrecision: 2,
      meanReciprocalRank: 0.75,
      countReciprocalRank: 2,
      hitRate: 1,
      countHit: 2,
      averagePrecisionAtOne: 0,
      averageNdcgAtOne: 0.5,
    });
    expect(others).toEqual({
      first: { averagePrecision: 1, countHit: 1 },
      later: { countNdcg: 0, countHit: 1 },
      byPeople: null,
      none: null,
    });
  });
});

describe('lists in the order of annotations', () => {
  interface Page {
    readonly spans: {
      readonly edges: readonly { readonly node: { readonly name: string } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  }

  it.each([
    ['score', 'desc', ['day 1', 'day 0', 'day 3', 'day 2']],
    ['score', 'asc', ['day 0', 'day 1', 'day 2', 'day 3']],
    ['label', 'desc', ['day 1', 'day 0', 'day 3', 'day 2']],
  ])('spans by %s %s come page by page', async (attr, dir, expected) => {
    const found: string[] = [];
    for (let after: string | null = null; ; ) {
      const sort = `sort: { evalResultKey: { name: "quality", attr: ${attr} }, dir: ${dir} }`;
      const from: string = after === null ? '' : `, after: "${after}"`;
      const page = (await ofProject(
        `spans(first: 1, ${sort}${from}) { edges { node { name } } pageInfo { hasNextPage endCursor } }`,
      )) as unknown as Page;
      found.push(...page.spans.edges.map(({ node }) => node.name));
      if (!page.spans.pageInfo.hasNextPage) break;
      after = page.spans.pageInfo.endCursor;
    }
    expect(found).toEqual(expected);
  });

  it('take one order, and their own cursors', async () => {
    const id = formatGlobalId('Project', opened.store.projectRowId());
    const ask = (sort: string, after = '') =>
      opened.ask(
        `query($id: ID!) { node(id: $id) { ... on Project { spans(first: 1, sort: { ${sort}, dir: asc }${after}) { edges { cursor } } } } }`,
        { id },
      );
    const key = 'evalResultKey: { name: "quality", attr: score }';
    expect((await ask(`col: startTime, ${key}`)).errors?.[0]?.message).toContain('Sort by exactly one');
    expect((await ask(key, ', after: "WzFd"')).errors?.[0]?.message).toContain('Invalid cursor');
    const cursor = Buffer.from(JSON.stringify(['label', 1, 'a'])).toString('base64');
    expect((await ask(key, `, after: "${cursor}"`)).errors?.[0]?.message).toContain('Invalid cursor');
    const lists = `traces(first: 9, sort: { annoResultKey: { name: "outcome", attr: label }, dir: asc }) { edges { node { traceId } } }
      sessions(first: 9, sort: { annoResultKey: { name: "mood", attr: score }, dir: asc }) { edges { node { sessionId } } }`;
    expect(await ofProject(lists)).toMatchObject({
      traces: { edges: [{ node: { traceId: traceId(1) } }, {}, {}, {}] },
      sessions: { edges: [{ node: { sessionId: 's' } }] },
    });
  });
});
