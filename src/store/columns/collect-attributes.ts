/**
 * Gathers the attributes of the rows of a segment, path by path. What a hostile sender can make of them is bounded: a row
 * that goes beyond a bound is taken for one that was cut, so that its original decides.
 */
import { type AttributeScalar, parseNarrowAttributes, parseOmitted } from '#derive/narrow-attributes';
import type { AttributeColumn, CodedColumn } from './batch.ts';
import { Coder } from './coder.ts';
import { mayHide } from './hidden-attributes.ts';
import { RowSet } from './row-set.ts';

/** An attribute of a segment. */
export interface CollectedAttribute {
  readonly path: string;
  /** Rows that hold a value, ascending. */
  readonly rows: readonly number[];
  readonly column: CodedColumn<AttributeScalar>;
}

/** Where attributes may be that no row holds. */
export interface HiddenAttributes {
  /** Entries of the lists of what rows leave out, and the rows. */
  readonly omitted: ReadonlyMap<string, RowSet>;
  /** Paths of objects that attributes are in. */
  readonly objects: ReadonlyMap<string, RowSet>;
  /** Rows that lack more than they list. */
  readonly cut: RowSet;
}

/** Attributes of a number of rows, added one after the other. */
export class AttributeCollector {
  readonly #rowCount: number;
  readonly #attributes = new Map<string, { rows: number[]; coder: Coder<AttributeScalar> }>();
  readonly #omitted = new Map<string, RowSet>();
  readonly #objects = new Map<string, RowSet>();
  readonly #cut: RowSet;
  #entryCount = 0;
  #textLength = 0;
  /** Lists of what is left out repeat from row to row. */
  readonly #omittedLists = new Map<string, readonly RowSet[] | null>();

  constructor(rowCount: number) {
    this.#rowCount = rowCount;
    this.#cut = RowSet.of(rowCount);
  }

  add(row: number, attributes: string, omitted: string | null, isCut: boolean): void {
    if (isCut) this.#cut.add(row);
    const members = parseNarrowAttributes(attributes);
    for (const path of Object.keys(members)) {
      if (!this.#addMember(row, path, members[path] as AttributeScalar)) this.#cut.add(row);
    }
    if (omitted !== null && !this.#addOmitted(row, omitted)) this.#cut.add(row);
  }

  /** Attributes that rows hold, those of most rows first. */
  attributes(): readonly CollectedAttribute[] {
    const all = [...this.#attributes].map(([path, { rows, coder }]) => ({ path, rows, column: coder.column }));
    return all.sort((a, b) => b.rows.length - a.rows.length || (a.path < b.path ? -1 : 1));
  }

  get hidden(): HiddenAttributes {
    return { omitted: this.#omitted, objects: this.#objects, cut: this.#cut };
  }

  #addMember(row: number, path: string, value: AttributeScalar): boolean {
    let attribute = this.#attributes.get(path);
    if (attribute === undefined) {
      if (this.#attributes.size === MAX_PATHS || path.length > MAX_PATH_LENGTH) return false;
      attribute = { rows: [], coder: new Coder(this.#rowCount) };
      this.#attributes.set(path, attribute);
    }
    this.#entryCount++;
    if (typeof value === 'string') this.#textLength += value.length;
    if (this.#entryCount > MAX_ENTRIES || this.#textLength > MAX_TEXT_LENGTH) return false;
    attribute.rows.push(row);
    attribute.coder.set(row, value);
    return this.#addObjects(row, path);
  }

  #addObjects(row: number, path: string): boolean {
    for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
      const set = this.#setIn(this.#objects, path.slice(0, dot));
      if (set === undefined) return false;
      set.add(row);
    }
    return true;
  }

  #addOmitted(row: number, omitted: string): boolean {
    let sets = this.#omittedLists.get(omitted);
    if (sets === undefined) {
      const found = parseOmitted(omitted).map((entry) => this.#setIn(this.#omitted, entry));
      sets = found.every((set) => set !== undefined) ? found : null;
      if (this.#omittedLists.size < MAX_HIDDEN) this.#omittedLists.set(omitted, sets);
    }
    if (sets === null) return false;
    for (const set of sets) set.add(row);
    return true;
  }

  #setIn(sets: Map<string, RowSet>, key: string): RowSet | undefined {
    let set = sets.get(key);
    if (set === undefined && sets.size < MAX_HIDDEN && key.length <= MAX_PATH_LENGTH) {
      set = RowSet.of(this.#rowCount);
      sets.set(key, set);
    }
    return set;
  }
}

/** The column with the rows of which the original must be read to know the attribute, whether they hold a value or not. */
export function withHidden(
  hidden: HiddenAttributes,
  path: string,
  column: CodedColumn<AttributeScalar>,
): AttributeColumn {
  const { codes } = column;
  const unknown = RowSet.of(codes.length);
  for (const [entry, set] of hidden.omitted) if (entry !== path && mayHide(entry, path)) unknown.addAll(set);
  const inside = hidden.objects.get(path);
  if (inside !== undefined) unknown.addAll(inside);
  for (const row of hidden.cut.toRows()) if (codes[row] === 0) unknown.add(row);
  const omitted = hidden.omitted.get(path);
  const leftOut = omitted?.toRows().filter((row) => !unknown.has(row) && codes[row] === 0) ?? new Uint16Array();
  if (omitted !== undefined) unknown.addAll(omitted);
  return { ...column, uncertain: unknown.toRows(), leftOut };
}

/** Coders of paths have a code for each row, so these are some 32 MB of memory. */
const MAX_PATHS = 2048;
const MAX_PATH_LENGTH = 1024;
const MAX_HIDDEN = 1024;

/** Values of all rows. */
const MAX_ENTRIES = 512 * 1024;

/** UTF-16 code units of the texts of all rows, repeated ones included. */
export const MAX_TEXT_LENGTH = 16 * 1024 * 1024;
