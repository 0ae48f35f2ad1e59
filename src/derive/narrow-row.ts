/** The attributes that a narrow row keeps, so that most filters need not open the original. */
import { isJsonObject, JsonNumber, type JsonValue } from '#base/json';
import { memoizeText } from '#base/memoize-text';
import { isListOfObjects } from '#domain/attributes';
import { memberPacker, packName } from './narrow-codes.ts';

/** Short scalars of a span, and what was left out. */
export interface NarrowAttributes {
  /** A flat JSON object, dotted key → scalar, packed by `narrow-codes.ts`. */
  readonly text: string;
  /**
   * A JSON list, packed likewise, of what `text` leaves out: the keys of long strings and of plain lists and, for indexed lists (`documents.0.content`), the
   * part before the index with its dot (`documents.`); `null` when nothing is.
   */
  readonly omitted: string | null;
  /** Whether a bound cut, so that neither is complete. */
  readonly isCut: boolean;
}

/** The longest text that a narrow row keeps, in UTF-16 code units. */
export const MAX_NARROW_TEXT = 256;

/** The part of a flat key before its first index, with the dot: `a.b.` of `a.b.0.c`; `undefined` without an index. */
export function listPrefix(key: string): string | undefined {
  const index = /\.\d+(?:\.|$)/.exec(key)?.index;
  return index === undefined ? undefined : key.slice(0, index + 1);
}

/**
 * Picks what the narrow row keeps.
 * @param entries attributes by dotted key; a value may be a part of the tree, which is walked
 */
export function narrowAttributes(entries: Iterable<readonly [key: string, value: JsonValue]>): NarrowAttributes {
  const narrowing = new Narrowing();
  for (const [key, value] of entries) {
    narrow(narrowing, key, value);
    if (narrowing.isFull) break;
  }
  return narrowing.result();
}

/** Goes into objects, but not into lists: what precedes the index stands for them. */
function narrow(narrowing: Narrowing, flatKey: string, value: JsonValue): void {
  const { prefix, pack } = describeKey(flatKey);
  if (prefix !== undefined) narrowing.omit(prefix);
  else if (isScalar(value)) {
    if (typeof value === 'string' && value.length > MAX_NARROW_TEXT) narrowing.omit(flatKey);
    else narrowing.keep(pack(JSON.stringify(value)));
  } else if (isListOfObjects(value)) narrowing.omit(`${flatKey}.`);
  else if (isJsonObject(value) && Object.keys(value).length > 0) {
    for (const key of Object.keys(value)) {
      if (narrowing.isFull) return;
      narrow(narrowing, `${flatKey}.${key}`, value[key] as JsonValue);
    }
  } else narrowing.omit(flatKey);
}

/** What is picked, as it grows up to the bounds of a row. */
class Narrowing {
  #text = '';
  #keyCount = 0;
  #isCut = false;
  readonly #omitted = new Set<string>();
  #omittedLength = 0;

  /** Whether what comes need not be looked at: a row that was cut is complete in nothing. */
  get isFull(): boolean {
    return this.#isCut && this.#keyCount === MAX_KEYS;
  }

  keep(member: string): void {
    const entry = this.#keyCount === 0 ? member : `,${member}`;
    if (this.#keyCount === MAX_KEYS || this.#text.length + entry.length > MAX_LENGTH) {
      this.#isCut = true;
      return;
    }
    this.#text += entry;
    this.#keyCount++;
  }

  omit(key: string): void {
    if (this.#omittedLength > MAX_LENGTH || this.#omitted.has(key)) return;
    this.#omitted.add(key);
    this.#omittedLength += key.length + QUOTES_AND_COMMA;
  }

  result(): NarrowAttributes {
    const text = `{${this.#text}}`;
    if (this.#omitted.size === 0) return { text, omitted: null, isCut: this.#isCut };
    const omitted =
      this.#omittedLength > MAX_LENGTH
        ? undefined
        : `[${Array.from(this.#omitted, (key) => describeKey(key).packedName).join(',')}]`;
    if (omitted === undefined || omitted.length > MAX_LENGTH) return { text, omitted: null, isCut: true };
    return { text, omitted, isCut: this.#isCut };
  }
}

const QUOTES_AND_COMMA = 3;

/** Keys repeat from span to span. */
const describeKey = memoizeText((key) => {
  const json = JSON.stringify(key);
  return { prefix: listPrefix(key), packedName: packName(json), pack: memberPacker(json) };
});

/** The beginning of a text as lists show it: its first hundred characters. */
export function preview(text: string): string {
  if (text.length <= PREVIEW_CHARACTERS) return text;
  let end = 0;
  for (let count = 0; count < PREVIEW_CHARACTERS; count++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

const PREVIEW_CHARACTERS = 100;

/** Bounds of one row's attributes: a row is read by every filter that passes it. */
const MAX_KEYS = 256;
const MAX_LENGTH = 16_384;

function isScalar(value: JsonValue): value is string | number | boolean | JsonNumber {
  return typeof value !== 'object' || value instanceof JsonNumber;
}
