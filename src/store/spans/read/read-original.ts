/** What arrived, given back to the byte. */
import { AppError } from '#base/errors';
import { formatOtlpJson } from '#otlp/json/format';
import { encodeExportRequest } from '#otlp/protobuf/encode-request';
import type { Original, OriginalFormat, TelemetryRef } from '../port.ts';
import { readOriginals } from '../rows/originals.ts';
import { isInProject, isSpanInProject } from '../rows/visible.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { rowsByOtelId } from '../rows/rows-by-otel-id.ts';

/** The originals of a whole trace. Index: unique trace_id, blocks_of_trace, spans_of_trace. */
export async function readTraceOriginal(
  scope: ReadScope,
  ref: TelemetryRef,
  format: OriginalFormat,
): Promise<Original | undefined> {
  const trace = await scope.db
    .selectFrom('traces')
    .leftJoin('blocks', 'blocks.trace_row_id', 'traces.id')
    .select((row) => ['traces.id', row.fn.sum<number>('blocks.raw_bytes').as('raw_bytes')])
    .$if('rowId' in ref, (query) => query.where('traces.id', '=', (ref as { rowId: number }).rowId))
    .$if('otelId' in ref, (query) => query.where('traces.trace_id', '=', (ref as { otelId: string }).otelId))
    .where(isInProject('traces'))
    .groupBy('traces.id')
    .executeTakeFirst();
  if (trace === undefined) return undefined;
  if (trace.raw_bytes > MAX_ORIGINAL_BYTES) {
    throw new AppError('too_large', 'This trace is too large for one response: ask for the originals of its spans.');
  }
  const spans = await selectPlaces(scope).where('trace_row_id', '=', trace.id).orderBy('id').execute();
  return encode(scope, spans, format);
}

/** The original of one span. Index: the primary key, or spans_by_otel_id. */
export async function readSpanOriginal(
  scope: ReadScope,
  ref: TelemetryRef,
  format: OriginalFormat,
): Promise<Original | undefined> {
  const query = selectPlaces(scope);
  const span = await ('rowId' in ref
    ? query.where('id', '=', ref.rowId)
    : query.where('id', 'in', rowsByOtelId(scope.dialect, [ref.otelId]))
  )
    .where(isSpanInProject)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return span === undefined ? undefined : encode(scope, [span], format);
}

/** Raw bytes of a trace that are put together in memory at once. */
const MAX_ORIGINAL_BYTES = 64 * 1024 * 1024;

interface Place {
  readonly id: number;
  readonly otel_resource_id: number;
  readonly instrumentation_scope_id: number;
}

function selectPlaces({ db }: ReadScope) {
  return db.selectFrom('spans').select(['id', 'otel_resource_id', 'instrumentation_scope_id']);
}

async function encode(
  { db, dialect, envelopes }: ReadScope,
  places: readonly Place[],
  format: OriginalFormat,
): Promise<Original> {
  const originals = await readOriginals(
    db,
    dialect,
    places.map((place) => place.id),
  );
  const resources = await envelopes.resources(
    db,
    dialect,
    places.map((place) => place.otel_resource_id),
  );
  const scopes = await envelopes.scopes(
    db,
    dialect,
    places.map((place) => place.instrumentation_scope_id),
  );
  const groups = Map.groupBy(places, (place) => place.otel_resource_id);
  const request = encodeExportRequest(
    [...groups].map(([resourceId, ofResource]) => ({
      envelope: resources.get(resourceId)?.envelope ?? new Uint8Array(),
      scopes: [...Map.groupBy(ofResource, (place) => place.instrumentation_scope_id)].map(([scopeId, ofScope]) => ({
        envelope: scopes.get(scopeId)?.envelope ?? new Uint8Array(),
        messages: ofScope.flatMap((place) => originals.get(place.id) ?? []),
      })),
    })),
  );
  const body = format === 'json' ? Buffer.from(formatOtlpJson(request)) : request;
  return { body, spanCount: originals.size };
}
