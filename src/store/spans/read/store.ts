/** The span store on a relational engine. */
import type { Kysely } from 'kysely';
import type { SqlDialect } from '../../dialect/dialect.ts';
import type { Tables } from '../../schema/tables.ts';
import type { LogBrowser } from '../../logs/port.ts';
import { browseLogRecords, countUnattachedLogRecords, findLogRecords } from '../../logs/read/browse-records.ts';
import { readSpanLogs, readTraceLogs, readUnattachedLogs } from '../../logs/read/read-log-originals.ts';
import type { CostReader } from '../cost-port.ts';
import { readSessionCostDetails, readSubtreeCostDetails, readTraceCostDetails } from './read-cost-details.ts';
import type { SetCatalogue } from '../../sets/define-set.ts';
import type { TelemetryBrowser } from '../browse-port.ts';
import type { FrameMaker } from '../frame-maker.ts';
import type { SpanStore } from '../port.ts';
import type { SpanPresenters } from '../presenter.ts';
import { browseDescendants, readSubtrees } from './subtrees.ts';
import { browseSessionsByAnnotation, browseSpansByAnnotation, browseTracesByAnnotation } from './browse-annotated.ts';
import { browseSessions } from './browse-sessions.ts';
import { browseSpans, countSpans } from './browse-spans.ts';
import { browseTraces } from './browse-traces.ts';
import { countSessions } from '../../query/grains/search-sessions.ts';
import { countTraces } from '../../query/grains/search-traces.ts';
import { EnvelopeCache } from '../rows/envelope-cache.ts';
import { findSessionsByIdPrefix, findSpansByIdPrefix, findTracesByIdPrefix } from '../rows/find-by-id-prefix.ts';
import { findSessions, findTraceByOtelId, findTraces } from '../rows/find-rows.ts';
import { findSession, listSessions, listSessionTraces } from './list-sessions.ts';
import { findStoredSpanIds } from './find-stored-span-ids.ts';
import { frameSpans } from './frame-spans.ts';
import { listSpans } from './list-spans.ts';
import { listTraces } from './list-traces.ts';
import { presentSpans } from './present-spans.ts';
import { listOriginals, readSpanOriginal, readTraceOriginal } from './read-original.ts';
import { readSpanParts, readSpanSources } from './span-parts.ts';
import { findLinkedTraces, findLinkingSpans } from '../rows/span-links.ts';
import { findSpanByOtelId, findSpans, findSpansByIdentity } from '../rows/span-table.ts';
import { readAttributeTexts } from './attribute-texts.ts';
import { readTokenCountings } from './token-counting.ts';
import { countSpansByKind, findTraceUsers, readSessionLatencyQuantiles, summarizeSessions } from './summaries.ts';
import { findDamagedSpans } from './damaged-spans.ts';
import { readTraceDigests } from './trace-digests.ts';
import { readTraceSkeleton } from './trace-skeleton.ts';
import { TraceTrees } from '../rows/trace-trees.ts';

