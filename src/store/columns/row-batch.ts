/** Batches of rows that no segment holds as they are now. */
import type { AttributeColumn, CodedColumn, NumberColumn, SpanBatch, TextColumn } from './batch.ts';
import { AttributeReader } from './attribute-reader.ts';
import { Coder } from './coder.ts';
import type { NarrowRow } from './narrow-rows.ts';

/** A batch of rows that hold the columns that will be asked for. */
export class RowBatch implements SpanBatch {
  readonly rowIds: Float64Array;
  readonly #rows: readonly NarrowRow[];
  readonly #attributes: Map<string, AttributeColumn>;

  /**
   * @param rows ascending by id, at most as many as a batch may hold
   * @param attributes those that were read already, of rows that hold them no longer
   */
  constructor(rows: readonly NarrowRow[], attributes: ReadonlyMap<string, AttributeColumn> = new Map()) {
    this.#rows = rows;
    this.#attributes = new Map(attributes);
    this.rowIds = Float64Array.from(rows, (row) => row.id);
  }

  get rowCount(): number {
    return this.#rows.length;
  }

  numbers(column: NumberColumn): Float64Array {
    return Float64Array.from(this.#rows, (row) => this.#member(row, column) ?? NaN);
  }

  texts(column: TextColumn): CodedColumn<string> {
    const coder = new Coder<string>(this.rowCount);
    for (const [place, row] of this.#rows.entries()) {
      const text = this.#member(row, column);
      if (text !== null) coder.set(place, text);
    }
    return coder.column;
  }

  attribute(path: string): AttributeColumn {
    let column = this.#attributes.get(path);
    if (column === undefined) {
      const reader = new AttributeReader(path, this.#rows.length);
      for (const row of this.#rows) reader.add(row);
      column = reader.column;
      this.#attributes.set(path, column);
    }
    return column;
  }

  #member<Column extends NumberColumn | TextColumn>(row: NarrowRow, column: Column) {
    const value = row[column];
    if (value === undefined) throw new Error(`the column ${column} was not asked for`);
    return value;
  }
}
