/** Reads one attribute out of rows, one row after the other. */
import { type AttributeScalar, parseOmitted } from '#derive/narrow-attributes';
import { narrowMember, type NarrowMember } from '#derive/narrow-member';
import type { AttributeColumn } from './batch.ts';
import { Coder } from './coder.ts';
import { leavesOut, mayHide } from './hidden-attributes.ts';
import type { NarrowRow } from './narrow-rows.ts';

/** The column of a path, as it grows. Nothing of a row is kept but its value. */
export class AttributeReader {
  readonly #coder: Coder<AttributeScalar>;
  readonly #uncertain: number[] = [];
  readonly #leftOut: number[] = [];
  readonly #member: NarrowMember;
  readonly #lookFor: ReturnType<typeof rememberOmitted>;
  #rowCount = 0;

  /** @param maxRows that are added */
  constructor(path: string, maxRows: number) {
    this.#coder = new Coder(maxRows);
    this.#member = narrowMember(path);
    this.#lookFor = rememberOmitted(path);
  }

  add({ attributes, omitted_attributes: omitted, attributes_cut: isCut }: NarrowRow): void {
    if (attributes === undefined) throw new Error('attributes were not asked for');
    const place = this.#rowCount++;
    const value = this.#member.valueIn(attributes);
    const isObject = this.#member.isObjectIn(attributes);
    if (value !== undefined) this.#coder.set(place, value);
    const { mayHide: isHidden, leavesOut: isLeftOut } = this.#lookFor(omitted ?? null);
    if ((isCut === 1 && value === undefined) || isHidden || isObject) this.#uncertain.push(place);
    if (isLeftOut && value === undefined && !isObject && isCut !== 1) this.#leftOut.push(place);
  }

  get column(): AttributeColumn {
    const { codes, values } = this.#coder.column;
    return {
      codes: codes.subarray(0, this.#rowCount),
      values,
      uncertain: Uint16Array.from(this.#uncertain),
      leftOut: Uint16Array.from(this.#leftOut),
    };
  }
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
      if (omitted === null || omitted.length <= MAX_KNOWN_LENGTH) known.set(omitted, found);
    }
    return found;
  };
}

/** Longer lists take more memory than asking again takes time. */
const MAX_KNOWN_LENGTH = 1024;
