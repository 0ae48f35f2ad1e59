/** Reads original span messages out of their blocks, each block decoded once. */
import type { Kysely } from 'kysely';
import { AppError } from '#base/errors';
import { readSpanId, readTraceId } from '#normalize/otel-id';
import { readSpanIds } from '#otlp/protobuf/span';
import { blockContent, decodeWhole, toWholeBlocks, type WholeBlock } from '../../blocks/stored-blocks.ts';
import type { SqlDialect } from '../../dialect/dialect.ts';
import { readAroundDamage } from '../../engine/around-damage.ts';
import { type LostSpan, noteDamage } from '../../engine/damage.ts';
import { prepareQuery, queryScopeOf } from '../../queries/prepared-query.ts';
import type { Tables } from '../../schema/tables.ts';
import { takeRoom } from '../../threads/thread-room.ts';
import { isReleased } from '../released-ids.ts';

/** What becomes of spans whose originals are damaged. */
export interface DamageOptions {
  /** Told of each of them, and they are left out; without it, reading them throws. */
  readonly onDamaged?: ((rowId: number, error: AppError) => void) | undefined;
}

/**
 * The original messages of the spans by row id. Location and block are resolved in one statement, so that a compaction
 * in between is never seen half done. A message is its span's only if it has the ids of the row: a whole block, or a message of it, in
 * the place of another is damage, too. Index: primary keys.
 * @throws AppError `data_damaged` with the spans whose originals are not what was stored, unless damaged ones are left out
 */
export async function readOriginals(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  spanRowIds: readonly number[],
  { onDamaged }: DamageOptions = {},
): Promise<ReadonlyMap<number, Uint8Array>> {
  if (spanRowIds.length === 0) return new Map();
  const { rows: found, unreadable } = await readAroundDamage(spanRowIds, (rowIds) => readBlocks(db, dialect, rowIds));
  const originals = new Map<number, Uint8Array>();
  const lost = new Set<number>();
  const lose = (spans: readonly PlacedSpan[], why: string) => {
    const error = damageOf(spans, why);
    if (onDamaged === undefined) throw error;
    for (const { rowId } of spans) {
      lost.add(rowId);
      onDamaged(rowId, error);
    }
  };
  for (const { row, block } of found) {
    const messages = tryToDecode(block);
    const spans = (JSON.parse(row.places) as [number, number, string, string][]).map(
      ([rowId, ordinal, traceId, spanId]): PlacedSpan => ({ rowId, ordinal, traceId, spanId }),
    );
    const strangers: PlacedSpan[] = [];
    for (const span of messages === undefined ? [] : spans) {
      const bytes = messages?.[span.ordinal];
      if (bytes === undefined || !isOf(span, bytes)) strangers.push(span);
      else originals.set(span.rowId, bytes);
    }
    if (messages === undefined) lose(spans, `a block of ${block.data.length} bytes`);
    else if (strangers.length > 0) lose(strangers, `its block of ${block.data.length} bytes holds something else`);
  }
  const cut = new Set(unreadable);
  await loseSpans({ db, dialect }, unreadable, 'pages of the database', { onDamaged });
  const missing = spanRowIds.filter((rowId) => !originals.has(rowId) && !lost.has(rowId) && !cut.has(rowId));
  await loseSpans({ db, dialect }, missing, 'its block is missing', { onDamaged });
  return originals;
}

/**
 * Loses the spans of the row ids for another reason; those that are gone are left out.
 * @param shared what they share with others that is lost
 * @throws AppError `data_damaged`, as above
 */
export async function loseSpans(
  { db, dialect }: { readonly db: Kysely<Tables>; readonly dialect: SqlDialect },
  rowIds: readonly number[],
  why: string,
  { onDamaged }: DamageOptions,
  shared?: string,
): Promise<void> {
  const lost = rowIds.length === 0 ? [] : await findStored(db, dialect, rowIds);
  if (lost.length === 0) return;
  const error = damageOf(lost, why, shared);
  if (onDamaged === undefined) throw error;
  for (const { rowId } of lost) onDamaged(rowId, error);
}

/** The blocks of the spans. Where the dictionary of one goes between two statements, it has gone or is another by now: it is read once more. */
async function readBlocks(db: Kysely<Tables>, dialect: SqlDialect, rowIds: readonly number[]) {
  const scope = queryScopeOf({ db, dialect });
  const wanted = { rowIds: JSON.stringify(rowIds) };
  const blocks = await toWholeBlocks(db, await selectBlocks(scope, wanted));
  const isWhole = blocks.every(({ row, block }) => row.dictionary_id === null || block.dictionary !== undefined);
  return isWhole ? blocks : toWholeBlocks(db, await selectBlocks(scope, wanted));
}

/** Spans are grouped before their blocks are read, which would go through the sorting otherwise, once for each span. */
const selectBlocks = prepareQuery(({ db, dialect }, { rowIds }: { readonly rowIds: string }) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('span_locations')
        .innerJoin('spans', 'spans.id', 'span_locations.span_row_id')
        .innerJoin('traces', 'traces.id', 'spans.trace_row_id')
        .select('block_id')
        .select((row) =>
          dialect
            .collectTuples(
              row.ref('span_row_id'),
              row.ref('ordinal'),
              row.ref('traces.trace_id'),
              row.ref('spans.span_id'),
            )
            .as('places'),
        )
        .where('span_row_id', 'in', dialect.numbersOfJson(rowIds))
        .groupBy('block_id')
        .as('wanted'),
    )
    .innerJoin('blocks', 'blocks.id', 'wanted.block_id')
    .select(blockContent(dialect))
    .select('wanted.places'),
);

