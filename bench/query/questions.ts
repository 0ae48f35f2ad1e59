/** What is asked of a month, what an answer may take, and the bare SQL that answers the same on the same data. */
import { query } from '../ui/place.ts';
import type { Month, Question, SqlWords } from './question.ts';
import { largeTraceIds, MONTH } from './traffic.ts';

const DAY_US = 86_400_000_000;
const WEEK = range(MONTH.endUs - 7 * DAY_US, MONTH.endUs);
const LAST_DAY = range(MONTH.endUs - DAY_US, MONTH.endUs);
const LIST =
  'id, span_id, parent_span_id, name, kind, status, start_us, end_us, session_id, user_id, model_name, input_preview, output_preview';
const FACETS = ['span_kind', 'status_code', 'llm.model_name', 'llm.provider', 'name', 'tenant.id'];
const OF_LAST_DAY = `start_us >= ${MONTH.endUs - DAY_US} AND start_us < ${MONTH.endUs}`;
const OF_WEEK = `start_us >= ${MONTH.endUs - 7 * DAY_US} AND start_us < ${MONTH.endUs}`;

/** All of them, in the order of the report. */
export const QUESTIONS: readonly Question[] = [
  {
    name: 'first page by start',
    targetMs: 20,
    ask: (month) => listSpans(month, {}),
    sql: () => `SELECT ${LIST} FROM spans WHERE project_id = :project ORDER BY start_us DESC LIMIT 50`,
  },
  {
    name: 'the same, 1,000 pages deep',
    targetMs: 30,
    ask: (month) => listSpans(month, { after: month.deepCursor }),
    sql: () =>
      `SELECT ${LIST} FROM spans WHERE project_id = :project AND start_us < ${MONTH.endUs - DAY_US} ORDER BY start_us DESC LIMIT 50`,
  },
  {
    name: 'first page of traces by start',
    targetMs: 20,
    ask: async (month) => {
      const fields = 'edges { node { traceId numSpans errorCount latencyMs rootSpan { name } } }';
      const answer = await ask(month, `traces(first: 50, sort: {col: startTime, dir: desc}) { ${fields} }`);
      return `${answer.split('"traceId"').length - 1} rows`;
    },
    sql: () =>
      'SELECT t.*, s.name FROM traces t LEFT JOIN spans s ON s.id = t.root_span_row_id WHERE t.project_id = :project ORDER BY t.start_us DESC LIMIT 50',
  },
  {
    name: 'first page by latency, of a day',
    targetMs: 200,
    ask: (month) => listSpans(month, { sort: { col: 'latencyMs', dir: 'desc' }, timeRange: LAST_DAY }),
    sql: () =>
      `SELECT ${LIST} FROM spans WHERE project_id = :project AND ${OF_LAST_DAY} ORDER BY latency_us DESC LIMIT 50`,
  },
  {
    name: 'filter on a column: failed spans of one session',
    targetMs: 50,
    ask: (month) =>
      listSpans(month, { filterCondition: `session.id == '${MONTH.longSession}' and status_code == 'ERROR'` }),
    sql: () =>
      `SELECT ${LIST} FROM spans WHERE project_id = :project AND session_id = '${MONTH.longSession}' AND status = 2 ORDER BY start_us DESC LIMIT 50`,
  },
  {
    name: 'filter on an attribute that 1 % have',
    targetMs: 100,
    ask: (month) => listSpans(month, { filterCondition: `tenant.id == '${MONTH.tenant}'` }),
    sql: ({ attribute }) =>
      `SELECT ${LIST} FROM spans WHERE project_id = :project AND ${attribute('tenant.id')} = '${MONTH.tenant}' ORDER BY start_us DESC LIMIT 50`,
  },
  {
    name: 'filter on an attribute that 10 spans have',
    targetMs: 300,
    ask: (month) => listSpans(month, { filterCondition: `order.flag == '${MONTH.flag}'` }),
    sql: ({ attribute }) =>
      `SELECT ${LIST} FROM spans WHERE project_id = :project AND ${attribute('order.flag')} = '${MONTH.flag}' ORDER BY start_us DESC LIMIT 50`,
  },
  {
    name: 'the same, counted',
    targetMs: 300,
    ask: async (month) => {
      const answer = await ask(month, `recordCount(filterCondition: "order.flag == '${MONTH.flag}'")`);
      return /\d+/.exec(answer)?.[0] ?? answer;
    },
    sql: ({ attribute }) =>
      `SELECT count(*) FROM spans WHERE project_id = :project AND ${attribute('order.flag')} = '${MONTH.flag}'`,
  },
  {
    name: 'predicate on long text, a word of every second span',
    targetMs: 500,
    ask: (month) => listSpans(month, { filterCondition: `'${MONTH.commonWord}' in output.value` }),
    sql: () =>
      `SELECT ${LIST} FROM spans WHERE project_id = :project AND output_preview LIKE '%${MONTH.commonWord}%' ORDER BY start_us DESC LIMIT 50`,
  },
  {
    name: 'predicate on long text, a phrase of ten spans, a page or how far it looked',
    targetMs: 500,
    ask: (month) => listSpans(month, { filterCondition: `'${MONTH.rarePhrase}' in input.value` }),
    sql: () =>
      `SELECT ${LIST} FROM spans WHERE project_id = :project AND input_preview LIKE '%${MONTH.rarePhrase}%' ORDER BY start_us DESC LIMIT 50`,
  },
  {
    name: 'search, newest first: a phrase of ten spans',
    targetMs: 50,
    ask: (month) => search(month, `"${MONTH.rarePhrase}"`, 'newest'),
    sql: null,
  },
  {
    name: 'search, newest first: a word of every second span',
    targetMs: 50,
    ask: (month) => search(month, MONTH.commonWord, 'newest'),
    sql: null,
  },
  {
    name: 'search, ranked: a word of every second span',
    targetMs: 1000,
    ask: (month) => search(month, MONTH.commonWord, 'best'),
    sql: null,
  },
  {
    name: 'seven days by the hour with percentiles',
    targetMs: 50,
    ask: (month) => histogram(month, null),
    sql: ({ quantile }) =>
      `SELECT start_us / 3600000000 AS hour, count(*), count(*) FILTER (WHERE status = 2), ${quantile('latency_us', 0.5)}, ${quantile('latency_us', 0.95)} FROM spans WHERE project_id = :project AND ${OF_WEEK} GROUP BY 1`,
  },
  {
    name: 'the same, filtered',
    targetMs: 500,
    ask: (month) => histogram(month, `tenant.id == '${MONTH.tenant}'`),
    sql: ({ attribute, quantile }) =>
      `SELECT start_us / 3600000000 AS hour, count(*), count(*) FILTER (WHERE status = 2), ${quantile('latency_us', 0.5)}, ${quantile('latency_us', 0.95)} FROM spans WHERE project_id = :project AND ${OF_WEEK} AND ${attribute('tenant.id')} = '${MONTH.tenant}' GROUP BY 1`,
  },
  { name: 'six facets, last day', targetMs: 300, ask: (month) => facets(month, LAST_DAY), sql: facetSql(OF_LAST_DAY) },
  { name: 'six facets, everything', targetMs: 1500, ask: (month) => facets(month, null), sql: facetSql('true') },
  {
    name: 'skeleton of the trace of 10,000 spans',
    targetMs: 60,
    ask: (month) => skeleton(month, largeTraceIds().big),
    sql: skeletonSql(largeTraceIds().big),
  },
  {
    name: 'skeleton of the trace of 50,000 spans',
    targetMs: 300,
    ask: (month) => skeleton(month, largeTraceIds().huge),
    sql: skeletonSql(largeTraceIds().huge),
  },
  {
    name: 'one span whole',
    targetMs: 5,
    ask: async ({ url, spanNodeId }) => {
      const text =
        'query ($id: ID!) { node(id: $id) { ... on Span { name attributes input { value } output { value } events { name } } } }';
      const { node } = await query<{ node: { name: string } }>(url, text, { id: spanNodeId });
      return node.name;
    },
    sql: () => 'SELECT b.data FROM span_locations l JOIN blocks b ON b.id = l.block_id WHERE l.span_row_id = 500000',
  },
];

