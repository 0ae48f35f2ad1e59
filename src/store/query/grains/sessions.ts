/** Sessions that match a filter of their grain. */
import type { JsonValue } from '#base/json';
import { SPAN_ANNOTATIONS } from '#filter/annotation-collections';
import { annotationsAsSets } from '#filter/annotation-sets';
import { evaluate } from '#filter/evaluate';
import { mentionsOf } from '#filter/mentions';
import type { FilterAnnotation, FilterSubject } from '#filter/subject';
import type { AnnotationName, Condition, SetReference } from '#filter/tree';
import { ATTR_INPUT_VALUE, ATTR_OUTPUT_VALUE } from '#semconv/openinference';
import { type KnownAnnotations, readAnnotations } from '../../annotations/read-annotations.ts';
import { type NarrowRow, selectNarrowRows } from '../../columns/narrow-rows.ts';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import { type Membership, SetReader } from '../../sets/set-reader.ts';
import { NO, UNCERTAIN, YES } from '../verdicts.ts';
import { annotationNeeds } from '../annotation-needs.ts';
import { decideBySets, type RowInSets, setsOfRow } from './decide-by-sets.ts';
import { decideSubjects } from './decide-rows.ts';
import { ElementSubject } from './element-subject.ts';
import type { DecidedRows } from './find-matches.ts';
import { needsOf, ROOT_SPANS, SPAN_COST_DETAILS } from './needs.ts';
import { OriginalValues } from './original-values.ts';
import { compileParts, isOfFields } from '../partial-condition.ts';
import { RootValues } from './root-values.ts';
import type { SessionStepRow } from './session-steps.ts';
import { TraceSpans } from './trace-spans.ts';
import { readSpansOfTraces } from './traces.ts';

/** Decides sessions in parts, in their order: by their rows where those tell, else by their traces and spans. */
export function compileForSessions(
  scope: ReadScope,
  asked: Condition,
): (rows: readonly SessionStepRow[]) => AsyncIterable<DecidedRows<SessionStepRow>> {
  const condition = annotationsAsSets(asked);
  const decideRow = compileParts<RowInSets<SessionStepRow>>(condition, (part) => {
    if (isOfFields(part, ROW_FIELDS)) return ({ row }) => (evaluate(part, new SessionRowSubject(row)) ? YES : NO);
    if (part.kind !== 'inSet' || part.of !== null) return () => UNCERTAIN;
    const { set, isNegated } = part;
    return ({ row, sets }) => (sets === null ? UNCERTAIN : sets.isSessionIn(set, row.rowId) === isNegated ? NO : YES);
  });
  const members = new SetReader(scope);
  const ownSets = setsOfRow(condition);
  const askSets = (open: readonly SessionStepRow[]) =>
    members.look(ownSets, { sessions: open.map(({ rowId }) => rowId) });
  const needs = { ...needsOf(condition, ROOT_FIELDS), members };
  return async function* decide(rows) {
    let part: SessionStepRow[] = [];
    let matches = new Set<number>();
    let open: SessionStepRow[] = [];
    let traceCount = 0;
    const { verdicts } = await decideBySets(rows, decideRow, ownSets.length === 0 ? null : askSets);
    for (const [place, row] of rows.entries()) {
      part.push(row);
      const verdict = verdicts[place];
      if (verdict === YES) matches.add(row.rowId);
      if (verdict === UNCERTAIN) {
        open.push(row);
        traceCount += row.traceCount;
      }
      if (place < rows.length - 1 && traceCount < MAX_TRACES_AT_ONCE) continue;
      const found = await decideByReading(scope, condition, needs, open);
      yield { rows: part, matches: new Set([...matches, ...found]) };
      [part, matches, open, traceCount] = [[], new Set(), [], 0];
    }
  };
}

/** Traces of sessions that are read together. */
const MAX_TRACES_AT_ONCE = 500;

async function decideByReading(
  scope: ReadScope,
  condition: Condition,
  { spanColumns, needsRoots, members }: ReturnType<typeof needsOf> & { readonly members: SetReader },
  sessions: readonly SessionStepRow[],
): Promise<ReadonlySet<number>> {
  if (sessions.length === 0) return new Set();
  const traces = await readTraces(
    scope,
    sessions.map(({ rowId }) => rowId),
  );
  const traceRowIds = [...traces.values()].flat().map(({ id }) => id);
  const spans =
    spanColumns === null ? new Map<number, NarrowRow[]>() : await readSpansOfTraces(scope, spanColumns, traceRowIds);
  const rootRows = needsRoots ? await selectRoots(scope, traceRowIds, true).execute() : [];
  const roots = new RootValues(rootRows);
  const rootRowsById = new Map(rootRows.map((row) => [row.id, row]));
  const rootsByTrace = Map.groupBy(rootRows, (row) => row.trace_row_id ?? 0);
  const sets = await members.look(mentionsOf(condition).sets, {
    spans: [...[...spans.values()].flat(), ...rootRows].map(({ id }) => id),
    traces: traceRowIds,
    sessions: sessions.map(({ rowId }) => rowId),
  });
  const annotations = await readAnnotations(scope, annotationNeeds(condition), {
    spans: [...spans.values()].flat().map(({ id }) => id),
    sessions: sessions.map(({ rowId }) => rowId),
  });
  const subjects = sessions.map((row) => {
    const originals = new OriginalValues();
    const ofSession = (traces.get(row.rowId) ?? []).map((trace) => ({
      ...trace,
      spans: new TraceSpans(spans.get(trace.id) ?? [], { originals, sets, annotations }),
    }));
    const rootRowIds = ofSession
      .flatMap(({ id }) => rootsByTrace.get(id) ?? [])
      .sort((a, b) => (a.start_us ?? 0) - (b.start_us ?? 0) || a.id - b.id)
      .map(({ id }) => id);
    const ofRoots: SessionRoots = {
      rowIds: rootRowIds,
      values: roots,
      originals,
      sets,
      annotations,
      rows: rootRowsById,
    };
    return { rowId: row.rowId, subject: new SessionSubject(row, ofSession, ofRoots), originals };
  });
  return decideSubjects(scope, condition, subjects);
}

