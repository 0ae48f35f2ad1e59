/** Traces that match a filter of their grain. */
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
import { SetReader } from '../../sets/set-reader.ts';
import { NO, UNCERTAIN, YES } from '../verdicts.ts';
import { annotationNeeds } from '../annotation-needs.ts';
import { decideBySets, type RowInSets, setsOfRow } from './decide-by-sets.ts';
import { decideSubjects } from './decide-rows.ts';
import { ElementSubject } from './element-subject.ts';
import type { DecidedRows } from './find-matches.ts';
import { needsOf, SPAN_COST_DETAILS } from './needs.ts';
import { OriginalValues } from './original-values.ts';
import { compileParts, type DecideRow, isOfFields } from '../partial-condition.ts';
import { RootValues } from './root-values.ts';
import { type SpanPart, toRootPart, toSpanPart } from './span-part.ts';
import { SpanVerdicts, type Window } from './span-verdicts.ts';
import type { TraceStepRow } from './trace-steps.ts';
import { TraceSpans } from './trace-spans.ts';

/** Where the traces are, and how their spans can be looked at together. */
export interface TraceSurroundings {
  readonly projectRowId: number;
  /** In which to look for spans of many traces; `null` where the traces themselves tell, being in the order of time. */
  readonly window: Window | null;
  readonly assertNotLost: () => void;
  /** When spans were looked at together. */
  readonly onLooked: () => void;
}

/**
 * Decides traces in parts, in their order: by their rows where those tell, of many by columns of spans, else by the rows of
 * their spans and originals.
 */
export function compileForTraces(
  scope: ReadScope,
  asked: Condition,
  { projectRowId, window, assertNotLost, onLooked }: TraceSurroundings,
): (rows: readonly TraceStepRow[]) => AsyncIterable<DecidedRows<TraceStepRow>> {
  const condition = annotationsAsSets(asked);
  const spanParts = new Map<Condition, SpanPart>();
  const ofRow = (part: Condition): DecideRow<RowInSets<TraceStepRow>> | undefined => {
    if (isOfFields(part, ROW_FIELDS)) return ({ row }) => (evaluate(part, new TraceRowSubject(row)) ? YES : NO);
    if (part.kind !== 'inSet' || part.of !== null) return undefined;
    const { set, isNegated } = part;
    return ({ row, sets }) => (sets === null ? UNCERTAIN : sets.isTraceIn(set, row.id) === isNegated ? NO : YES);
  };
  const decideRow = compileParts<RowInSets<TraceStepRow>>(condition, (part) => {
    const byRow = ofRow(part);
    const spanPart = byRow === undefined ? (toSpanPart(part) ?? toRootPart(part, ROOT_ATTRIBUTES)) : undefined;
    if (spanPart !== undefined) spanParts.set(part, spanPart);
    return byRow ?? (() => UNCERTAIN);
  });
  const members = new SetReader(scope);
  const ofSpans = new SpanVerdicts(scope, projectRowId, [...spanParts.values()], members);
  const decideBySpans = compileParts<RowInSets<TraceStepRow>>(condition, (part) => {
    const spanPart = spanParts.get(part);
    return ofRow(part) ?? (spanPart === undefined ? () => UNCERTAIN : ({ row }) => ofSpans.verdictOf(spanPart, row));
  });
  const ownSets = setsOfRow(condition);
  const askSets = (open: readonly TraceStepRow[]) => members.look(ownSets, { traces: open.map(({ id }) => id) });
  const needs = needsOf(condition, ROOT_FIELDS);
  return async function* decide(rows) {
    const { verdicts, sets } = await decideBySets(rows, decideRow, ownSets.length === 0 ? null : askSets);
    const uncertain = rows.filter((_row, place) => verdicts[place] === UNCERTAIN);
    if (spanParts.size > 0 && uncertain.length >= MIN_TRACES_TOGETHER) {
      const looked = window ?? windowOf(uncertain);
      if (await ofSpans.cover(looked, assertNotLost)) onLooked();
      for (const [place, row] of rows.entries()) {
        const isInside = row.start_us >= looked.startUs && row.end_us < looked.endUs;
        if (verdicts[place] === UNCERTAIN && isInside) verdicts[place] = decideBySpans({ row, sets });
      }
    }
    let part: TraceStepRow[] = [];
    let matches = new Set<number>();
    let open: TraceStepRow[] = [];
    let spanCount = 0;
    for (const [place, row] of rows.entries()) {
      part.push(row);
      const verdict = verdicts[place];
      if (verdict === YES) matches.add(row.place.rowId);
      if (verdict === UNCERTAIN) {
        open.push(row);
        spanCount += row.span_count;
      }
      if (place < rows.length - 1 && spanCount < MAX_SPANS_AT_ONCE && open.length < MAX_TRACES_AT_ONCE) continue;
      const found = await decideByReading(scope, condition, { ...needs, members }, open);
      yield { rows: part, matches: new Set([...matches, ...found]) };
      [part, matches, open, spanCount] = [[], new Set(), [], 0];
    }
  };
}

