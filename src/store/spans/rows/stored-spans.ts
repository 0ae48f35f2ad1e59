/** Stored spans made whole: originals read from their blocks, with the log records that belong to them. */
import { collectGarbage } from '#base/collect-garbage';
import type { SpanRecord } from '#normalize/dialects/dialect';
import { normalizeSpan } from '#normalize/normalize-span';
import { weighReading } from '#normalize/weigh-reading';
import type { InstrumentationScope, OtelResource, OtlpSpan } from '#otlp/messages';
import { decodeWeighedSpan } from '#otlp/protobuf/span';
import { listRecordBlocks, readSpanRecords } from '../../logs/rows/read-records.ts';
import { giveWay } from '../../threads/fair-turns.ts';
import { takeRoom, tryTakeRoom } from '../../threads/thread-room.ts';
import type { StoredSpan } from '../presenter.ts';
import {
  type DamageOptions,
  listBlocks,
  loseSpans,
  LOST_ENVELOPE,
  MAX_PART_BYTES,
  readOriginals,
} from './originals.ts';
import type { ReadScope } from './read-scope.ts';
import type { ListedSpan } from './span-query.ts';

/**
 * The whole spans of the rows, in their order, read by today's rules. Times and ids are those of the row, which is what
 * lists are sorted by. They are read as they are asked for, a bounded number of bytes at a time.
 */
export async function* readStoredSpans(
  scope: ReadScope,
  rows: readonly ListedSpan[],
  options: Pick<DecodeOptions<ListedSpan>, 'endsBefore' | 'onDamaged'> = {},
): AsyncGenerator<StoredSpan> {
  for await (const decoded of readDecodedSpans(scope, rows, options)) {
    const { row, original, scope: instrumentationScope, resource, records } = decoded;
    const span = readWithRecords(records, (by) =>
      normalizeSpan(original, instrumentationScope, resource, BigInt(row.startTimeUs) * 1000n, by),
    );
    yield { ...decoded, span };
    await giveWay();
  }
}

/** Reads a span with its log records; where they make that fail, without them: they never cost the span itself. */
export function readWithRecords<Read>(
  records: readonly SpanRecord[],
  read: (records: readonly SpanRecord[]) => Read,
  onError?: (cause: unknown) => void,
): Read {
  if (records.length === 0) return read(records);
  try {
    return read(records);
  } catch (error) {
    onError?.(error);
    return read([]);
  }
}

/** What of a row leads to the original of its span. */
export type DecodableSpan = Pick<ListedSpan, 'rowId' | 'otelResourceId' | 'instrumentationScopeId'>;

/** A stored span as it came. */
export interface DecodedSpan<Row> {
  readonly row: Row;
  readonly original: OtlpSpan;
  readonly scope: InstrumentationScope;
  readonly resource: OtelResource;
  /** What log records say of it, earliest first. */
  readonly records: readonly SpanRecord[];
}

/** How spans are decoded. */
export interface DecodeOptions<Row> extends DamageOptions {
  /** Whether log records are read, too; they are unless it says no. */
  readonly isWithRecords?: boolean;
  /**
   * Asked where there is no memory for the spans from a row on: `true` ends the list before it, which who holds what came before must
   * do. Otherwise, it waits for memory.
   */
  readonly endsBefore?: (row: Row) => boolean;
  /** Gets the room of spans that are read alone because they are large, for who works on them after the list has ended. */
  readonly keepRoom?: ((room: Disposable) => void) | undefined;
}

/**
 * The spans of the rows as they came, in their order, a bounded number of bytes at a time.
 * @throws AppError `unavailable` where there is no memory for them
 */
export async function* readDecodedSpans<Row extends DecodableSpan>(
  scope: Omit<ReadScope, 'trees'>,
  rows: readonly Row[],
  { isWithRecords = true, endsBefore = () => false, keepRoom, ...damage }: DecodeOptions<Row> = {},
): AsyncGenerator<DecodedSpan<Row>> {
  for (const part of await toParts(scope, rows, isWithRecords)) {
    const bytes = part.bytes * MEMORY_A_BYTE;
    let room = await tryTakeRoom(bytes);
    if (room === undefined) {
      const [first] = part.rows;
      if (first !== undefined && endsBefore(first)) return;
      room = await takeRoom(bytes);
    }
    const isLarge = part.bytes > MAX_PART_BYTES;
    const partRoom = room;
    const makeRoom = async (row: Row, weight: number) => {
      const now = await tryTakeRoom(weight);
      if (now !== undefined || endsBefore(row)) return now;
      // A reader that waits for more must not hold what others wait for.
      partRoom[Symbol.dispose]();
      return takeRoom(bytes + weight);
    };
    const isKept = isLarge && keepRoom !== undefined;
    using _ = isKept ? undefined : room;
    if (isKept) keepRoom(room);
    // What the part before left is not collected by itself before much more is there.
    if (isLarge) collectGarbage();
    let isLeft = true;
    try {
      const isWhole = yield* readPart(scope, part, { ...damage, makeRoom });
      if (!isWhole) return;
      isLeft = false;
    } finally {
      // Who reads no further holds the last span for a moment.
      if (isLarge && isLeft) setImmediate(collectGarbage);
    }
    if (isLarge) collectGarbage();
  }
}