function range(startUs: number, endUs: number): { readonly start: string; readonly end: string } {
  return { start: new Date(startUs / 1000).toISOString(), end: new Date(endUs / 1000).toISOString() };
}

/** Asks for fields of the project; the answer as text. */
async function ask({ url, projectId }: Month, fields: string, variables: object = {}, types = ''): Promise<string> {
  const text = `query ($id: ID!${types}) { node(id: $id) { ... on Project { ${fields} } } }`;
  return JSON.stringify(await query(url, text, { id: projectId, ...variables }));
}

async function listSpans(month: Month, variables: object): Promise<string> {
  const answer = await ask(
    month,
    `spans(first: 50, after: $after, sort: $sort, timeRange: $timeRange, filterCondition: $filterCondition) {
      looked { isWhole share }
      edges { node { id spanId name spanKind statusCode startTime latencyMs tokenCountTotal
        input { truncatedValue } output { truncatedValue } } } }`,
    { sort: { col: 'startTime', dir: 'desc' }, ...variables },
    ', $after: String, $sort: SpanSort, $timeRange: TimeRange, $filterCondition: String',
  );
  const share = /"share":([\d.]+)/.exec(answer)?.[1];
  return `${answer.split('"spanId"').length - 1} rows${share === undefined ? '' : `, looked at ${Math.round(Number(share) * 100)} %`}`;
}

