/** Batches of a segment's chunks, of which only those are decompressed that are asked for. */
import type { AttributeScalar } from '#derive/narrow-attributes';
import {
  type AttributeColumn,
  type CodedColumn,
  type NumberColumn,
  PARENT_STATES,
  type SpanBatch,
  type TextColumn,
} from './batch.ts';
import type { ColumnArrays } from './codec/reused-arrays.ts';
import { withHidden } from './collect-attributes.ts';
import {
  attributeChunk,
  CHUNKS,
  DERIVED_COLUMNS,
  unpackAttribute,
  unpackHidden,
  unpackNumbers,
  unpackSparse,
  unpackTexts,
} from './segment-chunks.ts';

/** Chunks of a segment by name. */
export type Chunks = ReadonlyMap<string, Uint8Array>;

/** Which rows the chunks are of. */
export interface SegmentRows {
  readonly rowCount: number;
  readonly firstRowId: number;
  /** Places of rows whose parent was stored after the segment was built. */
  readonly adopted: readonly number[];
}

/** All rows of a segment, as they were when it was built. */
export class SegmentBatch implements SpanBatch {
  readonly rowCount: number;
  readonly #chunks: Chunks;
  readonly #firstRowId: number;
  readonly #adopted: readonly number[];
  readonly #arrays: ColumnArrays;
  readonly #remember = new Remembered();

  /**
   * @param chunks those of the columns that will be asked for; one that is missing has no value in any row
   * @param arrays hold the columns, which are valid until the arrays are taken back
   */
  constructor(chunks: Chunks, { rowCount, firstRowId, adopted }: SegmentRows, arrays: ColumnArrays) {
    this.#chunks = chunks;
    this.rowCount = rowCount;
    this.#firstRowId = firstRowId;
    this.#adopted = adopted;
    this.#arrays = arrays;
  }

  get rowIds(): Float64Array {
    return this.#remember.get(CHUNKS.rowIds, () => {
      const chunk = this.#chunks.get(CHUNKS.rowIds);
      if (chunk !== undefined) return unpackNumbers(chunk, this.rowCount, this.#arrays);
      const rowIds = this.#arrays.takeNumbers(this.rowCount);
      for (let place = 0; place < rowIds.length; place++) rowIds[place] = this.#firstRowId + place;
      return rowIds;
    });
  }

  numbers(column: NumberColumn): Float64Array {
    return this.#remember.get(column, () => {
      const derived = DERIVED_COLUMNS[column];
      if (derived === undefined) return this.#adopt(column, this.#unpackNumbers(column));
      const [first, second] = derived.from.map((from) => this.numbers(from)) as [Float64Array, Float64Array];
      const values = this.#arrays.takeNumbers(this.rowCount);
      for (let row = 0; row < values.length; row++) {
        values[row] = derived.derive(first[row] as number, second[row] as number);
      }
      return values;
    });
  }

  texts(column: TextColumn): CodedColumn<string> {
    return this.#remember.get(column, () => unpackTexts(this.#chunks.get(column), this.rowCount, this.#arrays));
  }

  attribute(path: string): AttributeColumn {
    const name = attributeChunk(path);
    return this.#remember.get(name, () => {
      const chunk = this.#chunks.get(name);
      return chunk === undefined ? this.#sparseAttribute(path) : unpackAttribute(chunk, this.#arrays);
    });
  }

  #unpackNumbers(column: NumberColumn): Float64Array {
    return unpackNumbers(this.#chunks.get(column), this.rowCount, this.#arrays);
  }

  #adopt(column: NumberColumn, values: Float64Array): Float64Array {
    if (column === 'parent_state') for (const row of this.#adopted) values[row] = PARENT_STATES.stored;
    return values;
  }

  #sparseAttribute(path: string): AttributeColumn {
    const codes = new Uint16Array(this.rowCount);
    const values: (AttributeScalar | undefined)[] = [undefined];
    const sparse = this.#remember.get(CHUNKS.sparse, () => unpackSparse(this.#chunks.get(CHUNKS.sparse)));
    const held = sparse.find((attribute) => attribute.path === path);
    for (const [index, row] of (held?.rows ?? []).entries()) {
      codes[row] = values.push(held?.values[index]) - 1;
    }
    const hidden = this.#remember.get(CHUNKS.hidden, () =>
      unpackHidden(this.#chunks.get(CHUNKS.hidden), this.rowCount),
    );
    return withHidden(hidden, path, { codes, values });
  }
}

/** Some rows of a batch. */
export class PartOfBatch implements SpanBatch {
  readonly #whole: SpanBatch;
  readonly #places: Uint16Array;
  readonly #remember = new Remembered();

  /** @param places of the rows in the whole, ascending */
  constructor(whole: SpanBatch, places: Uint16Array) {
    this.#whole = whole;
    this.#places = places;
  }

  get rowCount(): number {
    return this.#places.length;
  }

  get rowIds(): Float64Array {
    return this.#remember.get('row ids', () => this.#pick(this.#whole.rowIds));
  }

  numbers(column: NumberColumn): Float64Array {
    return this.#remember.get(column, () => this.#pick(this.#whole.numbers(column)));
  }

  texts(column: TextColumn): CodedColumn<string> {
    return this.#remember.get(column, () => this.#pickCoded(this.#whole.texts(column)));
  }

  attribute(path: string): AttributeColumn {
    return this.#remember.get(`@${path}`, () => {
      const whole = this.#whole.attribute(path);
      const [uncertain, leftOut] = [this.#find(whole.uncertain), this.#find(whole.leftOut)];
      return { ...this.#pickCoded(whole), uncertain, leftOut };
    });
  }

  #pick(values: Float64Array): Float64Array {
    const picked = new Float64Array(this.#places.length);
    for (let row = 0; row < picked.length; row++) picked[row] = values[this.#places[row] as number] as number;
    return picked;
  }

  #pickCoded<Value>({ codes, values }: CodedColumn<Value>): CodedColumn<Value> {
    const picked = new Uint16Array(this.#places.length);
    for (let row = 0; row < picked.length; row++) picked[row] = codes[this.#places[row] as number] as number;
    return { codes: picked, values };
  }

  /** Where in this part those of the whole's rows are that it has. */
  #find(rows: Uint16Array): Uint16Array {
    const found: number[] = [];
    let row = 0;
    for (const wanted of rows) {
      while (row < this.#places.length && (this.#places[row] as number) < wanted) row++;
      if (this.#places[row] === wanted) found.push(row);
    }
    return Uint16Array.from(found);
  }
}

/** What was made once, by name; a name always stands for the same kind of thing. */
class Remembered {
  readonly #known = new Map<string, unknown>();

  get<T>(name: string, make: () => T): T {
    let value = this.#known.get(name) as T | undefined;
    if (value === undefined) {
      value = make();
      this.#known.set(name, value);
    }
    return value;
  }
}
