/** What is kept of a segment: names of its chunks, and how each is written and read. */
import { createHash } from 'node:crypto';
import type { AttributeScalar } from '#derive/narrow-attributes';
import type { AttributeColumn, CodedColumn, NumberColumn, TextColumn } from './batch.ts';
import { NUMBER_COLUMNS, TEXT_COLUMNS } from './batch.ts';
import { ByteReader, ByteWriter } from './codec/bytes.ts';
import { packChunk, readChunk } from './codec/chunk.ts';
import { readCodes, writeCodes } from './codec/codes.ts';
import { readNumbers, writeNumbers } from './codec/numbers.ts';
import { arrangeScalars, readScalars, writeScalars } from './codec/scalars.ts';
import { NEW_ARRAYS } from './codec/reused-arrays.ts';
import { readTexts, writeTexts } from './codec/texts.ts';
import type { HiddenAttributes } from './collect-attributes.ts';
import { bytesOf, RowSet } from './row-set.ts';

/** Part of a segment. */
export interface Chunk {
  readonly name: string;
  readonly data: Uint8Array;
}

/** Chunks beside those of columns, which have their names, and of attributes. */
export const CHUNKS = {
  /** Left out where no row id is. */
  rowIds: 'row_ids',
  /** Rows whose parent was not stored, and what it is called. */
  orphans: '~orphans',
  /** Attributes that have no chunk of their own. */
  sparse: '~sparse',
  hidden: '~hidden',
  paths: '~paths',
} as const;

/** The name of an attribute's chunk. */
export function attributeChunk(path: string): string {
  return `@${path}`;
}

/** Columns that follow from two others, and are not kept. */
export const DERIVED_COLUMNS: Readonly<Partial<Record<NumberColumn, DerivedColumn>>> = {
  end_us: { from: ['start_us', 'latency_us'], derive: (start, latency) => start + latency },
  total_tokens: {
    from: ['prompt_tokens', 'completion_tokens'],
    derive: (prompt, completion) =>
      Number.isNaN(prompt) ? completion : Number.isNaN(completion) ? prompt : prompt + completion,
  },
};

/** Of which columns, and how. */
export interface DerivedColumn {
  readonly from: readonly [NumberColumn, NumberColumn];
  readonly derive: (first: number, second: number) => number;
}

/** Which columns there are, and how they are written: a segment of another format is not read, but built anew. */
export const SEGMENT_FORMAT = createHash('sha256')
  .update(JSON.stringify([3, NUMBER_COLUMNS, TEXT_COLUMNS]))
  .digest('hex')
  .slice(0, 16);

/** Writes a column of numbers; `undefined` where every row misses it. */
export function packNumbers(name: string, values: Float64Array): Chunk | undefined {
  if (values.every((value) => Number.isNaN(value))) return undefined;
  return pack(name, (out) => writeNumbers(out, values), NUMBERS_WORTHWHILE);
}

/** Reads what {@link packNumbers} wrote. */
export function unpackNumbers(data: Uint8Array | undefined, rowCount: number, arrays = NEW_ARRAYS): Float64Array {
  if (data === undefined) return arrays.takeNumbers(rowCount).fill(NaN);
  return read(data, (from) => readNumbers(from, arrays.takeNumbers));
}

/** Writes a column of texts; `undefined` where every row misses it. */
export function packTexts(name: TextColumn, { codes, values }: CodedColumn<string>): Chunk | undefined {
  if (values.length === 1) return undefined;
  return pack(name, (out) => {
    writeTexts(out, values.slice(1) as string[]);
    writeCodes(out, codes);
  });
}

/** Reads what {@link packTexts} wrote. */
export function unpackTexts(data: Uint8Array | undefined, rowCount: number, arrays = NEW_ARRAYS): CodedColumn<string> {
  if (data === undefined) return { codes: arrays.takeCodes(rowCount).fill(0), values: [undefined] };
  return read(data, (from) => {
    const values = [undefined, ...readTexts(from)];
    return { codes: readCodes(from, arrays.takeCodes), values };
  });
}

/** Writes an attribute. */
export function packAttribute(path: string, { codes, values, uncertain, leftOut }: AttributeColumn): Chunk {
  const { codes: places, values: arranged } = rearrange({ codes, values });
  return pack(attributeChunk(path), (out) => {
    writeScalars(out, arranged);
    writeCodes(out, places);
    writeNumbers(out, Float64Array.from(uncertain));
    writeNumbers(out, Float64Array.from(leftOut));
  });
}

/** Reads what {@link packAttribute} wrote. */
export function unpackAttribute(data: Uint8Array, arrays = NEW_ARRAYS): AttributeColumn {
  return read(data, (from) => {
    const values = [undefined, ...readScalars(from)];
    const codes = readCodes(from, arrays.takeCodes);
    const [uncertain, leftOut] = [Uint16Array.from(readNumbers(from)), Uint16Array.from(readNumbers(from))];
    return { values, codes, uncertain, leftOut };
  });
}

/** The same column, its values in the order in which they are written. */
function rearrange({ codes, values }: CodedColumn<AttributeScalar>) {
  const own = values.slice(1) as AttributeScalar[];
  const arranged = arrangeScalars(own);
  const places = new Map(arranged.map((value, place) => [value, place + 1]));
  const newCodes = Uint16Array.from([0, ...own.map((value) => places.get(value) as number)]);
  return { values: arranged, codes: codes.map((code) => newCodes[code] as number) };
}

/** A value of an attribute that few rows hold. */
export interface SparseAttribute {
  readonly path: string;
  /** Ascending. */
  readonly rows: readonly number[];
  /** One for each of the rows. */
  readonly values: readonly AttributeScalar[];
}