/** From when on columns are read for traces: the rows of the spans of fewer are faster. */
const MIN_TRACES_TOGETHER = 256;

/** When the spans of the traces start, but for those of the few traces that end last. */
function windowOf(traces: readonly TraceStepRow[]): Window {
  const ends = Float64Array.from(traces, (row) => row.end_us).sort();
  let [startUs, lastStartUs] = [Infinity, -Infinity];
  for (const { start_us: traceStartUs } of traces) {
    startUs = Math.min(startUs, traceStartUs);
    lastStartUs = Math.max(lastStartUs, traceStartUs);
  }
  const usualEndUs = ends[Math.floor(ends.length * USUAL_SHARE)] ?? 0;
  const endUs = Math.min(ends.at(-1) ?? 0, Math.max(usualEndUs, lastStartUs * 2 - startUs));
  return { startUs, endUs: endUs + 1 };
}

/** Traces that last longer than the others would make a window far larger than they are worth. */
const USUAL_SHARE = 0.95;

/** Traces, and their spans, that are read together. */
const MAX_TRACES_AT_ONCE = 512;
const MAX_SPANS_AT_ONCE = 8000;

async function decideByReading(
  scope: ReadScope,
  condition: Condition,
  { spanColumns, needsRoots, members }: ReturnType<typeof needsOf> & { readonly members: SetReader },
  traces: readonly TraceStepRow[],
): Promise<ReadonlySet<number>> {
  if (traces.length === 0) return new Set();
  const { db, dialect } = scope;
  const spans =
    spanColumns === null
      ? new Map<number, NarrowRow[]>()
      : await readSpansOfTraces(
          scope,
          spanColumns,
          traces.map(({ id }) => id),
        );
  const rootIds = needsRoots ? traces.flatMap(({ root_span_row_id: rowId }) => rowId ?? []) : [];
  const roots = new RootValues(
    rootIds.length === 0
      ? []
      : await selectNarrowRows(db, { columns: [], hasAttributes: true })
          .where('spans.id', 'in', dialect.numbersOf(rootIds))
          .execute(),
  );
  const sets = await members.look(mentionsOf(condition).sets, {
    spans: [...spans.values()].flat().map(({ id }) => id),
    traces: traces.map(({ id }) => id),
  });
  const annotations = await readAnnotations(scope, annotationNeeds(condition), {
    spans: [...spans.values()].flat().map(({ id }) => id),
    traces: traces.map(({ id }) => id),
  });
  const subjects = traces.map((row) => {
    const originals = new OriginalValues();
    const ofTrace = new TraceSpans(spans.get(row.id) ?? [], { originals, sets, annotations });
    return { rowId: row.id, subject: new TraceSubject(row, ofTrace, roots), originals };
  });
  return decideSubjects(scope, condition, subjects);
}

