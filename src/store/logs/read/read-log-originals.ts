/** Log records as they arrived, given back to the byte. */
import { AppError } from '#base/errors';
import { formatOtlpJson } from '#otlp/json/format';
import { encodeExportRequest } from '#otlp/protobuf/encode-request';
import type { OriginalFormat, TelemetryRef } from '../../spans/port.ts';
import { isInProject, isSpanInProject } from '../../spans/rows/visible.ts';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import { rowsByOtelId } from '../../spans/rows/rows-by-otel-id.ts';
import type { LogOriginal, LogOriginalPage } from '../port.ts';
import { readRecordOriginals } from '../rows/record-originals.ts';

/** Bytes of originals that are put together in memory at once. */
const MAX_ORIGINAL_BYTES = 64 * 1024 * 1024;

/** Those of a trace, attached or not. Index: unique trace_id, spans_of_trace, log_records_of_span, log_records_waiting. */
export async function readTraceLogs(
  scope: ReadScope,
  ref: TelemetryRef,
  format: OriginalFormat,
): Promise<LogOriginal | undefined> {
  const { db } = scope;
  const trace = await db
    .selectFrom('traces')
    .select(['id', 'trace_id'])
    .$if('rowId' in ref, (query) => query.where('id', '=', (ref as { rowId: number }).rowId))
    .$if('otelId' in ref, (query) => query.where('trace_id', '=', (ref as { otelId: string }).otelId))
    .where(isInProject('traces'))
    .executeTakeFirst();
  if (trace === undefined) return undefined;
  const ofTrace = db.selectFrom('spans').select('id').where('trace_row_id', '=', trace.id);
  const attached = await selectPlaces(scope).where('span_row_id', 'in', ofTrace).orderBy('id').execute();
  const unattached = await selectPlaces(scope)
    .where('trace_id', '=', trace.trace_id)
    .where('span_row_id', 'is', null)
    .orderBy('id')
    .execute();
  return encode(scope, [...attached, ...unattached], format);
}

/** Those of a span. Index: the primary key, or spans_by_otel_id; log_records_of_span. */
export async function readSpanLogs(
  scope: ReadScope,
  ref: TelemetryRef,
  format: OriginalFormat,
): Promise<LogOriginal | undefined> {
  const { db, dialect } = scope;
  const query = db.selectFrom('spans').select('id');
  const span = await ('rowId' in ref
    ? query.where('id', '=', ref.rowId)
    : query.where('id', 'in', rowsByOtelId(dialect, [ref.otelId]))
  )
    .where(isSpanInProject)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (span === undefined) return undefined;
  const places = await selectPlaces(scope).where('span_row_id', '=', span.id).orderBy('id').execute();
  return encode(scope, places, format);
}

/** Those of a project that belong to no span. Index: log_records_unattached. */
export async function readUnattachedLogs(
  scope: ReadScope,
  projectRowId: number,
  { limit, below }: { readonly limit: number; readonly below: number | null },
  format: OriginalFormat,
): Promise<LogOriginalPage> {
  const places = await selectPlaces(scope)
    .where('project_id', '=', projectRowId)
    .where('span_row_id', 'is', null)
    .$if(below !== null, (query) => query.where('id', '<', below as number))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = places.slice(0, limit);
  const nextBelow = places.length > limit ? (page.at(-1)?.id ?? null) : null;
  return { ...(await encode(scope, page, format)), nextBelow };
}

function selectPlaces({ db }: ReadScope) {
  return db.selectFrom('log_records').select(['id', 'otel_resource_id', 'instrumentation_scope_id']);
}

type Place = Awaited<ReturnType<ReturnType<typeof selectPlaces>['execute']>>[number];

/** @throws AppError `too_large` */
async function encode(
  { db, dialect, envelopes }: ReadScope,
  places: readonly Place[],
  format: OriginalFormat,
): Promise<LogOriginal> {
  const originals = new Map<number, Uint8Array>();
  const rowIds = places.map((place) => place.id);
  const damaged = new Set<number>();
  const onDamaged = (rowId: number) => void damaged.add(rowId);
  let bytes = 0;
  for await (const [rowId, original] of readRecordOriginals(db, dialect, rowIds, { onDamaged })) {
    bytes += original.length;
    if (bytes > MAX_ORIGINAL_BYTES) {
      throw new AppError('too_large', 'These log records are together too large for one response: ask for fewer.');
    }
    originals.set(rowId, original);
  }
  const resourceIds = places.map((place) => place.otel_resource_id);
  const scopeIds = places.map((place) => place.instrumentation_scope_id);
  const resources = await envelopes.resources(db, dialect, resourceIds);
  const scopes = await envelopes.scopes(db, dialect, scopeIds);
  for (const { id, otel_resource_id: resourceId, instrumentation_scope_id: scopeId } of places) {
    if (resources.has(resourceId) && scopes.has(scopeId)) continue;
    damaged.add(id);
    originals.delete(id);
  }
  const request = encodeExportRequest(
    [...Map.groupBy(places, (place) => place.otel_resource_id)].map(([resourceId, ofResource]) => ({
      envelope: resources.get(resourceId)?.envelope ?? new Uint8Array(),
      scopes: [...Map.groupBy(ofResource, (place) => place.instrumentation_scope_id)].map(([scopeId, ofScope]) => ({
        envelope: scopes.get(scopeId)?.envelope ?? new Uint8Array(),
        messages: ofScope.flatMap((place) => originals.get(place.id) ?? []),
      })),
    })),
  );
  const body = format === 'json' ? formatOtlpJson(request, 'ExportLogsServiceRequest') : request;
  return { body, recordCount: originals.size, damagedRowIds: [...damaged] };
}
