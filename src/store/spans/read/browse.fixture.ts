/** Every read of tables and pages once, for the committed text of the SQL. */
import type { KeysetRequest } from '#domain/page';
import { browseSessions } from './browse-sessions.ts';
import { browseSpans } from './browse-indexed-spans.ts';
import type { IndexedSort } from './span-walk.ts';
import { browseTraces } from './browse-traces.ts';
import { findSessionsByIdPrefix, findSpansByIdPrefix, findTracesByIdPrefix } from '../rows/find-by-id-prefix.ts';
import { findSessions, findTraceByOtelId, findTraces } from '../rows/find-rows.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { findLinkedTraces, findLinkingSpans } from '../rows/span-links.ts';
import { readSpanParts, readSpanSources } from './span-parts.ts';
import { findSpanByOtelId, findSpans, findSpansByIdentity } from '../rows/span-table.ts';
import { browseDescendants, readSubtrees } from './subtrees.ts';
import { readAttributeTexts } from './attribute-texts.ts';
import { readTraceDigests } from './trace-digests.ts';
import { readTokenCountings } from './token-counting.ts';
import { countSpansByKind, findTraceUsers, readSessionLatencyQuantiles, summarizeSessions } from './summaries.ts';

/** Runs them one by one. */
export async function recordBrowsing(
  scope: ReadScope,
  record: (name: string, run: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const project = { projectRowId: 1, rootsOnly: false };
  const after = { value: 1, rowId: 2 };
  const page: KeysetRequest<IndexedSort> = { sort: 'id', order: 'desc', limit: 10, after: null };
  const sorts: IndexedSort[] = [
    'id',
    'start_time',
    'end_time',
    'latency',
    'total_tokens',
    'prompt_tokens',
    'completion_tokens',
  ];
  for (const sort of sorts) {
    await record(`browseSpans by ${sort}`, () => browseSpans(scope, project, { ...page, sort, after }));
  }
  await record('browseSpans without a value', () =>
    browseSpans(scope, project, { ...page, sort: 'latency', after: { value: null, rowId: 2 } }),
  );
  await record('browseSpans, roots by start', () =>
    browseSpans(scope, { ...project, rootsOnly: true }, { ...page, sort: 'start_time', after }),
  );
  await record('browseSpans, roots by latency', () =>
    browseSpans(scope, { ...project, rootsOnly: true }, { ...page, sort: 'latency' }),
  );
  await record('browseSpans in bounds by latency', () =>
    browseSpans(scope, { ...project, startTimeUs: 1, endTimeUs: 2 }, { ...page, sort: 'latency', after }),
  );
  const trace = { traceRowId: 1 };
  await record('browseSpans of a trace', () => browseSpans(scope, trace, page));
  await record('browseSpans of a trace by start', () =>
    browseSpans(scope, trace, { ...page, sort: 'start_time', order: 'asc', after }),
  );
  await record('browseSpans of a trace by latency', () =>
    browseSpans(scope, trace, { ...page, sort: 'latency', after }),
  );
  const traces = { sort: 'start_time', order: 'desc', limit: 10, after } as const;
  const bounds = { projectRowId: 1, startTimeUs: 1, endTimeUs: 2 };
  await record('browseTraces by start', () => browseTraces(scope, bounds, traces));
  await record('browseTraces by latency', () =>
    browseTraces(scope, { projectRowId: 1 }, { ...traces, sort: 'latency' }),
  );
  await record('browseTraces in bounds by latency', () => browseTraces(scope, bounds, { ...traces, sort: 'latency' }));
  await record('browseTraces in bounds by tokens', () =>
    browseTraces(scope, bounds, { ...traces, sort: 'total_tokens' }),
  );
  await record('browseTraces by cost', () => browseTraces(scope, { projectRowId: 1 }, { ...traces, sort: 'cost' }));
  await record('browseTraces of a session', () =>
    browseTraces(scope, { sessionRowId: 1 }, { ...traces, order: 'asc' }),
  );
  await record('browseSessions', () => browseSessions(scope, bounds, { ...traces, sort: 'id' }));
  await record('browseSessions by tokens', () => browseSessions(scope, bounds, { ...traces, sort: 'total_tokens' }));
  await record('browseDescendants', () => browseDescendants(scope, 1, { maxDepth: 3, limit: 10, after: null }));
  await record('findSpans', () => findSpans(scope, [1]));
  await record('findTraces', () => findTraces(scope, [1]));
  await record('findSessions', () => findSessions(scope, [1]));
  await record('findSpansByIdentity', () => findSpansByIdentity(scope, [{ traceId: 'a', spanId: 'b' }]));
  await record('findSpanByOtelId', () => findSpanByOtelId(scope, 'b'));
  await record('findTraceByOtelId', () => findTraceByOtelId(scope, 'a'));
  await record('findTracesByIdPrefix', () => findTracesByIdPrefix(scope, 'a', 5));
  await record('findSpansByIdPrefix', () => findSpansByIdPrefix(scope, 'b', 5));
  await record('findSessionsByIdPrefix', () => findSessionsByIdPrefix(scope, 'c', 5));
  await record('readSpanParts', () => readSpanParts(scope, [{ rowId: 1, parts: ['report'] }]));
  await record('readSpanSources', () => readSpanSources(scope, [1]));
  await record('readAttributeTexts', () => readAttributeTexts(scope, [1], { paths: ['a'], maxLength: 10 }));
  await record('readTraceDigests', () => readTraceDigests(scope, 1, { limit: 10, after: null }));
  await record('readSubtrees', () => readSubtrees(scope, [1]));
  await record('findLinkingSpans', () => findLinkingSpans(scope, [1]));
  await record('findLinkedTraces', () => findLinkedTraces(scope, [1]));
  await record('readTokenCountings', () => readTokenCountings(scope, [1]));
  await record('TraceTrees', () => scope.trees.treeOf(scope.db, 1));
  await record('countSpansByKind', () => countSpansByKind(scope, [1]));
  await record('findTraceUsers', () => findTraceUsers(scope, [1]));
  await record('summarizeSessions', () => summarizeSessions(scope, [1]));
  await record('readSessionLatencyQuantiles', () => readSessionLatencyQuantiles(scope, [1], 0.5));
}
