/** Rows of tables with whole texts, as the columns of the tables name their values. */
import { graphql, readInlineData } from 'react-relay';
import type { rows_session$key } from '#ui/__generated__/rows_session.graphql.ts';
import type { rows_span$key } from '#ui/__generated__/rows_span.graphql.ts';
import type { rows_trace$key } from '#ui/__generated__/rows_trace.graphql.ts';
import { annotationColumnId, NOTE } from '../annotation-ids.ts';
import { exportSummary, type SaidSummary } from '../annotation-summary.ts';
import { attributeColumnId } from '../attribute-ids.ts';
import type { Cell, ExportedRow } from './write-rows.ts';

const SPAN = graphql`
  fragment rows_span on Span @inline {
    id
    name
    spanKind
    statusCode
    startTime
    latencyMs
    modelName
    userId
    sessionId
    timeToFirstTokenMs
    attributeTexts(paths: $paths, maxLength: 1000000)
    tokenCountTotal
    context {
      traceId
      spanId
    }
    input {
      value
    }
    output {
      value
    }
    costSummary {
      total {
        cost
      }
    }
    spanAnnotationSummaries @include(if: $annotated) {
      name
      count
      meanScore
      labelFractions {
        label
        fraction
      }
    }
    spanNotes @include(if: $noted) {
      id
    }
  }
`;

const TRACE = graphql`
  fragment rows_trace on Trace @inline {
    id
    traceId
    startTime
    latencyMs
    errorCount
    numSpans
    userId
    tokenUsage {
      total
    }
    costSummary {
      total {
        cost
      }
    }
    session {
      sessionId
    }
    rootSpan {
      name
      timeToFirstTokenMs
      attributeTexts(paths: $paths, maxLength: 1000000)
      input {
        value
      }
      output {
        value
      }
    }
    traceAnnotationSummaries @include(if: $annotated) {
      name
      count
      meanScore
      labelFractions {
        label
        fraction
      }
    }
    notes: traceAnnotations(filter: { include: { names: ["note"] } }) @include(if: $noted) {
      id
    }
  }
`;

const SESSION = graphql`
  fragment rows_session on ProjectSession @inline {
    id
    sessionId
    userId
    startTime
    endTime
    numTraces
    numTracesWithError
    tokenUsage {
      total
    }
    costSummary {
      total {
        cost
      }
    }
    firstInput {
      value
    }
    lastOutput {
      value
    }
    sessionAnnotationSummaries @include(if: $annotated) {
      name
      count
      meanScore
      labelFractions {
        label
        fraction
      }
    }
    sessionAnnotations @include(if: $noted) {
      name
    }
  }
`;

/** A span as a row of its table. */
export function toSpanRow(ref: rows_span$key, paths: readonly string[]): ExportedRow {
  const span = readInlineData(SPAN, ref);
  return toRow(span.id, {
    status: span.statusCode,
    kind: span.spanKind,
    name: span.name,
    input: span.input?.value,
    output: span.output?.value,
    model: span.modelName,
    start: span.startTime,
    latency: span.latencyMs,
    tokens: span.tokenCountTotal,
    cost: span.costSummary?.total.cost,
    user: span.userId,
    session: span.sessionId,
    firstToken: span.timeToFirstTokenMs,
    ...toCells(paths, span.attributeTexts ?? paths.map(() => DAMAGED)),
    ...toAnnotationCells(span.spanAnnotationSummaries),
    notes: span.spanNotes?.length,
    traceId: span.context.traceId,
    spanId: span.context.spanId,
  });
}

/** A trace as a row of its table. */
export function toTraceRow(ref: rows_trace$key, paths: readonly string[]): ExportedRow {
  const trace = readInlineData(TRACE, ref);
  return toRow(trace.id, {
    status: trace.errorCount > 0 ? 'ERROR' : 'OK',
    name: trace.rootSpan?.name,
    input: trace.rootSpan?.input?.value,
    output: trace.rootSpan?.output?.value,
    start: trace.startTime,
    latency: trace.latencyMs,
    tokens: trace.tokenUsage.total,
    cost: trace.costSummary.total.cost,
    spans: trace.numSpans,
    session: trace.session?.sessionId,
    user: trace.userId,
    firstToken: trace.rootSpan?.timeToFirstTokenMs,
    ...toCells(paths, trace.rootSpan?.attributeTexts ?? []),
    ...toAnnotationCells(trace.traceAnnotationSummaries),
    notes: trace.notes?.length,
    traceId: trace.traceId,
  });
}

/** A session as a row of its table. */
export function toSessionRow(ref: rows_session$key): ExportedRow {
  const session = readInlineData(SESSION, ref);
  return toRow(session.id, {
    sessionId: session.sessionId,
    firstInput: session.firstInput?.value,
    lastOutput: session.lastOutput?.value,
    user: session.userId,
    start: session.startTime,
    end: session.endTime,
    duration: Date.parse(session.endTime) - Date.parse(session.startTime),
    traces: session.numTraces,
    errors: session.numTracesWithError,
    tokens: session.tokenUsage.total,
    cost: session.costSummary.total.cost,
    ...toAnnotationCells(session.sessionAnnotationSummaries),
    notes: session.sessionAnnotations?.filter(({ name }) => name === NOTE).length,
  });
}

function toRow(id: string, cells: Readonly<Record<string, Cell | undefined>>): ExportedRow {
  return { id, cells: Object.fromEntries(Object.entries(cells).map(([column, cell]) => [column, cell ?? null])) };
}

/** In place of what a damaged original held. */
const DAMAGED = '(damaged)';

function toCells(paths: readonly string[], texts: readonly (string | null | undefined)[]) {
  return Object.fromEntries(paths.map((path, place) => [attributeColumnId(path), texts[place] ?? null]));
}

function toAnnotationCells(summaries: readonly SaidSummary[] = []) {
  return Object.fromEntries(summaries.map((summary) => [annotationColumnId(summary.name), exportSummary(summary)]));
}