/**
 * Row ids of the spans that tell the attributes of sessions: the earliest that names no parent. Index: traces_of_session, the
 * primary key; spans_of_trace where the root of a trace names a parent that is not stored.
 */
export async function readFirstRoots(
  scope: ReadScope,
  sessionRowIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { db, dialect } = scope;
  const traces = await db
    .selectFrom('traces')
    .leftJoin('spans as root', 'root.id', 'traces.root_span_row_id')
    .select(['traces.id as traceRowId', 'traces.session_row_id as sessionRowId'])
    .select(['root.id', 'root.start_us as startUs', 'root.parent_span_id as parentId'])
    .where('traces.session_row_id', 'in', dialect.numbersOf(sessionRowIds))
    .execute();
  const found = new Map<number, { readonly id: number; readonly startUs: number }>();
  const offer = (sessionRowId: number | null | undefined, id: number, startUs: number) => {
    const first = found.get(sessionRowId ?? 0);
    const isFirst = first === undefined || startUs < first.startUs || (startUs === first.startUs && id < first.id);
    if (sessionRowId != null && isFirst) found.set(sessionRowId, { id, startUs });
  };
  const unknown = new Map<number, number | null>();
  for (const { traceRowId, sessionRowId, id, startUs, parentId } of traces) {
    if (id === null || startUs === null || parentId !== null) unknown.set(traceRowId, sessionRowId);
    else offer(sessionRowId, id, startUs);
  }
  const others = unknown.size === 0 ? [] : await selectRoots(scope, [...unknown.keys()], false).execute();
  for (const { id, trace_row_id: traceRowId, start_us: startUs } of others)
    offer(unknown.get(traceRowId ?? 0), id, startUs ?? 0);
  return new Map([...found].map(([sessionRowId, { id }]) => [sessionRowId, id]));
}

/** By session row id, earliest start first. Index: traces_of_session. */
async function readTraces({ db, dialect }: ReadScope, sessionRowIds: readonly number[]) {
  const rows = await db
    .selectFrom('traces')
    .select(['id', 'session_row_id', 'start_us', 'end_us', 'error_count'])
    .where('session_row_id', 'in', dialect.numbersOf(sessionRowIds))
    .orderBy('start_us')
    .orderBy('id')
    .execute();
  return Map.groupBy(rows, (row) => row.session_row_id ?? 0);
}

/** Spans that name no parent, with or without their attributes. Index: spans_of_trace. */
function selectRoots({ db, dialect }: ReadScope, traceRowIds: readonly number[], hasAttributes: boolean) {
  return selectNarrowRows(db, { columns: ['trace_row_id', 'start_us'], hasAttributes })
    .where('spans.trace_row_id', 'in', dialect.numbersOf(traceRowIds))
    .where('spans.parent_span_id', 'is', null);
}

/** Amounts that the row of a session tells, by their names in filters. */
export const SESSION_AMOUNTS: ReadonlyMap<string, (row: SessionStepRow) => number> = new Map(
  Object.entries({
    duration_ms: (row: SessionStepRow) => (row.endTimeUs - row.startTimeUs) / 1000,
    num_traces: (row) => row.traceCount,
    token_count_prompt: (row) => row.promptTokenCount,
    token_count_completion: (row) => row.completionTokenCount,
    token_count_total: (row) => row.promptTokenCount + row.completionTokenCount,
    total_cost: (row) => row.costNanoUsd / 1e9,
    prompt_cost: (row) => row.promptCostNanoUsd / 1e9,
    completion_cost: (row) => row.completionCostNanoUsd / 1e9,
  } satisfies Record<string, (row: SessionStepRow) => number>),
);

const FIELDS: ReadonlyMap<string, (row: SessionStepRow) => JsonValue> = new Map<
  string,
  (row: SessionStepRow) => JsonValue
>([
  ['session_id', (row) => row.sessionId],
  ['start_time', (row) => row.startTimeUs],
  ['end_time', (row) => row.endTimeUs],
  ...SESSION_AMOUNTS,
]);