interface PlacedSpan extends LostSpan {
  readonly rowId: number;
  readonly ordinal: number;
}

function tryToDecode(block: WholeBlock): readonly Uint8Array[] | undefined {
  try {
    return decodeWhole(block);
  } catch {
    return undefined;
  }
}

function isOf({ traceId, spanId }: LostSpan, bytes: Uint8Array): boolean {
  try {
    const ids = readSpanIds(bytes);
    const isOfTrace = isReleased(traceId) || readTraceId(ids.traceId) === traceId;
    return isOfTrace && readSpanId(ids.spanId) === spanId;
  } catch {
    return false;
  }
}

/** Of the row ids those that spans have: the others were deleted meanwhile. Index: primary keys. */
async function findStored(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  rowIds: readonly number[],
): Promise<readonly PlacedSpan[]> {
  const rows = await db
    .selectFrom('spans')
    .innerJoin('traces', 'traces.id', 'spans.trace_row_id')
    .select(['spans.id as rowId', 'traces.trace_id as traceId', 'spans.span_id as spanId'])
    .where('spans.id', 'in', dialect.numbersOf(rowIds))
    .execute();
  return rows.map((row) => ({ ...row, ordinal: 0 }));
}

/** Notes the damage. */
function damageOf(spans: readonly PlacedSpan[], why: string, shared?: string): AppError {
  const ordered = spans.toSorted((a, b) => a.rowId - b.rowId);
  const named = ordered.slice(0, MAX_NAMED_SPANS).map(({ traceId, spanId }) => `${spanId} of trace ${traceId}`);
  const others = spans.length - named.length;
  const message = `The stored original of span ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''} is damaged (${why}).`;
  const lost = ordered.slice(0, MAX_LISTED_SPANS).map(({ traceId, spanId }) => ({ traceId, spanId }));
  noteDamage({ kind: 'span', message, spans: lost, ...(shared !== undefined && { shared }) });
  return new AppError('data_damaged', message);
}

/** Why a span is lost whose own message is whole. */
export const LOST_ENVELOPE = 'its resource or instrumentation scope';

const MAX_NAMED_SPANS = 5;
const MAX_LISTED_SPANS = 1000;

/** As {@link readOriginals}, a bounded number of bytes at a time, in no order. */
export async function* readOriginalsInParts(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  spanRowIds: readonly number[],
  options: DamageOptions = {},
): AsyncGenerator<readonly [rowId: number, bytes: Uint8Array]> {
  const blocks = await listBlocks(db, dialect, spanRowIds);
  const bySpan = [...blocks].sort(([, a], [, b]) => a.id - b.id);
  let part: number[] = [];
  let bytes = 0;
  let blockId: number | undefined;
  async function* read(rowIds: readonly number[]): AsyncGenerator<readonly [number, Uint8Array]> {
    using _ = await takeRoom(MEMORY_A_BYTE * bytes);
    yield* await readOriginals(db, dialect, rowIds, options);
  }
  for (const [rowId, { id, rawBytes }] of bySpan) {
    const more = id === blockId ? 0 : rawBytes;
    if (part.length > 0 && bytes + more > MAX_PART_BYTES) {
      yield* read(part);
      part = [];
      bytes = 0;
    }
    part.push(rowId);
    bytes += more;
    blockId = id;
  }
  // One without a block was deleted, or is damaged, which reading it tells.
  const others = spanRowIds.filter((rowId) => !blocks.has(rowId));
  yield* read([...part, ...others]);
}

/** What a byte of a block takes: compressed and not. */
const MEMORY_A_BYTE = 2;

/** Raw bytes of the blocks that are decoded together; a larger one is decoded alone. */
export const MAX_PART_BYTES = 8 * 1024 * 1024;

/** The block of each span by row id, and how large it is once decoded; those that cannot be read are left out. Index: primary keys. */
export async function listBlocks(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  spanRowIds: readonly number[],
): Promise<ReadonlyMap<number, { readonly id: number; readonly rawBytes: number }>> {
  if (spanRowIds.length === 0) return new Map();
  const scope = queryScopeOf({ db, dialect });
  const { rows } = await readAroundDamage(spanRowIds, (rowIds) =>
    selectBlockSizes(scope, { rowIds: JSON.stringify(rowIds) }),
  );
  return new Map(rows.map(({ span_row_id, id, rawBytes }) => [span_row_id, { id, rawBytes }]));
}

const selectBlockSizes = prepareQuery(({ db, dialect }, { rowIds }: { readonly rowIds: string }) =>
  db
    .selectFrom('span_locations')
    .innerJoin('blocks', 'blocks.id', 'span_locations.block_id')
    .select(['span_row_id', 'blocks.id', 'blocks.raw_bytes as rawBytes'])
    .where('span_row_id', 'in', dialect.numbersOfJson(rowIds)),
);
