/** The rows of a table as something to run elsewhere: each text works as it stands, and finds the same rows. */
import type { FilterGrain } from '#filter/tree';
import type { Sort } from '#ui/components/data-table/table-column.ts';
import type { ResolvedTimeRange } from '#ui/lib/time-range.ts';
import { sortLiteral } from './sort-columns.ts';

/** What a table shows. */
export interface CopiedTable {
  /** The server's address with its root path, without a slash at the end. */
  readonly url: string;
  /** Whether the server asks for credentials: the texts read a key from the environment. */
  readonly needsKey: boolean;
  readonly projectId: string;
  readonly projectName: string;
  readonly grain: FilterGrain;
  /** In the filter language of the grain; null: none. */
  readonly filter: string | null;
  readonly timeRange: ResolvedTimeRange;
  readonly sort: Sort;
}

/** How a table can be asked for elsewhere. */
export type CopyForm = 'rest' | 'graphql' | 'python' | 'typescript';

/** Forms and what they are called, in the order in which they are offered. */
export const COPY_FORMS: readonly { readonly id: CopyForm; readonly label: string }[] = [
  { id: 'rest', label: 'REST (curl)' },
  { id: 'graphql', label: 'GraphQL' },
  { id: 'python', label: 'Python' },
  { id: 'typescript', label: 'TypeScript' },
];

/** The variable of the environment that has the key. */
const KEY_VARIABLE = 'CAIRN_API_KEY';

/** Writes the request in a form. REST gives the first 1,000 rows, the others all of them. */
export function copyAs(form: CopyForm, table: CopiedTable): string {
  switch (form) {
    case 'rest':
      return table.grain === 'span' ? curlSpans(table) : curlList(table);
    case 'graphql':
      return graphql(table);
    case 'python':
      return python(table);
    case 'typescript':
      return typescript(table);
    default:
      return form satisfies never;
  }
}

const PAGE_ROWS = 1000;

const LISTS = {
  span: { field: 'spans', filter: 'filterCondition', columns: 'name startTime latencyMs context { traceId spanId }' },
  trace: { field: 'traces', filter: 'traceFilterCondition', columns: 'traceId startTime latencyMs' },
  session: { field: 'sessions', filter: 'sessionFilterCondition', columns: 'sessionId startTime endTime' },
} as const;

