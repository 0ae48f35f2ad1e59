/** Counts, sums, percentiles and facets over the spans, traces and sessions of a project, as callers ask for them. */
import type { AnnotationFilter } from '#domain/annotation-filter';
import type { AnnotationTarget, Condition, FilterGrain, Value } from '#filter/tree';
import type { AnnotationNameCount } from '../annotations/names.ts';
import type { AnnotationSummary } from '../annotations/summaries.ts';
import type { OwnerConditions } from '../query/grains/owner-verdicts.ts';
import type { BucketUnit } from './buckets.ts';
import type { NumberBin } from './number-bins.ts';
import type { ZoneName } from './time-zone.ts';

/** Spans or traces of a project that started in a range; microseconds, start inclusive, end exclusive. */
export interface SpanRange {
  readonly projectRowId: number;
  readonly startTimeUs?: number | undefined;
  readonly endTimeUs?: number | undefined;
}

/** What all questions say. */
export interface SpanQuestion extends SpanRange, OwnerConditions {
  /** Of spans; `null` for all. */
  readonly condition: Condition | null;
}

/** How far an answer has looked. */
export interface Coverage {
  /** Whether it had to stop early, out of time or memory: it is of the newest spans alone. */
  readonly isPartial: boolean;
  /** Share of the spans in question that were looked at. */
  readonly share: number;
}

/** A field of a span, or an attribute; of a trace or session, that of its root span. */
export type Dimension = Extract<Value, { readonly kind: 'field' | 'attribute' }>;

/** What is computed of the spans of a bucket and group. */
export type Measure =
  | { readonly kind: 'count'; readonly status: 'OK' | 'ERROR' | 'UNSET' | null }
  /** Share of spans that failed. */
  | { readonly kind: 'error_rate' }
  /** In microseconds, exact from the latencies of all spans that ended: 0 the shortest, 1 the longest. */
  | { readonly kind: 'latency'; readonly probability: number }
  /** Tokens that count; parts of them as calls that count claim them. */
  | { readonly kind: 'tokens'; readonly of: TokenPart }
  /** That counts, in US dollars; parts of it as the price table comes to. */
  | { readonly kind: 'cost'; readonly of: CostPart }
  | { readonly kind: 'distinct'; readonly of: 'traces' | 'sessions' | 'users' }
  /** When the oldest span started, in microseconds. */
  | { readonly kind: 'first_start' }
  /** When the newest did. */
  | { readonly kind: 'last_start' };

/** Parts of the tokens of prompts and completions, as calls claim them. */
export const TOKEN_DETAILS = ['cache_read', 'cache_write', 'prompt_audio', 'reasoning', 'completion_audio'] as const;

/** One of {@link TOKEN_DETAILS}. */
export type TokenDetail = (typeof TOKEN_DETAILS)[number];

/** Tokens by what they are: details are in `prompt` or `completion`. */
export type TokenPart = 'prompt' | 'completion' | 'total' | TokenDetail;

/** Cost by what it is for; `input` and `output` are what is in no detail. */
export type CostPart = TokenPart | 'input' | 'output';

/** Buckets of time. Without a unit the range decides. */
export interface BucketRequest {
  readonly unit: BucketUnit | null;
  readonly zone: ZoneName;
}

/** What to compute. */
export interface AggregateQuestion extends SpanQuestion {
  /** `null` for the range as a whole. */
  readonly bucket: BucketRequest | null;
  /** At most {@link MAX_DIMENSIONS}. */
  readonly groupBy: readonly Dimension[];
  /** Groups at most, those that come first in their order; the rest is one more. */
  readonly maxGroups: number;
  /** By what they come to in the whole range; those with the most spans first if omitted. */
  readonly groupOrder?: GroupOrder | undefined;
  readonly measures: readonly Measure[];
}

/** Groups by a measure of each: those without a value come last either way, of equal ones those with more rows first. */
export interface GroupOrder {
  readonly by: Measure;
  readonly direction: 'asc' | 'desc';
}

/** A value of a dimension; `null` where a span has none. */
export interface DimensionValue {
  readonly value: string | number | boolean | null;
  /** Of a number that JavaScript's cannot carry: its digits. */
  readonly text: string;
}