async function search(month: Month, text: string, order: string): Promise<string> {
  const answer = await ask(
    month,
    `search(text: $text, order: ${order}, first: 30) { edges { node { span { id name } snippets { text } } } }`,
    { text },
    ', $text: String!',
  );
  return `${answer.split('"snippets"').length - 1} rows`;
}

async function histogram(month: Month, filterCondition: string | null): Promise<string> {
  const answer = await ask(
    month,
    `histogram(timeRange: $timeRange, filterCondition: $filterCondition, buckets: {scale: HOUR}) {
      isPartial buckets { startTime okCount errorCount unsetCount latencyMsP50 latencyMsP95 cost } }`,
    { timeRange: WEEK, filterCondition },
    ', $timeRange: TimeRange, $filterCondition: String',
  );
  return `${answer.split('"startTime"').length - 1} buckets${answer.includes('"isPartial":true') ? ', PARTIAL' : ''}`;
}

async function facets(month: Month, timeRange: object | null): Promise<string> {
  const answer = await ask(
    month,
    'facets(timeRange: $timeRange, facets: $facets) { isPartial facets { by values { count } } }',
    { timeRange, facets: FACETS.map((by) => ({ by, first: 10 })) },
    ', $timeRange: TimeRange, $facets: [FacetInput!]!',
  );
  return `${answer.split('"count"').length - 1} values${answer.includes('"isPartial":true') ? ', PARTIAL' : ''}`;
}

function facetSql(within: string): (words: SqlWords) => string {
  return ({ attribute }) =>
    ['kind', 'status', 'model_name', 'provider', 'name', attribute('tenant.id')]
      .map(
        (value) =>
          `SELECT * FROM (SELECT CAST(${value} AS TEXT) AS value, count(*) FROM spans WHERE project_id = :project AND ${within} GROUP BY 1 ORDER BY 2 DESC LIMIT 10) AS facet`,
      )
      .join(' UNION ALL ');
}

/** What the tree of a trace needs of its spans, in as many answers as its page asks for. */
async function skeleton({ url, projectId }: Month, traceId: string): Promise<string> {
  const text = `query ($id: ID!, $traceId: ID!, $limit: Int!, $after: String) { node(id: $id) { ... on Project {
    trace(traceId: $traceId) { skeleton(limit: $limit, after: $after) { columns endCursor } } } } }`;
  let count = 0;
  let after: string | null = null;
  do {
    const variables: object = { id: projectId, traceId, limit: SKELETON_STEP, after };
    const { node } = await query<SkeletonAnswer>(url, text, variables);
    const { columns, endCursor } = node.trace.skeleton;
    count += (JSON.parse(columns) as { readonly rowIds: readonly number[] }).rowIds.length;
    after = endCursor;
  } while (after !== null);
  return `${count} spans`;
}

/** Spans of one answer, as its page asks for them. */
const SKELETON_STEP = 20_000;

interface SkeletonAnswer {
  readonly node: {
    readonly trace: { readonly skeleton: { readonly columns: string; readonly endCursor: string | null } };
  };
}

function skeletonSql(traceId: string): () => string {
  return () => `SELECT id, span_id, parent_span_id, name, kind, status, start_us, end_us, total_tokens, model_name FROM spans
    WHERE trace_row_id = (SELECT id FROM traces WHERE trace_id = '${traceId}') ORDER BY start_us`;
}
