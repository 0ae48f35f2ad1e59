/** Reads for people who look around: pages of rows with what tables show, single rows, whole spans, and sums beside them. */
import type { CostDetail } from '#derive/cost/amounts';
import type { KeysetPage, KeysetRequest } from '#domain/page';
import type { SpanKind } from '#domain/span';
import type { TokenRemark } from '#domain/token-remark';
import type { Condition } from '#filter/tree';
import type { SpanReading } from '#normalize/explain/span-reading';
import type { AnnotationPage, AnnotationPageRequest } from '#domain/annotation-page';
import type { SessionRow, SpanRow, TraceRow } from './port.ts';

/** The beginning of an input or output. */
export interface ValuePreview {
  /** Of what a model said to tools or heard from them, of what was said last in JSON, else of the whole: the first 100 characters. */
  readonly start: string;
  /** All of it, where the row holds it. */
  readonly whole: string | null;
  readonly isJson: boolean;
}

/** A span as tables show it; no original is opened for it. */
export interface SpanTableRow extends SpanRow {
  readonly projectRowId: number;
  /** Whether it has not ended; its end is that of its start then. */
  readonly isOpen: boolean;
  readonly sessionId: string | null;
  readonly userId: string | null;
  readonly modelName: string | null;
  readonly provider: string | null;
  /** Tokens as the span claims them. */
  readonly promptTokenCount: number | null;
  readonly completionTokenCount: number | null;
  readonly cacheReadTokenCount: number | null;
  readonly cacheWriteTokenCount: number | null;
  readonly promptAudioTokenCount: number | null;
  /** Whether any of that counts in sums. */
  readonly countsInSums: boolean;
  readonly cost: SpanCost;
  /** Milliseconds until the model began to answer, as the producer reports them. */
  readonly timeToFirstTokenMs: number | null;
  readonly input: ValuePreview | null;
  readonly output: ValuePreview | null;
}

/** What a span claims that it cost, whether that counts in sums or not. */
export interface SpanCost {
  /** In billionths of a US dollar: as reported, else as computed; `null` where neither is known. */
  readonly totalNanoUsd: number | null;
  /** Of each side; `null` where only the whole is known. */
  readonly promptNanoUsd: number | null;
  readonly completionNanoUsd: number | null;
  /** As the producer reports it, in US dollars. */
  readonly reportedUsd: number | null;
  /** By the price table, in US dollars; `null` where the model has no price. */
  readonly computedUsd: number | null;
  /** The account of that; empty where there is none. */
  readonly details: readonly CostDetail[];
}

/** Start inclusive, end exclusive, microseconds since the Unix epoch. */
export interface TimeBounds {
  readonly startTimeUs?: number | undefined;
  readonly endTimeUs?: number | undefined;
}

/** Spans of a project by their start, or all of a trace; those that match the condition where there is one. */
export type SpanScope = { readonly condition?: Condition | undefined } & (
  | (TimeBounds & {
      readonly projectRowId: number;
      /** Only those that name no parent. */
      readonly rootsOnly: boolean;
      /** Only those of traces that match. */
      readonly traceCondition?: Condition | undefined;
    })
  | { readonly traceRowId: number }
);

/** A number of spans. */
export interface SpanCount {
  readonly count: number;
  /** Whether there are no more; not where time did not suffice to look at all of them. */
  readonly isExact: boolean;
  /** Share of the spans that were looked at, at least in columns: 0 to 1. */
  readonly share: number;
}

/** Orders of spans. Rows without a value come last either way, in order of arrival. */
export type SpanTableSort =
  | 'id'
  | 'start_time'
  | 'end_time'
  | 'latency'
  | 'total_tokens'
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'cost'
  | CumulativeSort;

/** Orders by what a span and all below it come to, as {@link Subtree} says it. */
export type CumulativeSort =
  | 'cumulative_total_tokens'
  | 'cumulative_prompt_tokens'
  | 'cumulative_completion_tokens'
  | 'cumulative_cost';

