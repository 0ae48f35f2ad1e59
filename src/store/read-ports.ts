/** What reader threads answer, as their callers know it. */
import type { CompiledQuery, Kysely } from 'kysely';
import type { Aggregates } from './aggregates/port.ts';
import type { SqlDialect } from './dialect/dialect.ts';
import type { LogBrowser } from './logs/port.ts';
import type { CostReader } from './spans/cost-port.ts';
import type { Tables } from './schema/tables.ts';
import type { TextSearch } from './search/port.ts';
import type { TelemetryBrowser } from './spans/browse-port.ts';
import type { SpanStore } from './spans/port.ts';
import type { ReadCalls } from './reader-calls.ts';
import { orUnavailable } from './threads/or-unavailable.ts';
import { type Callable, type MethodsOf, remotePort } from './threads/remote-port.ts';
import { remoteKysely } from './threads/remote-kysely.ts';

/** Everything that is read. */
export interface ReadPorts {
  readonly read: Kysely<Tables>;
  readonly spans: SpanStore & TelemetryBrowser & LogBrowser & CostReader;
  readonly search: TextSearch;
  readonly aggregates: Aggregates;
}

/** Reader threads, wherever they read. */
export type Readers = Callable<ReadCalls>;

/** The ports whose methods are handlers of the readers. */
export function readPorts(dialect: SqlDialect, readers: Readers): ReadPorts {
  return {
    read: remoteKysely(dialect, ({ sql, parameters }: CompiledQuery) =>
      orUnavailable(readers.call('query', [sql, parameters])),
    ),
    spans: remotePort<ReadPorts['spans']>(readers, SPAN_METHODS),
    search: remotePort<TextSearch>(readers, SEARCH_METHODS),
    aggregates: remotePort<Aggregates>(readers, AGGREGATE_METHODS),
  };
}

const SPAN_METHODS: MethodsOf<ReadPorts['spans']> = {
  listSpans: true,
  findStoredSpanIds: true,
  frameSpans: true,
  encodeArrowFrame: true,
  presentSpans: true,
  listTraces: true,
  listSessions: true,
  findSession: true,
  listSessionTraces: true,
  readTraceOriginal: true,
  listOriginals: true,
  readSpanOriginal: true,
  browseSpans: true,
  countSpans: true,
  countTraces: true,
  countSessions: true,
  browseTraces: true,
  browseSessions: true,
  browseSpansByAnnotation: true,
  browseTracesByAnnotation: true,
  browseSessionsByAnnotation: true,
  browseDescendants: true,
  readTraceSkeleton: true,
  readTraceDigests: true,
  findDamagedSpans: true,
  findSpans: true,
  findTraces: true,
  findSessions: true,
  findSpansByIdentity: true,
  findSpanByOtelId: true,
  findTraceByOtelId: true,
  findTracesByIdPrefix: true,
  findSpansByIdPrefix: true,
  findSessionsByIdPrefix: true,
  readSpanParts: true,
  readSpanSources: true,
  readSubtrees: true,
  readTokenCountings: true,
  readAttributeTexts: true,
  findLinkingSpans: true,
  findLinkedTraces: true,
  countSpansByKind: true,
  findTraceUsers: true,
  summarizeSessions: true,
  readSessionLatencyQuantiles: true,
  browseLogRecords: true,
  findLogRecords: true,
  countUnattachedLogRecords: true,
  readTraceLogs: true,
  readSpanLogs: true,
  readUnattachedLogs: true,
  readTraceCostDetails: true,
  readSessionCostDetails: true,
  readSubtreeCostDetails: true,
};

const SEARCH_METHODS: MethodsOf<TextSearch> = {
  searchTexts: true,
  countTextHits: true,
  readSnippets: true,
  readSearchCurrency: true,
};

const AGGREGATE_METHODS: MethodsOf<Aggregates> = {
  aggregate: true,
  countFacets: true,
  aggregateTraces: true,
  aggregateSessions: true,
  groupSpans: true,
  groupTraces: true,
  listUsers: true,
  countTraceFacets: true,
  countSessionFacets: true,
  summarizeAnnotations: true,
  summarizeTargets: true,
  countAnnotationNames: true,
  listDocumentEvaluationNames: true,
  evaluateDocuments: true,
  listAttributePaths: true,
  readSessionLengths: true,
  readSessionQuantiles: true,
  readTurnGaps: true,
};