const ROW_FIELDS: ReadonlySet<string> = new Set(FIELDS.keys());
const ROOT_FIELDS: ReadonlySet<string> = new Set(['first_input', 'last_output']);

class SessionRowSubject extends ElementSubject {
  readonly #row: SessionStepRow;

  constructor(row: SessionStepRow) {
    super();
    this.#row = row;
  }

  field(name: string): JsonValue | undefined {
    return FIELDS.get(name)?.(this.#row);
  }
}

interface SessionTrace {
  readonly id: number;
  readonly start_us: number;
  readonly end_us: number;
  readonly error_count: number;
  readonly spans: TraceSpans;
}

interface SessionRoots {
  /** Earliest start first. */
  readonly rowIds: readonly number[];
  readonly values: RootValues;
  readonly rows: ReadonlyMap<number, NarrowRow>;
  readonly originals: OriginalValues;
  readonly sets: Membership;
  /** Of the session. */
  readonly annotations: KnownAnnotations;
}

class SessionSubject extends SessionRowSubject {
  readonly #rowId: number;
  readonly #traces: readonly SessionTrace[];
  readonly #roots: SessionRoots;

  constructor(row: SessionStepRow, traces: readonly SessionTrace[], roots: SessionRoots) {
    super(row);
    this.#rowId = row.rowId;
    this.#traces = traces;
    this.#roots = roots;
  }

  override field(name: string): JsonValue | undefined {
    switch (name) {
      case 'num_traces_with_error':
        return this.#traces.filter((trace) => trace.error_count > 0).length;
      case 'llm_span_count':
        return this.#traces.reduce((sum, { spans }) => sum + spans.countKind('LLM'), 0);
      case 'tool_span_count':
        return this.#traces.reduce((sum, { spans }) => sum + spans.countKind('TOOL'), 0);
      case 'first_input':
        return this.#firstOf(this.#roots.rowIds, ATTR_INPUT_VALUE);
      case 'last_output':
        return this.#firstOf(this.#roots.rowIds.toReversed(), ATTR_OUTPUT_VALUE);
      default:
        return super.field(name);
    }
  }

  override isIn(set: SetReference): boolean {
    return this.#roots.sets.isSessionIn(set, this.#rowId);
  }

  annotations(name: AnnotationName): readonly FilterAnnotation[] {
    return this.#roots.annotations.named(name, this.#rowId);
  }

  override attribute(path: string): JsonValue | undefined {
    const [first] = this.#roots.rowIds;
    return first === undefined ? undefined : this.#roots.values.attribute(first, path, this.#roots.originals);
  }

  override collection(name: string): readonly FilterSubject[] {
    switch (name) {
      case 'traces':
        return this.#traces.map((trace) => new TraceElement(trace));
      case 'spans':
        return this.#traces.flatMap(({ spans }) => spans.elements);
      case ROOT_SPANS:
        return this.#roots.rowIds.map((rowId) => new RootElement(rowId, this.#roots));
      case SPAN_COST_DETAILS:
        return this.#traces.flatMap(({ spans }) => spans.costDetails());
      case SPAN_ANNOTATIONS:
        return this.#traces.flatMap(({ spans }) => spans.spanAnnotations());
      case 'session_annotations':
        return this.#roots.annotations.elements('session', this.#rowId);
      default:
        return [];
    }
  }

  /** That of the first that has one. While originals are asked it is not known which that is. */
  #firstOf(rowIds: readonly number[], path: string): JsonValue | undefined {
    const { values, originals } = this.#roots;
    for (const rowId of rowIds) {
      const value = values.attribute(rowId, path, originals);
      if ((value !== undefined && value !== null) || originals.asked.length > 0) return value;
    }
    return undefined;
  }
}

class TraceElement extends ElementSubject {
  readonly #trace: SessionTrace;

  constructor(trace: SessionTrace) {
    super();
    this.#trace = trace;
  }

  field(name: string): JsonValue | undefined {
    const { start_us: startUs, end_us: endUs } = this.#trace;
    switch (name) {
      case 'start_time':
        return startUs;
      case 'end_time':
        return endUs;
      default:
        return name === 'latency_ms' ? (endUs - startUs) / 1000 : undefined;
    }
  }

  override isIn(set: SetReference): boolean {
    return this.#trace.spans.sets.isTraceIn(set, this.#trace.id);
  }

  override collection(name: string): readonly FilterSubject[] {
    return name === 'spans' ? this.#trace.spans.elements : [];
  }
}

class RootElement extends ElementSubject {
  readonly #rowId: number;
  readonly #roots: SessionRoots;

  constructor(rowId: number, roots: SessionRoots) {
    super();
    this.#rowId = rowId;
    this.#roots = roots;
  }

  override isIn(set: SetReference): boolean {
    const { sets, rows } = this.#roots;
    return sets.isSpanIn(set, this.#rowId, rows.get(this.#rowId)?.trace_row_id ?? 0);
  }

  field(name: string): JsonValue | undefined {
    const path = name === 'input' ? ATTR_INPUT_VALUE : ATTR_OUTPUT_VALUE;
    return this.#roots.values.attribute(this.#rowId, path, this.#roots.originals);
  }
}