/** Traces of a project by their start, those that match the condition where there is one; or all of a session. */
export type TraceScope = ProjectTraceScope | { readonly sessionRowId: number };

/** Traces of a project by their start. */
export type ProjectTraceScope = TimeBounds & {
  readonly projectRowId: number;
  readonly condition?: Condition | undefined;
};

/** Orders of traces; tokens and costs are the trace's sums of what counts. */
export type TraceTableSort = 'start_time' | 'latency' | 'total_tokens' | 'cost';

/** Sessions of a project that lie in the bounds, in part at least; those that match the condition where there is one. */
export type SessionScope = TimeBounds & { readonly projectRowId: number; readonly condition?: Condition | undefined };

/** Traces or sessions of a project that match. */
export type MatchScope = TimeBounds & { readonly projectRowId: number; readonly condition: Condition };

/** Orders of sessions. */
export type SessionTableSort = 'id' | 'start_time' | 'end_time' | 'total_tokens' | 'trace_count' | 'cost';

/** A span by both of its ids. */
export interface SpanIdentity {
  readonly traceId: string;
  readonly spanId: string;
}

/** What of a whole span is wanted. */
export type SpanPart = 'attributes' | 'derived' | 'values' | 'report' | 'reading';

/** Parts of a whole span as texts that cross threads cheaply; `undefined` for what was not asked for. */
export interface SpanParts {
  readonly rowId: number;
  /** All attributes but vectors, nested, as JSON text. */
  readonly attributes?: string;
  /** What was derived, by dotted path, as JSON text. */
  readonly derived?: string;
  readonly values?: { readonly input: string | null; readonly output: string | null };
  readonly report?: SpanReport;
  readonly reading?: SpanReading;
  /** Why there is nothing else: the original is damaged. */
  readonly damage?: string;
  /** Whether there is nothing else because those before it take all the room of an answer. */
  readonly isLeftOut?: boolean;
}

/** Which attributes are wanted as texts, by their dotted paths; a longer text is cut and ends in `…`. */
export interface AttributeTexts {
  readonly paths: readonly string[];
  readonly maxLength: number;
}

/** The texts, in the order of the paths, or why they were not read. */
export type TextsOfSpan = readonly (string | null)[] | { readonly damage: string } | { readonly isLeftOut: true };

/** What a span reports beside its attributes. */
export interface SpanReport {
  readonly statusMessage: string;
  readonly events: readonly SpanEventReport[];
  readonly links: readonly SpanLinkReport[];
  /** JSON text. */
  readonly metadata: string | null;
  readonly tags: readonly string[];
  readonly tokenRemarks: readonly TokenRemark[];
  /** Documents that were retrieved; `null` where it says nothing of any. */
  readonly documentCount: number | null;
}

/** A pointer to another span. */
export interface SpanLinkReport extends SpanIdentity {
  /** JSON text. */
  readonly attributes: string;
}

/** A record inside a span. */
export interface SpanEventReport {
  readonly name: string;
  readonly timeUs: number;
  /** What an exception says; else empty. */
  readonly message: string;
  /** JSON text. */
  readonly attributes: string;
}

/** What produced a span. */
export interface SpanSource {
  /** Attributes of the resource as JSON text. */
  readonly resource: string;
  readonly scope: { readonly name: string; readonly version: string };
}

/** What a span and all below it come to, in its trace. */
export interface Subtree {
  readonly childCount: number;
  readonly errorCount: number;
  /** Tokens that count: a wrapper that repeats its children adds nothing. */
  readonly promptTokenCount: number;
  readonly completionTokenCount: number;
  /** What they cost. */
  readonly costNanoUsd: number;
  readonly promptCostNanoUsd: number;
  readonly completionCostNanoUsd: number;
}

/** Why what a span claims counts in sums or does not. */
export const TOKEN_COUNTING_REASONS = [
  'counted',
  /** Model calls below it stand for it. */
  'calls_below',
  /** Another instrumentation describes the same call. */
  'same_call',
  /** Only model calls count. */
  'other_kind',
] as const;