/** Reads through the handle; originals are decoded in the calling thread, so it belongs into a reader's. */
export function relationalSpanStore(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  presenters: SpanPresenters,
  frames: FrameMaker,
  sets?: SetCatalogue,
): SpanStore & TelemetryBrowser & LogBrowser & CostReader {
  const scope = { db, dialect, envelopes: new EnvelopeCache(), trees: new TraceTrees(), sets };
  return {
    listSpans: (filter, page) => listSpans(scope, filter, page),
    findStoredSpanIds: (spanIds) => findStoredSpanIds(scope, spanIds),
    frameSpans: (request) => frameSpans(scope, frames, request),
    encodeArrowFrame: (frame) => frames.encodeArrow(frame),
    presentSpans: (filter, page, as) => presentSpans(scope, filter, page, presenters[as]),
    listTraces: (filter, page, includeSpans) => listTraces(scope, filter, page, includeSpans),
    listSessions: (filter, page) => listSessions(scope, filter, page),
    findSession: (ref, projectRowId) => findSession(scope, ref, projectRowId),
    listSessionTraces: (rowIds) => listSessionTraces(scope, rowIds),
    readTraceOriginal: (ref, format) => readTraceOriginal(scope, ref, format),
    listOriginals: (filter, page, format) => listOriginals(scope, filter, page, format),
    readSpanOriginal: (ref, format) => readSpanOriginal(scope, ref, format),
    browseSpans: (spans, page) => browseSpans(scope, spans, page),
    countSpans: (spans, milliseconds) => countSpans(scope, spans, milliseconds),
    countTraces: (traces, milliseconds) => countTraces(scope, traces, milliseconds),
    countSessions: (sessions, milliseconds) => countSessions(scope, sessions, milliseconds),
    browseTraces: (traces, page) => browseTraces(scope, traces, page),
    browseSessions: (sessions, page) => browseSessions(scope, sessions, page),
    browseSpansByAnnotation: (spans, page) => browseSpansByAnnotation(scope, spans, page),
    browseTracesByAnnotation: (traces, page) => browseTracesByAnnotation(scope, traces, page),
    browseSessionsByAnnotation: (sessions, page) => browseSessionsByAnnotation(scope, sessions, page),
    browseDescendants: (rowId, page) => browseDescendants(scope, rowId, page),
    readTraceSkeleton: (traceRowId, request) => readTraceSkeleton(scope, traceRowId, request),
    findDamagedSpans: (traceRowId) => findDamagedSpans(scope, traceRowId),
    readTraceDigests: (traceRowId, request) => readTraceDigests(scope, traceRowId, request),
    findSpans: (rowIds) => findSpans(scope, rowIds),
    findTraces: (rowIds) => findTraces(scope, rowIds),
    findSessions: (rowIds) => findSessions(scope, rowIds),
    findSpansByIdentity: (identities) => findSpansByIdentity(scope, identities),
    findSpanByOtelId: (spanId) => findSpanByOtelId(scope, spanId),
    findTraceByOtelId: (traceId) => findTraceByOtelId(scope, traceId),
    findTracesByIdPrefix: (prefix, limit) => findTracesByIdPrefix(scope, prefix, limit),
    findSpansByIdPrefix: (prefix, limit) => findSpansByIdPrefix(scope, prefix, limit),
    findSessionsByIdPrefix: (prefix, limit) => findSessionsByIdPrefix(scope, prefix, limit),
    readSpanParts: (wanted) => readSpanParts(scope, wanted),
    readSpanSources: (rowIds) => readSpanSources(scope, rowIds),
    readSubtrees: (rowIds) => readSubtrees(scope, rowIds),
    readAttributeTexts: (rowIds, wanted) => readAttributeTexts(scope, rowIds, wanted),
    readTokenCountings: (rowIds) => readTokenCountings(scope, rowIds),
    findLinkingSpans: (rowIds) => findLinkingSpans(scope, rowIds),
    findLinkedTraces: (rowIds) => findLinkedTraces(scope, rowIds),
    countSpansByKind: (rowIds) => countSpansByKind(scope, rowIds),
    findTraceUsers: (rowIds) => findTraceUsers(scope, rowIds),
    summarizeSessions: (rowIds) => summarizeSessions(scope, rowIds),
    readSessionLatencyQuantiles: (rowIds, probability) => readSessionLatencyQuantiles(scope, rowIds, probability),
    readTraceCostDetails: (rowIds) => readTraceCostDetails(scope, rowIds),
    readSessionCostDetails: (rowIds) => readSessionCostDetails(scope, rowIds),
    readSubtreeCostDetails: (rowIds) => readSubtreeCostDetails(scope, rowIds),
    browseLogRecords: (logs, page) => browseLogRecords(scope, logs, page),
    findLogRecords: (rowIds) => findLogRecords(scope, rowIds),
    countUnattachedLogRecords: (rowIds) => countUnattachedLogRecords(scope, rowIds),
    readTraceLogs: (ref, format) => readTraceLogs(scope, ref, format),
    readSpanLogs: (ref, format) => readSpanLogs(scope, ref, format),
    readUnattachedLogs: (projectRowId, page, format) => readUnattachedLogs(scope, projectRowId, page, format),
  };
}
