/** Batches of rows that no segment holds as they are now. */
import type { AttributeColumn, CodedColumn, NumberColumn, SpanBatch, TextColumn } from './batch.ts';
import type { AttributeScalar } from './codec/scalars.ts';
import { Coder } from './coder.ts';
import { mayHide } from './hidden-attributes.ts';
import { parseOmitted } from './narrow-attributes.ts';
import { memberReader } from './narrow-member.ts';
import type { NarrowRow } from './narrow-rows.ts';

/** A batch of rows that hold the columns that will be asked for. */
export class RowBatch implements SpanBatch {
  readonly rowIds: Float64Array;
  readonly #rows: readonly NarrowRow[];
  readonly #attributes = new Map<string, AttributeColumn>();

  /** @param rows ascending by id, at most as many as a batch may hold */
  constructor(rows: readonly NarrowRow[]) {
    this.#rows = rows;
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
      column = readAttribute(this.#rows, path);
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

function readAttribute(rows: readonly NarrowRow[], path: string): AttributeColumn {
  const coder = new Coder<AttributeScalar>(rows.length);
  const uncertain: number[] = [];
  const readMember = memberReader(path);
  const hides = rememberHiding(path);
  for (const [place, row] of rows.entries()) {
    const { attributes, omitted_attributes: omitted, attributes_cut: isCut } = row;
    if (attributes === undefined) throw new Error('attributes were not asked for');
    const { value, isObject } = readMember(attributes);
    if (value !== undefined) coder.set(place, value);
    if ((isCut === 1 && value === undefined) || hides(omitted ?? null) || isObject) uncertain.push(place);
  }
  return { ...coder.column, uncertain: Uint16Array.from(uncertain) };
}

/** Whether a list of what is left out may hide the path; the same lists come again and again. */
function rememberHiding(path: string): (omitted: string | null) => boolean {
  const known = new Map<string | null, boolean>([[null, false]]);
  return (omitted) => {
    let isHidden = known.get(omitted);
    if (isHidden === undefined) {
      isHidden = parseOmitted(omitted).some((entry) => mayHide(entry, path));
      known.set(omitted, isHidden);
    }
    return isHidden;
  };
}