/** Numbers of a group. */
export interface AggregateGroup {
  /** One for each dimension; `null` for the rest: all groups that are not named. */
  readonly key: readonly DimensionValue[] | null;
  /** For each measure its value in each bucket; NaN where there is nothing to compute it of. */
  readonly values: readonly Float64Array[];
}

/** What came of it. */
export interface AggregateAnswer extends Coverage {
  /** Start of each bucket; one that is the whole range where no buckets were asked for. */
  readonly buckets: {
    readonly unit: BucketUnit | null;
    readonly startsUs: Float64Array;
    readonly endUs: number;
  };
  /** In their order, the rest last; a single one where nothing is grouped. */
  readonly groups: readonly AggregateGroup[];
  /** How many groups the rest stands for. */
  readonly otherGroupCount: number;
}

/** Dimensions that can be grouped by at once. */
export const MAX_DIMENSIONS = 2;

/** Groups of one answer, beside the rest. */
export const MAX_GROUPS = 200;

/** A dimension with what is wanted of its values. */
export interface FacetRequest {
  readonly dimension: Dimension;
  /** Values at most, those of the most spans. */
  readonly maxValues: number;
  /** Only values that begin so, whatever the case; `null` for all. */
  readonly prefix: string | null;
  /** Whether the filter's own terms of this dimension are left out for it, so that what they exclude is counted, too. */
  readonly leavesOutOwnTerms: boolean;
}

/** Which facets. */
export interface FacetQuestion extends SpanQuestion {
  readonly facets: readonly FacetRequest[];
}

/** Which facets of traces that started in the range, or of sessions of which any part lies in it. */
export interface GrainFacetQuestion extends SpanRange {
  /** Of the grain; `null` for all. */
  readonly condition: Condition | null;
  readonly facets: readonly FacetRequest[];
}

/** A value and the spans that have it. */
export interface FacetValue extends DimensionValue {
  readonly count: number;
}

/** Numbers of a facet. */
export interface FacetNumbers {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  /** Ascending, without gaps. */
  readonly bins: readonly NumberBin[];
}

/** A dimension of the spans in question. */
export interface Facet {
  /** Most spans first. Of a number of the catalogue, as latency, none. */
  readonly values: readonly FacetValue[];
  /** How many further values there are. */
  readonly otherValueCount: number;
  /** Whether there were so many values that some were not counted one by one. */
  readonly isCut: boolean;
  /** Spans without a value. */
  readonly missingCount: number;
  /** Spans whose value is too long for a facet, or one of a list. */
  readonly unlistedCount: number;
  /** `null` where no value is a number. */
  readonly numbers: FacetNumbers | null;
}

/** A facet for each request. */
export interface FacetAnswer extends Coverage {
  readonly facets: readonly Facet[];
}

/** Facets of one question, and values of one facet. */
export const MAX_FACETS = 20;
export const MAX_FACET_VALUES = 1000;

/** Which traces: those that started in the range, with a condition own a span that matches, and match what is asked of owners. */
export interface TraceQuestion extends SpanQuestion {
  /** By the start of the trace; `null` for the range as a whole. */
  readonly bucket: BucketRequest | null;
  /** Of latencies, each from 0 to 1. */
  readonly probabilities: readonly number[];
  /** Whether the parts of tokens are wanted, for which spans are read. */
  readonly hasTokenDetails: boolean;
}

/** Numbers of traces, each by bucket. */
export interface TraceAnswer extends Coverage {
  readonly buckets: AggregateAnswer['buckets'];
  readonly counts: Float64Array;
  /** Traces in which a span failed. */
  readonly errorCounts: Float64Array;
  /** For each probability, in microseconds; NaN without traces. */
  readonly latenciesUs: readonly Float64Array[];
  /** Of whole traces, that count. */
  readonly promptTokens: Float64Array;
  readonly completionTokens: Float64Array;
  /** In US dollars. What is known of no side is in the total alone. */
  readonly cost: { readonly total: Float64Array; readonly prompt: Float64Array; readonly completion: Float64Array };
  /** `null` unless wanted. */
  readonly tokenDetails: readonly { readonly of: TokenDetail; readonly sums: Float64Array }[] | null;
}

