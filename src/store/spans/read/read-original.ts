/** What arrived, given back to the byte. */
import { AppError } from '#base/errors';
import { formatOtlpJson } from '#otlp/json/format';
import { encodeExportRequest } from '#otlp/protobuf/encode-request';
import type {
  Original,
  OriginalFormat,
  OriginalPage,
  PageRequest,
  SpanFilter,
  SpanSort,
  TelemetryRef,
} from '../port.ts';
import { listBlocks, loseSpans, LOST_ENVELOPE, readOriginals } from '../rows/originals.ts';
import { cursorOf, listSpans } from './list-spans.ts';
import { isInProject, isSpanInProject } from '../rows/visible.ts';
import { takeRoom } from '../../threads/thread-room.ts';
import { isDamage } from '../../engine/storage-error.ts';
import { readRowsAround } from '../rows/unreadable-rows.ts';
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
    .select('traces.id')
    .$if('rowId' in ref, (query) => query.where('traces.id', '=', (ref as { rowId: number }).rowId))
    .$if('otelId' in ref, (query) => query.where('traces.trace_id', '=', (ref as { otelId: string }).otelId))
    .where(isInProject('traces'))
    .executeTakeFirst();
  if (trace === undefined) return undefined;
  if ((await sumBlocks(scope, trace.id)) > MAX_ORIGINAL_BYTES) {
    throw new AppError('too_large', 'This trace is too large for one response: ask for the originals of its spans.');
  }
  const { rows, lost } = await listPlaces(scope, trace.id);
  const original = await encode(scope, rows, format, 'left out');
  return { ...original, damaged: [...lost, ...original.damaged] };
}

/** Raw bytes of the blocks of a trace; where some cannot be read, which reading them names, those that it has room for are taken. */
async function sumBlocks({ db }: ReadScope, traceRowId: number): Promise<number> {
  const blocks = db.selectFrom('blocks').where('trace_row_id', '=', traceRowId);
  try {
    const { sum } = await blocks
      .select((row) => row.fn.sum<number | null>('raw_bytes').as('sum'))
      .executeTakeFirstOrThrow();
    return sum ?? 0;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return 0;
  }
}

/** The spans of a trace; where rows are damaged, by the index alone and those that can be read. */
async function listPlaces(scope: ReadScope, traceRowId: number) {
  try {
    const rows = await selectPlaces(scope).where('trace_row_id', '=', traceRowId).orderBy('id').execute();
    return { rows, lost: [] };
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const ids = await scope.db.selectFrom('spans').select('id').where('trace_row_id', '=', traceRowId).execute();
  const rowIds = ids.map(({ id }) => id).sort((a, b) => a - b);
  return readRowsAround(scope, rowIds, (some) =>
    selectPlaces(scope).where('id', 'in', scope.dialect.numbersOf(some)).orderBy('id').execute(),
  );
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
  return span === undefined ? undefined : encode(scope, [span], format, 'refused');
}

/** The originals of one page. It ends early, and can be continued, where its blocks are more than are put together at once. Index: as of listSpans. */
export async function listOriginals(
  scope: ReadScope,
  filter: SpanFilter,
  page: PageRequest<SpanSort>,
  format: OriginalFormat,
): Promise<OriginalPage> {
  const { data, lost, nextCursor } = await listSpans(scope, filter, page);
  const blocks = await listBlocks(
    scope.db,
    scope.dialect,
    data.map(({ rowId }) => rowId),
  );
  const decoded = new Set<number>();
  let bytes = 0;
  const end = data.findIndex(({ rowId }, index) => {
    const block = blocks.get(rowId);
    if (block === undefined || decoded.has(block.id)) return false;
    decoded.add(block.id);
    bytes += block.rawBytes;
    return index > 0 && bytes > MAX_PAGE_BYTES;
  });
  const last = data[end];
  const rows = last === undefined ? data : data.slice(0, end);
  const original = await encode(
    scope,
    rows.map(({ rowId, otelResourceId, instrumentationScopeId }) => ({
      id: rowId,
      otel_resource_id: otelResourceId,
      instrumentation_scope_id: instrumentationScopeId,
    })),
    format,
    'left out',
  );
  const damaged = [...lost, ...original.damaged];
  return { ...original, damaged, nextCursor: last === undefined ? nextCursor : cursorOf(last, page.sort) };
}

/** Raw bytes of the blocks that a page is read from; a larger one is read alone. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** What a byte of a block takes: compressed and not, and in what is made of it. */
const MEMORY_A_BYTE: Readonly<Record<OriginalFormat, number>> = { protobuf: 3, json: 6 };

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
  damage: 'left out' | 'refused',
): Promise<Original> {
  const damagedIds: number[] = [];
  const rowIds = places.map((place) => place.id);
  const onDamaged = damage === 'refused' ? undefined : (rowId: number) => void damagedIds.push(rowId);
  const blocks = await listBlocks(db, dialect, rowIds);
  const rawBytes = new Map([...blocks.values()].map((block) => [block.id, block.rawBytes]));
  const bytes = rawBytes.values().reduce((sum, ofBlock) => sum + ofBlock, 0);
  using _ = await takeRoom(bytes * MEMORY_A_BYTE[format]);
  const originals = await readOriginals(db, dialect, rowIds, { onDamaged });
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
  const withEnvelopes = places.filter(
    (place) => resources.has(place.otel_resource_id) && scopes.has(place.instrumentation_scope_id),
  );
  if (withEnvelopes.length < places.length) {
    const lost = places.filter((place) => originals.has(place.id) && !withEnvelopes.includes(place));
    const sharing = Map.groupBy(lost, (place) =>
      resources.has(place.otel_resource_id)
        ? `instrumentation scope ${place.instrumentation_scope_id}`
        : `resource ${place.otel_resource_id}`,
    );
    for (const [shared, some] of sharing) {
      const lostIds = some.map((place) => place.id);
      await loseSpans({ db, dialect }, lostIds, LOST_ENVELOPE, { onDamaged }, shared);
    }
  }
  const groups = Map.groupBy(withEnvelopes, (place) => place.otel_resource_id);
  const request = encodeExportRequest(
    [...groups].map(([resourceId, ofResource]) => ({
      envelope: resources.get(resourceId)?.envelope ?? new Uint8Array(),
      scopes: [...Map.groupBy(ofResource, (place) => place.instrumentation_scope_id)].map(([scopeId, ofScope]) => ({
        envelope: scopes.get(scopeId)?.envelope ?? new Uint8Array(),
        messages: ofScope.flatMap((place) => originals.get(place.id) ?? []),
      })),
    })),
  );
  const body = format === 'json' ? formatOtlpJson(request) : request;
  return {
    body,
    spanCount: withEnvelopes.filter((place) => originals.has(place.id)).length,
    damaged: await identify({ db, dialect }, damagedIds),
  };
}

/** Index: primary keys. */
async function identify({ db, dialect }: Pick<ReadScope, 'db' | 'dialect'>, rowIds: readonly number[]) {
  if (rowIds.length === 0) return [];
  return db
    .selectFrom('spans')
    .innerJoin('traces', 'traces.id', 'spans.trace_row_id')
    .select(['traces.trace_id as traceId', 'spans.span_id as spanId'])
    .where('spans.id', 'in', dialect.numbersOf(rowIds))
    .orderBy('spans.id')
    .execute();
}
