/** What arrived of selected rows, as one OTLP JSON message. */
import type { Environment } from 'relay-runtime';
import type { FilterGrain } from '#filter/tree';
import { serverConfig } from '#ui/lib/server-config.ts';
import { ServerError } from '#ui/lib/server-error.ts';
import { fetchInSession } from '#ui/lib/session.ts';
import { readTraceIds } from '../export/rows-by-id.ts';
import type { ExportedRow, FilePart } from '../export/write-rows.ts';

/** Ids in one address, which servers bound. */
const MAX_IDS = 100;
const MAX_SPANS = 1000;

/** What stands behind the parts. */
export const ORIGINALS_END = ']}\n';

/** The message without its end, part by part. */
export async function* readOriginals(
  environment: Environment,
  projectId: string,
  grain: FilterGrain,
  pages: AsyncIterable<readonly ExportedRow[]>,
): AsyncGenerator<FilePart> {
  yield { text: '{"resourceSpans":[', rows: 0 };
  let isFirst = true;
  for await (const rows of pages) {
    for (let start = 0; start < rows.length; start += MAX_IDS) {
      const some = rows.slice(start, start + MAX_IDS);
      let counted = some.length;
      for (const criteria of await toCriteria(environment, grain, some)) {
        for await (const resourceSpans of readMessages(projectId, criteria)) {
          yield { text: isFirst ? resourceSpans : `,${resourceSpans}`, rows: counted };
          isFirst = false;
          counted = 0;
        }
      }
    }
  }
}

/** Which spans the rows stand for, in the words of the route: those of their traces, or they themselves. */
async function toCriteria(
  environment: Environment,
  grain: FilterGrain,
  rows: readonly ExportedRow[],
): Promise<readonly URLSearchParams[]> {
  if (grain !== 'session') {
    const parameters = new URLSearchParams();
    for (const traceId of new Set(rows.map(({ cells }) => String(cells['traceId']))))
      parameters.append('trace_id', traceId);
    if (grain === 'span') for (const { cells } of rows) parameters.append('span_id', String(cells['spanId']));
    return [parameters];
  }
  const all: string[] = [];
  for (const { id } of rows) all.push(...(await readTraceIds(environment, id)));
  return Array.from({ length: Math.ceil(all.length / MAX_IDS) }, (_, index) => {
    const some = all.slice(index * MAX_IDS, (index + 1) * MAX_IDS);
    return new URLSearchParams(some.map((traceId) => ['trace_id', traceId]));
  });
}

/** The elements of `resourceSpans` of each page, as text: what arrived is not rewritten. */
async function* readMessages(projectId: string, criteria: URLSearchParams): AsyncGenerator<string> {
  let cursor: string | null = null;
  do {
    const parameters = new URLSearchParams(criteria);
    parameters.set('format', 'json');
    parameters.set('order', 'asc');
    parameters.set('limit', String(MAX_SPANS));
    if (cursor !== null) parameters.set('cursor', cursor);
    const path = `/v1/projects/${encodeURIComponent(projectId)}/spans/original?${parameters.toString()}`;
    const response = await fetchInSession(`${serverConfig.rootPath}${path}`, {});
    const text = await response.text();
    if (!response.ok) throw new ServerError(text || `The server responded with status ${response.status}.`, null);
    const elements = text.slice(text.indexOf('[') + 1, text.lastIndexOf(']'));
    if (elements !== '') yield elements;
    cursor = response.headers.get('x-next-cursor');
  } while (cursor !== null);
}