/** What the groups of a table are ordered by. */
export const GROUP_FIGURES = [
  'count',
  'error_rate',
  'latency_p50',
  'latency_p95',
  'tokens',
  'cost',
  'first_start',
  'last_start',
] as const;

/** One of {@link GROUP_FIGURES}. */
export type GroupFigure = (typeof GROUP_FIGURES)[number];

/** The session that a trace belongs to; a value is its row id. */
export interface SessionDimension {
  readonly kind: 'session';
}

/** Which spans or traces, and what tells them apart. */
export interface GroupQuestion extends SpanQuestion {
  /** Of a span; of a trace that of its root span, or of all of its spans. */
  readonly dimension: Dimension | SessionDimension;
  /** Of traces: whose values tell them apart. Where it is that of all spans, a trace is in the group of each. */
  readonly ofSpans?: 'root' | 'all';
  readonly order: { readonly by: GroupFigure; readonly direction: 'asc' | 'desc' };
  /** Groups at most, the first of the order; the rest is one more. */
  readonly maxGroups: number;
}

/** Figures of spans or traces, in microseconds, tokens and US dollars that count; NaN where there is nothing to compute one of. */
export interface RowGroup extends Readonly<Record<GroupFigure, number>> {
  /** `null` for the rest: all groups that are not named. */
  readonly key: DimensionValue | null;
}

/** Spans or traces by what they have in common. */
export interface GroupAnswer extends Coverage {
  /** In the order that was asked for, the rest last. */
  readonly groups: readonly RowGroup[];
  /** How many groups the rest stands for. */
  readonly otherGroupCount: number;
}

/** What the users of a project are ordered by. */
export const USER_FIGURES = [...GROUP_FIGURES, 'sessions'] as const;

/** One of {@link USER_FIGURES}. */
export type UserFigure = (typeof USER_FIGURES)[number];

/** Which users: those that any span names of the traces that started in the range. */
export interface UserQuestion extends SpanRange {
  /** Only users whose id contains it, whatever the case; empty for all. */
  readonly search: string;
  readonly order: { readonly by: UserFigure; readonly direction: 'asc' | 'desc' };
  readonly offset: number;
  readonly limit: number;
}

/** A user, with figures of the whole traces in which any span names the user. `count` is how many these are. */
export interface UserRow extends Readonly<Record<UserFigure, number>> {
  /** As rows hold it. */
  readonly userId: string;
}

/** A part of the users. */
export interface UserAnswer extends Coverage {
  readonly users: readonly UserRow[];
  /** How many match. */
  readonly total: number;
}

/** Which sessions: those of which any part lies in the range. */
export interface SessionQuestion extends SpanRange {
  /** Of sessions; `null` for all. */
  readonly condition: Condition | null;
  /** By the start of the session; `null` for the range as a whole. */
  readonly bucket: BucketRequest | null;
  /** Of durations, each from 0 to 1. */
  readonly probabilities: readonly number[];
}

/** Numbers of sessions, each by bucket. */
export interface SessionAnswer extends Coverage {
  readonly buckets: AggregateAnswer['buckets'];
  readonly counts: Float64Array;
  /** Sessions in which a span failed. */
  readonly errorCounts: Float64Array;
  /** For each probability, in microseconds; NaN without sessions. */
  readonly durationsUs: readonly Float64Array[];
  /** Sums of what sessions are, in microseconds and traces. */
  readonly totalDurationUs: Float64Array;
  readonly traceCounts: Float64Array;
  /** That count. */
  readonly promptTokens: Float64Array;
  readonly completionTokens: Float64Array;
  /** In US dollars. */
  readonly cost: Float64Array;
  /** Sessions that started before the range: those are in no bucket. 0 where the range is one. */
  readonly earlierCount: number;
}

/** Which annotations: those of a name, or of all, of the spans, traces or sessions that match. */
export interface AnnotationQuestion extends SpanQuestion {
  readonly target: FilterGrain;
  /** `null` for all names. */
  readonly name: string | null;
  /** By the start of the target; `null` for the range as a whole. */
  readonly bucket: BucketRequest | null;
}