/** Row ids of other traces that a trace is linked with, a bounded number of each. */
export interface LinkedTraces {
  /** Those that its spans link to. */
  readonly to: readonly number[];
  /** Those whose spans link to it. */
  readonly from: readonly number[];
}

/** Whether the tokens that a span claims count in sums. */
export interface TokenCounting {
  readonly reason: (typeof TOKEN_COUNTING_REASONS)[number];
  /** The spans that stand for it, at most 1,000; none where none do. */
  readonly spanRowIds: readonly number[];
  /** Tokens that it claims beyond those of the calls below it. */
  readonly surplus: number;
}

/** A session beside its row. */
export interface SessionSummary {
  readonly errorTraceCount: number;
  /** Root spans that have them: the first by start, and the last. */
  readonly firstInputSpanRowId: number | null;
  readonly lastOutputSpanRowId: number | null;
  /** Of the earliest span that names one. */
  readonly userId: string | null;
}

/** Which part of a trace's skeleton. */
export interface SkeletonRequest {
  /** Spans at most, at least 1. */
  readonly limit: number;
  readonly after: SkeletonPosition | null;
}

/** Where a span stands in its trace. */
export interface SkeletonPosition {
  readonly startTimeUs: number;
  readonly rowId: number;
}

/** Spans of a trace as columns. */
export interface SkeletonPage {
  /**
   * JSON text: an object of lists, one entry for each span, earliest start first. Kinds and status codes are places in the
   * lists of names beside them.
   */
  readonly columns: string;
  /** After which span it goes on; `null` at the end. */
  readonly next: SkeletonPosition | null;
}

/** A span that cannot be read whole. */
export interface DamagedSpan {
  /** `null` where its row cannot be read either. */
  readonly rowId: number | null;
  readonly spanId: string;
  /** Empty where its row cannot be read. */
  readonly name: string;
  /** A sentence that says what is damaged, and how many bytes of it. */
  readonly damage: string;
}

/** Spans of a trace that cannot be read whole, a bounded number. */
export interface DamagedSpans {
  readonly spans: readonly DamagedSpan[];
  /** Spans that were looked at. */
  readonly searchedCount: number;
  /** Whether these are all that there are. */
  readonly isWhole: boolean;
}