/** Writes attributes together. */
export function packSparse(attributes: readonly SparseAttribute[]): Chunk | undefined {
  if (attributes.length === 0) return undefined;
  const all = attributes.flatMap(({ values }) => values);
  const tokens = new Map<string, AttributeScalar>();
  for (const value of all) tokens.set(tokenOf(value), value);
  const arranged = arrangeScalars([...tokens.values()]);
  const places = new Map(arranged.map((value, place) => [tokenOf(value), place]));
  return pack(CHUNKS.sparse, (out) => {
    writeTexts(
      out,
      attributes.map(({ path }) => path),
    );
    writeNumbers(
      out,
      Float64Array.from(attributes, ({ rows }) => rows.length),
    );
    writeNumbers(out, Float64Array.from(attributes.flatMap(({ rows }) => rows)));
    writeNumbers(
      out,
      Float64Array.from(all, (value) => places.get(tokenOf(value)) as number),
    );
    writeScalars(out, arranged);
  });
}

/** Another one for each value, type and digits included. */
function tokenOf(value: AttributeScalar): string {
  return JSON.stringify(value);
}

/** Reads what {@link packSparse} wrote. */
export function unpackSparse(data: Uint8Array | undefined): readonly SparseAttribute[] {
  if (data === undefined) return [];
  const { paths, counts, rows, places, values } = read(data, (from) => ({
    paths: readTexts(from),
    counts: readNumbers(from),
    rows: [...readNumbers(from)],
    places: readNumbers(from),
    values: readScalars(from),
  }));
  let start = 0;
  return paths.map((path, index) => {
    const end = start + (counts[index] as number);
    const attribute = {
      path,
      rows: rows.slice(start, end),
      values: Array.from(places.subarray(start, end), (place) => values[place] as AttributeScalar),
    };
    start = end;
    return attribute;
  });
}

/** Writes where attributes may be that no row holds. */
export function packHidden({ omitted, objects, cut }: HiddenAttributes): Chunk {
  return pack(CHUNKS.hidden, (out) => {
    out.bytes(cut.bits);
    for (const sets of [omitted, objects]) {
      writeTexts(out, [...sets.keys()]);
      for (const { bits } of sets.values()) out.bytes(bits);
    }
  });
}

/** Reads what {@link packHidden} wrote. */
export function unpackHidden(data: Uint8Array | undefined, rowCount: number): HiddenAttributes {
  if (data === undefined) return { omitted: new Map(), objects: new Map(), cut: RowSet.of(rowCount) };
  return read(data, (from) => {
    const readSet = () => new RowSet(Uint8Array.from(from.bytes(bytesOf(rowCount))));
    const readSets = () => new Map(readTexts(from).map((key) => [key, readSet()]));
    return { cut: readSet(), omitted: readSets(), objects: readSets() };
  });
}

/** Rows whose parent was not stored in their trace when the segment was built. */
export interface Orphan {
  readonly row: number;
  readonly traceRowId: number;
  readonly parentSpanId: string;
}

/** Writes orphans; `undefined` where there are none. */
export function packOrphans(orphans: readonly Orphan[]): Chunk | undefined {
  if (orphans.length === 0) return undefined;
  return pack(CHUNKS.orphans, (out) => {
    writeNumbers(
      out,
      Float64Array.from(orphans, ({ row }) => row),
    );
    writeNumbers(
      out,
      Float64Array.from(orphans, ({ traceRowId }) => traceRowId),
    );
    writeTexts(
      out,
      orphans.map(({ parentSpanId }) => parentSpanId),
    );
  });
}

/** Reads what {@link packOrphans} wrote. */
export function unpackOrphans(data: Uint8Array | undefined): readonly Orphan[] {
  if (data === undefined) return [];
  return read(data, (from) => {
    const rows = readNumbers(from);
    const traceRowIds = readNumbers(from);
    return readTexts(from).map((parentSpanId, index) => ({
      row: rows[index] as number,
      traceRowId: traceRowIds[index] as number,
      parentSpanId,
    }));
  });
}

/** How many rows of a project have an attribute. */
export interface AttributePathCount {
  readonly path: string;
  readonly projectRowId: number;
  readonly rowCount: number;
}

/** Writes which attributes rows of which projects have. */
export function packPaths(counts: readonly AttributePathCount[]): Chunk | undefined {
  if (counts.length === 0) return undefined;
  return pack(CHUNKS.paths, (out) => {
    writeTexts(
      out,
      counts.map(({ path }) => path),
    );
    writeNumbers(
      out,
      Float64Array.from(counts, ({ projectRowId }) => projectRowId),
    );
    writeNumbers(
      out,
      Float64Array.from(counts, ({ rowCount }) => rowCount),
    );
  });
}

/** Reads what {@link packPaths} wrote. */
export function unpackPaths(data: Uint8Array): readonly AttributePathCount[] {
  return read(data, (from) => {
    const paths = readTexts(from);
    const projectRowIds = readNumbers(from);
    const rowCounts = readNumbers(from);
    return paths.map((path, index) => ({
      path,
      projectRowId: projectRowIds[index] as number,
      rowCount: rowCounts[index] as number,
    }));
  });
}

function pack(name: string, write: (out: ByteWriter) => void, worthwhile?: number): Chunk {
  const out = new ByteWriter();
  write(out);
  return { name, data: packChunk(out.written, worthwhile) };
}

/** Numbers are asked for most, and are small as they are. */
const NUMBERS_WORTHWHILE = 1 / 2;

function read<T>(data: Uint8Array, of: (from: ByteReader) => T): T {
  return readChunk(data, (bytes) => of(new ByteReader(bytes)));
}