/** What annotations come to. */
export interface AnnotationAnswer extends Coverage {
  readonly buckets: AggregateAnswer['buckets'];
  /** For each bucket, by name; names without a score or a label are left out. */
  readonly summaries: readonly (readonly AnnotationSummary[])[];
}

/** Judgements of one name that models made of the documents of the spans that match. */
export interface DocumentQuestion extends SpanQuestion {
  readonly name: string;
}

/** How well those spans retrieved their documents. */
export interface DocumentAnswer {
  /** Of each span with such a judgement: the scores of its documents in their order, 0 for those without one. */
  readonly scores: readonly (readonly number[])[];
  /** Whether time or memory did not suffice for all spans. */
  readonly isPartial: boolean;
}

/** Which attributes there are. */
export interface AttributePathQuestion extends SpanRange {
  /** What the paths begin with, whatever the case; empty for all. */
  readonly prefix: string;
  readonly limit: number;
}

/** Sessions of which any part lies in it, microseconds; start inclusive, end exclusive. */
export type SessionRange = Omit<SpanRange, 'projectRowId'>;

/** Of the sessions of a project. */
export interface SessionLengths {
  readonly averageUs: number;
  readonly averageTraceCount: number;
}

/** Time from the end of all earlier traces of a session to the start of the next, 0 where they overlap; microseconds. */
export interface TurnGaps {
  readonly averageUs: number;
  readonly medianUs: number;
  readonly longestUs: number;
}

/**
 * Answers questions about many spans at once: bounded in time and memory, and saying where they had to stop. What cannot be
 * asked is an AppError `invalid_argument`.
 */
export interface Aggregates {
  aggregate(question: AggregateQuestion): Promise<AggregateAnswer>;
  countFacets(question: FacetQuestion): Promise<FacetAnswer>;
  aggregateTraces(question: TraceQuestion): Promise<TraceAnswer>;
  aggregateSessions(question: SessionQuestion): Promise<SessionAnswer>;
  groupSpans(question: GroupQuestion): Promise<GroupAnswer>;
  listUsers(question: UserQuestion): Promise<UserAnswer>;
  /** A trace without a root span has no value. */
  groupTraces(question: GroupQuestion): Promise<GroupAnswer>;
  countTraceFacets(question: GrainFacetQuestion): Promise<FacetAnswer>;
  countSessionFacets(question: GrainFacetQuestion): Promise<FacetAnswer>;
  /** Of sessions only what is asked of sessions counts. */
  summarizeAnnotations(question: AnnotationQuestion): Promise<AnnotationAnswer>;
  /** By row id of the targets, of annotations that pass the filter; targets without a score and a label are left out. */
  summarizeTargets(
    target: FilterGrain,
    rowIds: readonly number[],
    filter: AnnotationFilter,
  ): Promise<ReadonlyMap<number, readonly AnnotationSummary[]>>;
  /** In the order of names, notes too. */
  countAnnotationNames(projectRowId: number, target: AnnotationTarget): Promise<readonly AnnotationNameCount[]>;
  /** Names that annotations by models have on documents: of all spans of the project, or of one. */
  listDocumentEvaluationNames(projectRowId: number, spanRowId: number | null): Promise<readonly string[]>;
  evaluateDocuments(question: DocumentQuestion): Promise<DocumentAnswer>;
  /** Dotted paths of attributes that spans of the range have, those of the newest spans, in the order of how many have them. */
  listAttributePaths(question: AttributePathQuestion): Promise<readonly string[]>;
  /** By project row id; projects without sessions in the range are left out. */
  readSessionLengths(
    projectRowIds: readonly number[],
    range: SessionRange,
  ): Promise<ReadonlyMap<number, SessionLengths>>;
  /** By project row id: the duration in microseconds that the share of sessions does not exceed, interpolated. */
  readSessionQuantiles(
    projectRowIds: readonly number[],
    range: SessionRange,
    probability: number,
  ): Promise<ReadonlyMap<number, number>>;
  /** By session row id; sessions of one trace are left out. */
  readTurnGaps(sessionRowIds: readonly number[]): Promise<ReadonlyMap<number, TurnGaps>>;
}
