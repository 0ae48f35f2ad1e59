/** Traces and sessions of a store as plain data made of the originals of their spans. */
import { boundedText } from '#derive/bounded-text';
import type { SpanKind } from '#domain/span';
import { evaluate } from '#filter/evaluate';
import { type PlainRow, plainSubject } from '#filter/plain-subject.fixture';
import type { Condition, SetReference } from '#filter/tree';
import type { TestAnnotations } from '../../annotations/annotations.fixture.ts';
import type { Pins } from '../../sets/pins.fixture.ts';
import type { AggregateStore, KnownSpan } from '../../aggregates/aggregates.fixture.ts';
import { costDetailsOf } from '../cost-details.ts';

/** A row of a list with all that filters can ask of it. */
export interface PlainGrain {
  readonly rowId: number;
  readonly row: PlainRow;
}

/** What tables hold beside spans. */
interface Beside {
  readonly pins?: Pins;
  readonly annotations?: TestAnnotations;
}

type Fields = NonNullable<PlainRow['fields']>;

/** Row ids that match, ascending. */
export function plainMatches(rows: readonly PlainGrain[], condition: Condition): readonly number[] {
  return rows
    .filter(({ row }) => evaluate(condition, plainSubject(row)))
    .map(({ rowId }) => rowId)
    .sort((a, b) => a - b);
}

/** All traces of the default project, in sets where there are pins. */
export async function plainTraces(store: AggregateStore, beside: Beside = {}): Promise<readonly PlainGrain[]> {
  const byTrace = Map.groupBy(await store.readSpans(), ({ row }) => row.traceRowId);
  return [...byTrace].map(([rowId, spans]) => ({ rowId, row: toTrace(spans, beside) }));
}

/** All sessions of the default project: of each span that names one its trace. */
export async function plainSessions(store: AggregateStore, beside: Beside = {}): Promise<readonly PlainGrain[]> {
  const sessions = await store.scope.db.selectFrom('sessions').select(['id', 'session_id']).execute();
  const traces = await store.scope.db.selectFrom('traces').select(['id', 'session_row_id']).execute();
  const byTrace = Map.groupBy(await store.readSpans(), ({ row }) => row.traceRowId);
  return sessions.map(({ id, session_id: sessionId }) => {
    const own = traces.filter((trace) => trace.session_row_id === id).map((trace) => byTrace.get(trace.id) ?? []);
    const isIn = (set: SetReference) => beside.pins?.isSessionIn(set, id) ?? false;
    const row = toSession(sessionId, own, beside);
    const collections = { ...row.collections, session_annotations: beside.annotations?.elements('session', id) ?? [] };
    const annotations = beside.annotations?.named('session', id) ?? {};
    return { rowId: id, row: { ...row, collections, annotations, isIn } };
  });
}

function toTrace(spans: readonly KnownSpan[], beside: Beside): PlainRow {
  const isStored = (span: KnownSpan) => parentOf(span, spans) !== undefined;
  const root = byStart(spans).find((span) => !isStored(span));
  const attributes = root?.span.reading ?? {};
  return {
    fields: {
      trace_id: spans[0]?.row.traceId ?? '',
      ...times(spans),
      latency_ms: duration(spans),
      num_spans: spans.length,
      error_count: spans.filter(({ row }) => row.statusCode === 'ERROR').length,
      ...counts(spans),
      ...defined('input', valueOf(root, 'input')),
      ...defined('output', valueOf(root, 'output')),
    },
    attributes,
    annotations: beside.annotations?.named('trace', spans[0]?.row.traceRowId ?? 0) ?? {},
    collections: {
      ...collections(spans, beside),
      trace_annotations: beside.annotations?.elements('trace', spans[0]?.row.traceRowId ?? 0) ?? [],
    },
    isIn: isTraceIn(spans, beside),
  };
}

function toSession(sessionId: string, traces: readonly (readonly KnownSpan[])[], beside: Beside): PlainRow {
  const spans = traces.flat();
  const roots = byStart(spans.filter(({ row }) => row.parentSpanId === null));
  const withInput = roots.find((root) => valueOf(root, 'input') !== undefined);
  const withOutput = roots.findLast((root) => valueOf(root, 'output') !== undefined);
  const all = traces.map((own) => collections(own, beside));
  return {
    fields: {
      session_id: sessionId,
      ...times(spans),
      duration_ms: duration(spans),
      num_traces: traces.length,
      num_traces_with_error: traces.filter((own) => own.some(({ row }) => row.statusCode === 'ERROR')).length,
      ...counts(spans),
      ...defined('first_input', valueOf(withInput, 'input')),
      ...defined('last_output', valueOf(withOutput, 'output')),
    },
    attributes: roots[0]?.span.reading ?? {},
    collections: {
      traces: traces.map((own) => ({
        fields: { ...times(own), latency_ms: duration(own) },
        collections: { spans: collections(own, beside).spans },
        isIn: isTraceIn(own, beside),
      })),
      spans: all.flatMap((own) => own.spans),
      span_cost_details: all.flatMap((own) => own.span_cost_details),
      span_annotations: all.flatMap((own) => own.span_annotations),
      root_spans: roots.map((root) => ({
        isIn: (set) => beside.pins?.isSpanIn(set, root.row) ?? false,
        fields: { ...defined('input', valueOf(root, 'input')), ...defined('output', valueOf(root, 'output')) },
      })),
    },
  };
}

