/**
 * The spans of one trace in one request, sorted out: which are new, which replace a stored one, which are stored
 * already; and which stored spans around them matter.
 */
import type { Kysely } from 'kysely';
import type { NormalizedSpan } from '#normalize/normalized';
import type { SqlDialect } from '../../dialect/dialect.ts';
import type { Tables } from '../../schema/tables.ts';
import { readOriginals } from './originals.ts';
import type { Registry } from './registry.ts';
import { type KnownSpan, loadClaimingChildren, loadSpansById } from './stored-trace.ts';

/** A span to be written. */
export interface ArrivingSpan {
  readonly normalized: NormalizedSpan;
  readonly bytes: Uint8Array;
  readonly otelResourceId: number;
  readonly instrumentationScopeId: number;
  /** The stored span that it replaces, whose row id it keeps. */
  readonly replaces: KnownSpan | undefined;
}

/** What a request brings for one trace. */
export interface Arrival {
  readonly arriving: readonly ArrivingSpan[];
  readonly neighbours: readonly KnownSpan[];
  readonly replacedCount: number;
  readonly duplicateCount: number;
}

/** Sorts out the spans of one trace; `traceRowId` is `undefined` for a trace that is not stored. */
export async function sortOut(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  registry: Registry,
  traceRowId: number | undefined,
  spans: readonly NormalizedSpan[],
): Promise<Arrival> {
  const latest = new Map<string, Omit<ArrivingSpan, 'replaces'>>();
  let replacedCount = 0;
  let duplicateCount = 0;
  for (const normalized of spans) {
    const span = {
      normalized,
      bytes: normalized.bytes,
      otelResourceId: await registry.envelopeId(db, 'otel_resources', normalized.resource.envelope),
      instrumentationScopeId: await registry.envelopeId(db, 'instrumentation_scopes', normalized.scope.envelope),
    };
    const earlier = latest.get(normalized.span.spanId);
    if (earlier !== undefined && isSame(span, earlier, earlier.bytes)) {
      duplicateCount++;
      continue;
    }
    if (earlier !== undefined) replacedCount++;
    latest.set(normalized.span.spanId, span);
  }
  if (traceRowId === undefined) {
    const arriving = [...latest.values()].map((span) => ({ ...span, replaces: undefined }));
    return { arriving, neighbours: [], replacedCount, duplicateCount };
  }

  const related = new Set<string>();
  for (const { normalized } of latest.values()) {
    related.add(normalized.span.spanId);
    if (normalized.span.parentSpanId !== null) related.add(normalized.span.parentSpanId);
  }
  const known = new Map<string, KnownSpan>();
  for (const span of await loadSpansById(db, dialect, traceRowId, [...related])) known.set(span.facts.spanId, span);
  const sameId = [...known.values()].filter((span) => latest.has(span.facts.spanId));
  const originals = await readOriginals(
    db,
    dialect,
    sameId.map((span) => span.facts.rowId),
  );
  const arriving: ArrivingSpan[] = [];
  for (const [spanId, span] of latest) {
    const stored = known.get(spanId);
    if (stored !== undefined && isSame(span, stored, originals.get(stored.facts.rowId))) {
      duplicateCount++;
      continue;
    }
    if (stored !== undefined) replacedCount++;
    arriving.push({ ...span, replaces: stored });
  }
  const neighbours = await loadNeighbours(db, dialect, traceRowId, arriving, known);
  return { arriving, neighbours, replacedCount, duplicateCount };
}

/** Stored parents of arriving and replaced spans, and of all of these one claiming child, where they have any. */
async function loadNeighbours(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  traceRowId: number,
  arriving: readonly ArrivingSpan[],
  known: ReadonlyMap<string, KnownSpan>,
): Promise<readonly KnownSpan[]> {
  if (arriving.length === 0) return [];
  const neighbours = new Map([...known.values()].map((span) => [span.facts.rowId, span]));
  const around = new Set(known.keys());
  const formerParents = new Set<string>();
  for (const { normalized, replaces } of arriving) {
    around.add(normalized.span.spanId);
    const former = replaces?.facts.parentSpanId;
    if (former != null && !known.has(former)) formerParents.add(former);
  }
  if (formerParents.size > 0) {
    for (const span of await loadSpansById(db, dialect, traceRowId, [...formerParents])) {
      neighbours.set(span.facts.rowId, span);
      around.add(span.facts.spanId);
    }
  }
  const replacedRowIds = arriving.flatMap(({ replaces }) => replaces?.facts.rowId ?? []);
  for (const span of await loadClaimingChildren(db, dialect, traceRowId, [...around], replacedRowIds)) {
    neighbours.set(span.facts.rowId, span);
  }
  for (const rowId of replacedRowIds) neighbours.delete(rowId);
  return [...neighbours.values()];
}

function isSame(
  span: Omit<ArrivingSpan, 'replaces'>,
  other: { readonly otelResourceId: number; readonly instrumentationScopeId: number },
  otherBytes: Uint8Array | undefined,
): boolean {
  return (
    span.otelResourceId === other.otelResourceId &&
    span.instrumentationScopeId === other.instrumentationScopeId &&
    otherBytes !== undefined &&
    Buffer.compare(span.bytes, otherBytes) === 0
  );
}