/** By trace row id, earliest start first. Index: spans_of_trace. */
export async function readSpansOfTraces(
  { db, dialect }: ReadScope,
  columns: NonNullable<ReturnType<typeof needsOf>['spanColumns']>,
  traceRowIds: readonly number[],
): Promise<ReadonlyMap<number, NarrowRow[]>> {
  const rows = await selectNarrowRows(db, { columns, hasAttributes: false })
    .where('spans.trace_row_id', 'in', dialect.numbersOf(traceRowIds))
    .limit(MAX_READ_SPANS)
    .execute();
  rows.sort((a, b) => (a.start_us ?? 0) - (b.start_us ?? 0) || a.id - b.id);
  return Map.groupBy(rows, (row) => row.trace_row_id ?? 0);
}

/** A trace of more is decided by the first of them. */
const MAX_READ_SPANS = 500_000;

/** Amounts that the row of a trace tells, by their names in filters. */
export const TRACE_AMOUNTS: ReadonlyMap<string, (row: TraceStepRow) => number> = new Map(
  Object.entries({
    latency_ms: (row: TraceStepRow) => row.latency_us / 1000,
    num_spans: (row) => row.span_count,
    error_count: (row) => row.error_count,
    token_count_prompt: (row) => row.prompt_tokens,
    token_count_completion: (row) => row.completion_tokens,
    token_count_total: (row) => row.prompt_tokens + row.completion_tokens,
    total_cost: (row) => row.cost_nanousd / 1e9,
    prompt_cost: (row) => row.prompt_cost_nanousd / 1e9,
    completion_cost: (row) => row.completion_cost_nanousd / 1e9,
  } satisfies Record<string, (row: TraceStepRow) => number>),
);

const FIELDS: ReadonlyMap<string, (row: TraceStepRow) => JsonValue> = new Map<string, (row: TraceStepRow) => JsonValue>(
  [
    ['trace_id', (row) => row.trace_id],
    ['start_time', (row) => row.start_us],
    ['end_time', (row) => row.end_us],
    ...TRACE_AMOUNTS,
  ],
);

const ROW_FIELDS: ReadonlySet<string> = new Set(FIELDS.keys());

const ROOT_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['input', ATTR_INPUT_VALUE],
  ['output', ATTR_OUTPUT_VALUE],
]);

const ROOT_FIELDS: ReadonlySet<string> = new Set(ROOT_ATTRIBUTES.keys());

class TraceRowSubject extends ElementSubject {
  readonly row: TraceStepRow;

  constructor(row: TraceStepRow) {
    super();
    this.row = row;
  }

  field(name: string): JsonValue | undefined {
    return FIELDS.get(name)?.(this.row);
  }
}

class TraceSubject extends TraceRowSubject {
  readonly #spans: TraceSpans;
  readonly #roots: RootValues;

  constructor(row: TraceStepRow, spans: TraceSpans, roots: RootValues) {
    super(row);
    this.#spans = spans;
    this.#roots = roots;
  }

  override field(name: string): JsonValue | undefined {
    switch (name) {
      case 'llm_span_count':
        return this.#spans.countKind('LLM');
      case 'tool_span_count':
        return this.#spans.countKind('TOOL');
      default: {
        const path = ROOT_ATTRIBUTES.get(name);
        return path === undefined ? super.field(name) : this.attribute(path);
      }
    }
  }

  override isIn(set: SetReference): boolean {
    return this.#spans.sets.isTraceIn(set, this.row.id);
  }

  annotations(name: AnnotationName): readonly FilterAnnotation[] {
    return this.#annotations.named(name, this.row.id);
  }

  override attribute(path: string): JsonValue | undefined {
    const { root_span_row_id: rowId } = this.row;
    return rowId === null ? undefined : this.#roots.attribute(rowId, path, this.#spans.originals);
  }

  override collection(name: string): readonly FilterSubject[] {
    switch (name) {
      case 'spans':
        return this.#spans.elements;
      case SPAN_COST_DETAILS:
        return this.#spans.costDetails();
      case SPAN_ANNOTATIONS:
        return this.#spans.spanAnnotations();
      default:
        return name === 'trace_annotations' ? this.#annotations.elements('trace', this.row.id) : [];
    }
  }

  get #annotations(): KnownAnnotations {
    return this.#spans.annotations;
  }
}