function collections(spans: readonly KnownSpan[], beside: Beside) {
  const calls = spans.filter(
    ({ counted }) => numberOf(counted['counted_prompt_tokens']) + numberOf(counted['counted_completion_tokens']) > 0,
  );
  return {
    spans: spans.map((span) => toElement(span, spans, 2, beside)),
    span_cost_details: calls.flatMap(costs),
    span_annotations: spans.flatMap(({ row }) => beside.annotations?.elements('span', row.rowId) ?? []),
  };
}

/** Spans lead to each other without end; filters follow them a few steps. */
function toElement(span: KnownSpan, spans: readonly KnownSpan[], depth: number, beside: Beside): PlainRow {
  const parent = parentOf(span, spans);
  const related = (others: readonly KnownSpan[]) => others.map((other) => toElement(other, spans, depth - 1, beside));
  return {
    fields: elementFields(span, spans),
    ...(parent !== undefined && { parent: elementFields(parent, spans) }),
    isIn: (set) => beside.pins?.isSpanIn(set, span.row) ?? false,
    collections: {
      cost_details: costs(span),
      annotations: beside.annotations?.elements('span', span.row.rowId) ?? [],
      document_annotations: beside.annotations?.elements('document', span.row.rowId) ?? [],
      ...(depth > 0 && {
        children: related(spans.filter((other) => parentOf(other, spans) === span)),
        siblings: related(
          spans.filter((other) => other !== span && parent !== undefined && parentOf(other, spans) === parent),
        ),
      }),
    },
  };
}

function elementFields(span: KnownSpan, spans: readonly KnownSpan[]): Fields {
  const { row, span: whole, counted } = span;
  const below = subtree(span, spans);
  const prompt = sum(below, 'counted_prompt_tokens');
  const completion = sum(below, 'counted_completion_tokens');
  return {
    name: whole.name,
    ...defined('parent_id', row.parentSpanId),
    ...defined('user_id', rowText(whole.userId)),
    ...defined('session_id', rowText(whole.sessionId)),
    span_kind: row.kind,
    ...defined('model_name', whole.modelName),
    status_code: row.statusCode,
    start_time: row.startTimeUs,
    ...(!whole.isOpen && { end_time: row.endTimeUs, latency_ms: (row.endTimeUs - row.startTimeUs) / 1000 }),
    ...defined('llm_token_count_prompt', counted['prompt_tokens']),
    ...defined('llm_token_count_completion', counted['completion_tokens']),
    ...defined('llm_token_count_total', counted['total_tokens']),
    cumulative_error_count: below.filter((other) => other.row.statusCode === 'ERROR').length,
    cumulative_llm_token_count_prompt: prompt,
    cumulative_llm_token_count_completion: completion,
    cumulative_llm_token_count_total: prompt + completion,
  };
}

function rowText(text: string | null): string | null {
  return text === null ? null : boundedText(text);
}

function subtree(span: KnownSpan, spans: readonly KnownSpan[]): readonly KnownSpan[] {
  return [span, ...spans.filter((other) => parentOf(other, spans) === span).flatMap((child) => subtree(child, spans))];
}

function isTraceIn([first]: readonly KnownSpan[], beside: Beside) {
  return (set: SetReference) => first !== undefined && (beside.pins?.isTraceIn(set, first.row.traceRowId) ?? false);
}

function parentOf({ row }: KnownSpan, spans: readonly KnownSpan[]): KnownSpan | undefined {
  return spans.find((other) => other.row.spanId === row.parentSpanId && other.row.rowId !== row.rowId);
}

function byStart(spans: readonly KnownSpan[]): readonly KnownSpan[] {
  return spans.toSorted((a, b) => a.row.startTimeUs - b.row.startTimeUs || a.row.rowId - b.row.rowId);
}

function valueOf(span: KnownSpan | undefined, which: 'input' | 'output') {
  return span?.span[which]?.value;
}

function costs({ counted }: KnownSpan): readonly PlainRow[] {
  const names = ['token_type', 'is_prompt', 'tokens', 'cost', 'cost_per_token'];
  return costDetailsOf((column) => counted[column] ?? null).map((detail) => ({
    fields: Object.fromEntries(names.map((name) => [name, detail.field(name, false) ?? null])),
  }));
}

function times(spans: readonly KnownSpan[]): Fields {
  return {
    start_time: Math.min(...spans.map(({ row }) => row.startTimeUs)),
    end_time: Math.max(...spans.map(({ row }) => row.endTimeUs)),
  };
}

function duration(spans: readonly KnownSpan[]): number {
  const { start_time: start, end_time: end } = times(spans);
  return (Number(end) - Number(start)) / 1000;
}

function counts(spans: readonly KnownSpan[]): Fields {
  const prompt = sum(spans, 'counted_prompt_tokens');
  const completion = sum(spans, 'counted_completion_tokens');
  const ofKind = (kind: SpanKind) => spans.filter(({ row }) => row.kind === kind).length;
  return {
    token_count_prompt: prompt,
    token_count_completion: completion,
    token_count_total: prompt + completion,
    total_cost: sum(spans, 'counted_cost_nanousd') / 1e9,
    prompt_cost: sum(spans, 'counted_prompt_cost_nanousd') / 1e9,
    completion_cost: sum(spans, 'counted_completion_cost_nanousd') / 1e9,
    llm_span_count: ofKind('LLM'),
    tool_span_count: ofKind('TOOL'),
  };
}

function sum(spans: readonly KnownSpan[], column: string): number {
  return spans.reduce((total, { counted }) => total + numberOf(counted[column]), 0);
}

function numberOf(value: number | null | undefined): number {
  return value ?? 0;
}

function defined(name: string, value: Fields[string] | undefined): Fields {
  return value === undefined || value === null ? {} : { [name]: value };
}
