/** Batches of rows that no segment holds as they are now. */
import type { AttributeColumn, CodedColumn, NumberColumn, SpanBatch, TextColumn } from './batch.ts';
import type { AttributeScalar } from './codec/scalars.ts';
import { Coder } from './coder.ts';
import { leavesOut, mayHide } from './hidden-attributes.ts';
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
  const leftOut: number[] = [];
  const readMember = memberReader(path);
  const lookFor = rememberOmitted(path);
  for (const [place, row] of rows.entries()) {
    const { attributes, omitted_attributes: omitted, attributes_cut: isCut } = row;
    if (attributes === undefined) throw new Error('attributes were not asked for');
    const { value, isObject } = readMember(attributes);
    if (value !== undefined) coder.set(place, value);
    const { mayHide: isHidden, leavesOut: isLeftOut } = lookFor(omitted ?? null);
    if ((isCut === 1 && value === undefined) || isHidden || isObject) uncertain.push(place);
    if (isLeftOut && value === undefined && !isObject && isCut !== 1) leftOut.push(place);
  }
  return { ...coder.column, uncertain: Uint16Array.from(uncertain), leftOut: Uint16Array.from(leftOut) };
}

/** What a list of what is left out says of a path. */
interface OmittedPath {
  readonly mayHide: boolean;
  readonly leavesOut: boolean;
}

/** The same lists come again and again. */
function rememberOmitted(path: string): (omitted: string | null) => OmittedPath {
  const known = new Map<string | null, OmittedPath>([[null, { mayHide: false, leavesOut: false }]]);
  return (omitted) => {
    let found = known.get(omitted);
    if (found === undefined) {
      const entries = parseOmitted(omitted);
      found = { mayHide: entries.some((entry) => mayHide(entry, path)), leavesOut: leavesOut(entries, path) };
      known.set(omitted, found);
    }
    return found;
  };
}