function curlSpans({ url, needsKey, projectName, filter, timeRange }: CopiedTable): string {
  const body = {
    project_name: projectName,
    queries: [{ ...(filter !== null && { filter: { condition: filter } }) }],
    ...(timeRange.start !== undefined && { start_time: timeRange.start }),
    ...(timeRange.end !== undefined && { end_time: timeRange.end }),
    limit: PAGE_ROWS,
  };
  return [
    `curl -sS ${quote(`${url}/v1/spans`)}`,
    ...curlKey(needsKey),
    "  -H 'content-type: application/json' -H 'accept: application/json'",
    `  --data-raw ${quote(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n');
}

function curlList({ url, needsKey, projectId, grain, filter, timeRange, sort }: CopiedTable): string {
  const parameters = {
    filter: grain === 'session' ? withinRange(filter, timeRange) : filter,
    ...(grain === 'trace' && {
      start_time: timeRange.start,
      end_time: timeRange.end,
      sort: sort.column === 'latency' ? 'latency_ms' : 'start_time',
    }),
    order: sort.direction,
    limit: PAGE_ROWS,
  };
  const given = Object.entries(parameters).filter(([, value]) => value != null);
  return [
    `curl -sS -G ${quote(`${url}/v1/projects/${projectId}/${LISTS[grain].field}`)}`,
    ...curlKey(needsKey),
    ...given.map(([name, value]) => `  --data-urlencode ${quote(`${name}=${value}`)}`),
  ].join(' \\\n');
}

function curlKey(needsKey: boolean): string[] {
  return needsKey ? [`  -H "authorization: Bearer $${KEY_VARIABLE}"`] : [];
}

/** The list of sessions takes no bounds of its own: those of which any part lies in the range. */
function withinRange(filter: string | null, { start, end }: ResolvedTimeRange): string | null {
  const bounds = [
    ...(start === undefined ? [] : [`end_time >= '${start}'`]),
    ...(end === undefined ? [] : [`start_time < '${end}'`]),
  ];
  if (bounds.length === 0) return filter;
  return [...(filter === null ? [] : [`(${filter})`]), ...bounds].join(' and ');
}

function graphql({ projectId, grain, filter, timeRange, sort }: CopiedTable): string {
  const { field, filter: argument, columns } = LISTS[grain];
  const range = Object.entries<string | undefined>({ ...timeRange })
    .filter(([, time]) => time !== undefined)
    .map(([end, time]) => `${end}: ${JSON.stringify(time)}`);
  const given = [
    `first: ${PAGE_ROWS}`,
    ...(filter === null ? [] : [`${argument}: ${JSON.stringify(filter)}`]),
    ...(range.length === 0 ? [] : [`timeRange: { ${range.join(', ')} }`]),
    `sort: ${sortLiteral(grain, sort)}`,
  ];
  return `query {
  node(id: ${JSON.stringify(projectId)}) {
    ... on Project {
      ${field}(
${given.map((line) => `        ${line}`).join('\n')}
      ) {
        edges { node { id ${columns} } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
`;
}

/** The same query with variables, for programs that read page by page. */
function pagedQuery({ grain, sort }: CopiedTable): string {
  const { field, filter, columns } = LISTS[grain];
  return `query ($project: ID!, $filter: String, $timeRange: TimeRange, $after: String) {
  node(id: $project) {
    ... on Project {
      ${field}(
        first: ${PAGE_ROWS}
        after: $after
        ${filter}: $filter
        timeRange: $timeRange
        sort: ${sortLiteral(grain, sort)}
      ) {
        edges { node { id ${columns} } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;
}

function python(table: CopiedTable): string {
  const { url, needsKey, projectId, filter, timeRange, grain } = table;
  const key = `, "authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}"`;
  return `import json
${needsKey ? 'import os\n' : ''}import urllib.request

QUERY = """
${pagedQuery(table)}
"""

variables = {
    "project": ${literal(projectId)},
    "filter": ${filter === null ? 'None' : literal(filter)},
    "timeRange": {${Object.entries<string | undefined>({ ...timeRange })
      .filter(([, time]) => time !== undefined)
      .map(([end, time]) => `"${end}": ${literal(time ?? '')}`)
      .join(', ')}},
    "after": None,
}
while True:
    body = json.dumps({"query": QUERY, "variables": variables}).encode()
    request = urllib.request.Request(
        ${literal(`${url}/graphql`)}, body, {"content-type": "application/json"${needsKey ? key : ''}}
    )
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
    if answer.get("errors"):
        raise RuntimeError(answer["errors"][0]["message"])
    page = answer["data"]["node"]["${LISTS[grain].field}"]
    for edge in page["edges"]:
        print(json.dumps(edge["node"]))
    if not page["pageInfo"]["hasNextPage"]:
        break
    variables["after"] = page["pageInfo"]["endCursor"]
`;
}

function typescript(table: CopiedTable): string {
  const { url, needsKey, projectId, filter, timeRange, grain } = table;
  const key = `, authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\``;
  const variables = JSON.stringify({ project: projectId, filter, timeRange }, null, 2);
  return `const query = \`
${pagedQuery(table)}
\`;
const variables = ${variables};
let after: string | null = null;
do {
  const response: Response = await fetch(${literal(`${url}/graphql`)}, {
    method: 'POST',
    headers: { 'content-type': 'application/json'${needsKey ? key : ''} },
    body: JSON.stringify({ query, variables: { ...variables, after } }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  const { edges, pageInfo } = data.node.${LISTS[grain].field};
  for (const { node } of edges) console.log(JSON.stringify(node));
  after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
} while (after !== null);

export {};
`;
}

/** A literal of JSON is one of Python and of TypeScript, too. */
function literal(text: string): string {
  return JSON.stringify(text);
}

/** For a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