/** What a byte of a block takes: compressed and not, and in the texts that are read of it and made of it. */
const MEMORY_A_BYTE = 3;

/** What a value of a list takes: decoded, as today's rules read it, and in the text that is made of it. */
const MEMORY_A_VALUE = 100;

/** A span of no more bytes is read in their room, whatever it holds. */
const FEW_BYTES = 8 * 1024;

/** The same of a span that becomes no more bytes than these. */
const LITTLE_WEIGHT = 4 * 1024 * 1024;

/** Rows whose blocks are decoded together. */
interface Part<Row> {
  readonly rows: Row[];
  /** Of the blocks, once they are decoded. */
  bytes: number;
  /** Those that have log records. */
  readonly withRecords: number[];
}

async function toParts<Row extends DecodableSpan>(
  { db, dialect }: Omit<ReadScope, 'trees'>,
  rows: readonly Row[],
  isWithRecords: boolean,
): Promise<Part<Row>[]> {
  const rowIds = rows.map((row) => row.rowId);
  const blocks = await listBlocks(db, dialect, rowIds);
  const recordBlocks = await listRecordBlocks(db, dialect, isWithRecords ? rowIds : []);
  const parts: Part<Row>[] = [];
  let part: Part<Row> = { rows: [], bytes: 0, withRecords: [] };
  let blockIds = new Set<number>();
  for (const row of rows) {
    // One without a block was deleted since it was listed, or is damaged, which reading it tells.
    const block = blocks.get(row.rowId) ?? [];
    const ofRecords = recordBlocks.get(row.rowId) ?? [];
    const unread = () => [block, ofRecords].flat().filter(({ id }) => !blockIds.has(id));
    const bytes = unread().reduce((sum, { rawBytes }) => sum + rawBytes, 0);
    if (parts.length === 0 || (bytes > 0 && part.bytes + bytes > MAX_PART_BYTES)) {
      part = { rows: [], bytes: 0, withRecords: [] };
      parts.push(part);
      blockIds = new Set();
    }
    for (const { id, rawBytes } of unread()) {
      blockIds.add(id);
      part.bytes += rawBytes;
    }
    part.rows.push(row);
    if (ofRecords.length > 0) part.withRecords.push(row.rowId);
  }
  return parts;
}

/** Makes room for so many bytes of what a span becomes; `undefined` where the list is to end before it. */
type MakeRoom<Row> = (row: Row, weight: number) => Promise<Disposable | undefined>;

/** Returns whether it came to its end. */
async function* readPart<Row extends DecodableSpan>(
  { db, dialect, envelopes }: Omit<ReadScope, 'trees'>,
  { rows, withRecords }: Part<Row>,
  { makeRoom, ...damage }: DamageOptions & { readonly makeRoom: MakeRoom<Row> },
): AsyncGenerator<DecodedSpan<Row>, boolean> {
  const rowIds = rows.map((row) => row.rowId);
  const originals = await readOriginals(db, dialect, rowIds, damage);
  const resources = await envelopes.resources(
    db,
    dialect,
    rows.map((row) => row.otelResourceId),
  );
  const scopes = await envelopes.scopes(
    db,
    dialect,
    rows.map((row) => row.instrumentationScopeId),
  );
  const untold = new Set<number>();
  const records = await readSpanRecords(db, dialect, withRecords, {
    onDamaged:
      damage.onDamaged &&
      ((rowId, error) => {
        // A span without a part of what was said of it would be another one.
        if (!untold.has(rowId)) damage.onDamaged?.(rowId, error);
        untold.add(rowId);
      }),
  });
  for (const row of rows) {
    const bytes = originals.get(row.rowId);
    const resource = resources.get(row.otelResourceId);
    const scope = scopes.get(row.instrumentationScopeId);
    if (bytes === undefined || untold.has(row.rowId)) continue;
    if (resource === undefined || scope === undefined) {
      const shared =
        resource === undefined
          ? `resource ${row.otelResourceId}`
          : `instrumentation scope ${row.instrumentationScopeId}`;
      await loseSpans({ db, dialect }, [row.rowId], LOST_ENVELOPE, damage, shared);
      continue;
    }
    const { span: original, weight: listed } = decodeWeighedSpan(bytes);
    if ('malformed' in original) throw new Error(`span ${row.rowId} cannot be read: ${original.malformed}`);
    const weight = listed * MEMORY_A_VALUE + (bytes.length > FEW_BYTES ? weighReading(original) : 0);
    using more = weight > LITTLE_WEIGHT ? await makeRoom(row, weight) : null;
    if (more === undefined) return false;
    yield { row, original, scope, resource, records: records.get(row.rowId) ?? [] };
    await giveWay();
  }
  return true;
}