/** Reads for tables and pages. What is not there is left out of maps. */
export interface TelemetryBrowser {
  browseSpans(spans: SpanScope, page: KeysetRequest<SpanTableSort>): Promise<KeysetPage<SpanTableRow>>;
  /** Counts for so many milliseconds at most. */
  countSpans(spans: SpanScope, milliseconds: number): Promise<SpanCount>;
  /** Traces that match; counts for so many milliseconds at most. */
  countTraces(traces: MatchScope, milliseconds: number): Promise<SpanCount>;
  /** Sessions that match; likewise. */
  countSessions(sessions: MatchScope, milliseconds: number): Promise<SpanCount>;
  browseTraces(traces: TraceScope, page: KeysetRequest<TraceTableSort>): Promise<KeysetPage<TraceRow>>;
  browseSessions(sessions: SessionScope, page: KeysetRequest<SessionTableSort>): Promise<KeysetPage<SessionRow>>;
  browseSpansByAnnotation(spans: SpanScope, page: AnnotationPageRequest): Promise<AnnotationPage<SpanTableRow>>;
  browseTracesByAnnotation(traces: ProjectTraceScope, page: AnnotationPageRequest): Promise<AnnotationPage<TraceRow>>;
  browseSessionsByAnnotation(sessions: SessionScope, page: AnnotationPageRequest): Promise<AnnotationPage<SessionRow>>;
  /**
   * Spans below a span, those of one level after those of the level above, earliest start first.
   * @param maxDepth levels below the span; 0 for all
   * @param after the span row id that the page before ended with
   */
  browseDescendants(
    spanRowId: number,
    page: { readonly maxDepth: number; readonly limit: number; readonly after: number | null },
  ): Promise<{ readonly rows: readonly SpanTableRow[]; readonly hasMore: boolean }>;
  readTraceSkeleton(traceRowId: number, request: SkeletonRequest): Promise<SkeletonPage>;
  /** The same spans: `rowIds`, and a digest of each part of what they hold. A page ends early where that takes long. */
  readTraceDigests(traceRowId: number, request: SkeletonRequest): Promise<SkeletonPage>;
  /** Spans of a trace that cannot be read whole. */
  findDamagedSpans(traceRowId: number): Promise<DamagedSpans>;
  findSpans(rowIds: readonly number[]): Promise<ReadonlyMap<number, SpanTableRow>>;
  findTraces(rowIds: readonly number[]): Promise<ReadonlyMap<number, TraceRow>>;
  findSessions(rowIds: readonly number[]): Promise<ReadonlyMap<number, SessionRow>>;
  /** By both ids, in their order. */
  findSpansByIdentity(identities: readonly SpanIdentity[]): Promise<readonly (SpanTableRow | undefined)[]>;
  /** The newest span that has the id. */
  findSpanByOtelId(spanId: string): Promise<SpanTableRow | undefined>;
  findTraceByOtelId(traceId: string): Promise<TraceRow | undefined>;
  /** By the beginning of the hexadecimal id, in order of ids. */
  findTracesByIdPrefix(prefix: string, limit: number): Promise<readonly TraceRow[]>;
  /** By the beginning of the hexadecimal id, the newest first. */
  findSpansByIdPrefix(prefix: string, limit: number): Promise<readonly SpanTableRow[]>;
  /** By the beginning of the application’s own id, in order of ids. */
  findSessionsByIdPrefix(prefix: string, limit: number): Promise<readonly SessionRow[]>;
  /** In the order in which they are wanted, until they are as much as one answer may hold: all after that are left out. */
  readSpanParts(
    wanted: readonly { readonly rowId: number; readonly parts: readonly SpanPart[] }[],
  ): Promise<ReadonlyMap<number, SpanParts>>;
  /**
   * By row id, in the order of the paths; `null` for what a span has not. Texts stay as they are, all else is JSON. Spans are left out
   * as by `readSpanParts`.
   */
  readAttributeTexts(rowIds: readonly number[], wanted: AttributeTexts): Promise<ReadonlyMap<number, TextsOfSpan>>;
  readSpanSources(rowIds: readonly number[]): Promise<ReadonlyMap<number, SpanSource>>;
  /** By span row id. Of a trace with more spans than are read at once, the earliest count. */
  readSubtrees(spanRowIds: readonly number[]): Promise<ReadonlyMap<number, Subtree>>;
  /** By span row id; spans that claim no tokens and no cost are left out. */
  readTokenCountings(spanRowIds: readonly number[]): Promise<ReadonlyMap<number, TokenCounting>>;
  /** By row id of the span that is named: spans whose links name it, in order of arrival, a bounded number of each. */
  findLinkingSpans(spanRowIds: readonly number[]): Promise<ReadonlyMap<number, readonly SpanTableRow[]>>;
  findLinkedTraces(traceRowIds: readonly number[]): Promise<ReadonlyMap<number, LinkedTraces>>;
  /** By trace row id; kinds that do not occur are left out. */
  countSpansByKind(traceRowIds: readonly number[]): Promise<ReadonlyMap<number, ReadonlyMap<SpanKind, number>>>;
  /** By trace row id: what the earliest span that names a user names. */
  findTraceUsers(traceRowIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** By session row id. */
  summarizeSessions(sessionRowIds: readonly number[]): Promise<ReadonlyMap<number, SessionSummary>>;
  /**
   * By session row id: latency of its traces in milliseconds at the probability, between two traces in proportion.
   */
  readSessionLatencyQuantiles(
    sessionRowIds: readonly number[],
    probability: number,
  ): Promise<ReadonlyMap<number, number>>;
}
