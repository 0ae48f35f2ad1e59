/**
 * The one door to stored telemetry for everyone who reads. Implementations promise outcomes, which contract.ts tests;
 * callers never learn tables, threads or engines.
 */
import type { Page } from '#domain/page';
import type { SpanKind, SpanStatusCode } from '#domain/span';
import type { Condition } from '#filter/tree';
import type { LostSpan } from '../engine/damage.ts';
import type { FrameColumn, FrameQuery, SpanFramePage, WholeFrame } from './frame.ts';

/** A stored span as lists show it: what the narrow row holds, without opening the original. */
export interface SpanRow {
  readonly rowId: number;
  readonly traceRowId: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly statusCode: SpanStatusCode;
  /** Microseconds since the Unix epoch. */
  readonly startTimeUs: number;
  /** Microseconds since the Unix epoch; never before the start. */
  readonly endTimeUs: number;
}

/** An attribute must equal a value of exactly this type. An integer also equals a stored float of the same value. */
export interface AttributeEquals {
  /** Dotted path, as `llm.model_name`. */
  readonly path: string;
  /** The value as JSON text, which tells `1` from `1.0` and crosses threads as it is: a text, a number or a boolean. */
  readonly json: string;
}

/** Which spans: values of one field are alternatives, fields narrow each other. An absent field does not narrow. */
export interface SpanFilter {
  readonly projectRowId: number;
  /** Inclusive, of the span's start, microseconds since the Unix epoch. */
  readonly startTimeUs?: number | undefined;
  /** Exclusive, of the span's start, microseconds since the Unix epoch. */
  readonly endTimeUs?: number | undefined;
  readonly traceIds?: readonly string[] | undefined;
  readonly spanIds?: readonly string[] | undefined;
  /** `null`: spans that name no parent. */
  readonly parentSpanId?: string | null | undefined;
  readonly names?: readonly string[] | undefined;
  readonly kinds?: readonly SpanKind[] | undefined;
  readonly statusCodes?: readonly SpanStatusCode[] | undefined;
  /** All must hold. */
  readonly attributes?: readonly AttributeEquals[] | undefined;
  readonly condition?: Condition | undefined;
}

/** Which part of a list, in which order. */
export interface PageRequest<Sort extends string> {
  readonly sort: Sort;
  readonly order: 'asc' | 'desc';
  /** Rows at most, at least 1. */
  readonly limit: number;
  /** From the page before; @throws AppError `invalid_argument` when it is not a cursor of this sort. */
  readonly cursor: string | null;
}

/** Orders of a span list: arrival, or start time; both end in the row id. */
export type SpanSort = 'id' | 'start_time';

/** Which text is made of each span of a page; the forms are registered where the readers are put together. */
export type SpanPresentation = 'span' | 'otlp';

/** What calls that count cost, in billionths of a US dollar. */
export interface CostSums {
  /** Of both sides, and of what is known of no side. */
  readonly costNanoUsd: number;
  readonly promptCostNanoUsd: number;
  readonly completionCostNanoUsd: number;
}

/** What a list of sessions says of a trace. */
export type SessionTrace = Pick<TraceRow, 'rowId' | 'traceId' | 'startTimeUs' | 'endTimeUs'>;

/** A stored trace with its sums. */
export interface TraceRow extends CostSums {
  readonly rowId: number;
  readonly traceId: string;
  readonly projectRowId: number;
  readonly sessionRowId: number | null;
  readonly sessionId: string | null;
  readonly startTimeUs: number;
  readonly endTimeUs: number;
  readonly spanCount: number;
  readonly errorCount: number;
  /** Tokens that count: a wrapper that repeats its children adds nothing. */
  readonly promptTokenCount: number;
  readonly completionTokenCount: number;
  readonly rootSpanRowId: number | null;
}

/** Which traces. */
export interface TraceFilter {
  readonly projectRowId: number;
  readonly startTimeUs?: number | undefined;
  readonly endTimeUs?: number | undefined;
  /** Whether any span of it ended in an error. */
  readonly hasErrors?: boolean | undefined;
  /** Inclusive, in microseconds. */
  readonly minLatencyUs?: number | undefined;
  /** Inclusive, in microseconds. */
  readonly maxLatencyUs?: number | undefined;
  /** Alternatives: rows of sessions, or their texts within the project; an empty list matches nothing. */
  readonly sessions?: readonly SessionRef[] | undefined;
  readonly condition?: Condition | undefined;
}

/** Orders of a trace list; both end in the row id. */
export type TraceSort = 'start_time' | 'latency_ms';

/** A session by its row or by the text that the application gave it. */
export type SessionRef = { readonly rowId: number } | { readonly sessionId: string };

/** A page of sessions. */
export interface SessionPage extends Page<SessionRow> {
  /** By row id of their session. */
  readonly traces: ReadonlyMap<number, readonly SessionTrace[]>;
}

/** A stored session with its sums and its traces. */
export interface SessionRow extends CostSums {
  readonly rowId: number;
  readonly sessionId: string;
  readonly projectRowId: number;
  readonly startTimeUs: number;
  readonly endTimeUs: number;
  readonly traceCount: number;
  readonly promptTokenCount: number;
  readonly completionTokenCount: number;
}

/** A page of traces with, where they were asked for, the spans of each, earliest start first. */
export interface TracePage extends Page<TraceRow> {
  /** By trace row id; empty unless spans were asked for. */
  readonly spans: ReadonlyMap<number, readonly SpanRow[]>;
}

/** A trace or span by its row, or by the OpenTelemetry id that the application gave it. */
export type TelemetryRef = { readonly rowId: number } | { readonly otelId: string };

/** How an original can be had: the protobuf message, to the byte, or its OTLP JSON form. */
export const ORIGINAL_FORMATS = ['protobuf', 'json'] as const;

/** One of {@link ORIGINAL_FORMATS}. */
export type OriginalFormat = (typeof ORIGINAL_FORMATS)[number];

/** What arrived. */
export interface Original {
  /** An `ExportTraceServiceRequest` with the spans asked for, in order of arrival. */
  readonly body: Uint8Array;
  readonly spanCount: number;
  /** Spans that are left out because their originals are damaged. */
  readonly damaged: readonly LostSpan[];
}

/** A page of spans as texts. It may have fewer than the limit, or none, where it goes on. */
export interface PresentedPage {
  /** The texts with commas between them. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly nextCursor: string | null;
  /** Spans that are left out because their originals are damaged. */
  readonly damaged: readonly LostSpan[];
}

/** What arrived of a page of spans. It may have fewer spans than the limit, or none, where it goes on. */
export interface OriginalPage extends Original {
  readonly nextCursor: string | null;
}

/** What a page of a data frame is made of. */
export interface FrameRequest {
  readonly filter: SpanFilter;
  readonly page: PageRequest<SpanSort>;
  readonly query: FrameQuery;
  /** Those of the pages before; `null` for the first page. */
  readonly columns: readonly FrameColumn[] | null;
}

/** Reads stored telemetry. Every list is bounded by its limit and ends in a unique order. */
export interface SpanStore {
  /** One page of rows. */
  listSpans(filter: SpanFilter, page: PageRequest<SpanSort>): Promise<Page<SpanRow>>;
  /** Those of the span ids that any span has, in any project. */
  findStoredSpanIds(spanIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** One page of a data frame. */
  frameSpans(request: FrameRequest): Promise<SpanFramePage>;
  /** The frame as an Arrow IPC stream. */
  encodeArrowFrame(frame: WholeFrame): Promise<Uint8Array>;
  /** One page, each span made a JSON text of the named form from its original. */
  presentSpans(filter: SpanFilter, page: PageRequest<SpanSort>, as: SpanPresentation): Promise<PresentedPage>;
  listTraces(filter: TraceFilter, page: PageRequest<TraceSort>, includeSpans: boolean): Promise<TracePage>;
  /** In order of row id, with their traces as {@link SpanStore.listSessionTraces} lists them. */
  listSessions(
    filter: { readonly projectRowId?: number | undefined; readonly condition?: Condition | undefined },
    page: PageRequest<'id'>,
  ): Promise<SessionPage>;
  /** By text, the newest of all projects unless one is named; `undefined` when there is none. */
  findSession(ref: SessionRef, projectRowId?: number): Promise<SessionRow | undefined>;
  /** Traces of each session by its row id, earliest start first, a bounded number of each. */
  listSessionTraces(sessionRowIds: readonly number[]): Promise<ReadonlyMap<number, readonly SessionTrace[]>>;
  /** The original messages of a whole trace; `undefined` when there is none. */
  readTraceOriginal(ref: TelemetryRef, format: OriginalFormat): Promise<Original | undefined>;
  /** The original messages of one page. */
  listOriginals(filter: SpanFilter, page: PageRequest<SpanSort>, format: OriginalFormat): Promise<OriginalPage>;
  /** The original message of one span; by an OpenTelemetry id alone the newest span that has it. */
  readSpanOriginal(ref: TelemetryRef, format: OriginalFormat): Promise<Original | undefined>;
}
