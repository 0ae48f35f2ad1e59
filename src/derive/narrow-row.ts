/** What of a span's attributes its narrow row keeps, so that most filters need not open the original. */
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '#base/json';
import { type AttributeTree, isListOfObjects } from '#domain/attributes';

/** Short scalars of a span, and what was left out. */
export interface NarrowAttributes {
  /** A flat JSON object, dotted key → scalar. */
  readonly text: string;
  /**
   * A JSON list of what `text` leaves out: the keys of long strings and of plain lists and, for indexed lists (`documents.0.content`), the
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

/** Picks what the narrow row keeps. */
export function narrowAttributes(tree: AttributeTree): NarrowAttributes {
  const narrowing: Narrowing = { text: '', keyCount: 0, omitted: new Set(), isCut: false };
  narrow(narrowing, '', tree);
  const { text, omitted, isCut } = narrowing;
  const omittedText = omitted.size === 0 ? null : JSON.stringify([...omitted]);
  if (omittedText !== null && omittedText.length > MAX_LENGTH) return { text: `{${text}}`, omitted: null, isCut: true };
  return { text: `{${text}}`, omitted: omittedText, isCut };
}

interface Narrowing {
  text: string;
  keyCount: number;
  readonly omitted: Set<string>;
  isCut: boolean;
}

/** Goes through the tree in the order of its flat keys, but not into lists: what precedes the index stands for them. */
function narrow(narrowing: Narrowing, path: string, holder: JsonObject): void {
  for (const key of Object.keys(holder)) {
    const flatKey = path === '' ? key : `${path}.${key}`;
    const value = holder[key] as JsonValue;
    const prefix = listPrefix(flatKey);
    if (prefix !== undefined) narrowing.omitted.add(prefix);
    else if (isListOfObjects(value)) narrowing.omitted.add(`${flatKey}.`);
    else if (isJsonObject(value) && Object.keys(value).length > 0) narrow(narrowing, flatKey, value);
    else if (!isScalar(value) || (typeof value === 'string' && value.length > MAX_NARROW_TEXT))
      narrowing.omitted.add(flatKey);
    else keep(narrowing, flatKey, value);
  }
}

function keep(narrowing: Narrowing, flatKey: string, value: JsonValue): void {
  const entry = `${narrowing.keyCount === 0 ? '' : ','}${JSON.stringify(flatKey)}:${JSON.stringify(value)}`;
  if (narrowing.keyCount === MAX_KEYS || narrowing.text.length + entry.length > MAX_LENGTH) {
    narrowing.isCut = true;
    return;
  }
  narrowing.text += entry;
  narrowing.keyCount++;
}

/** The first characters of a text, never half a surrogate pair. */
export function preview(text: string): string {
  if (text.length <= PREVIEW_LENGTH) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(PREVIEW_LENGTH - 1)) ? PREVIEW_LENGTH - 1 : PREVIEW_LENGTH;
  return text.slice(0, end);
}

const PREVIEW_LENGTH = 200;

/** Bounds of one row's attributes: a row is read by every filter that passes it. */
const MAX_KEYS = 256;
const MAX_LENGTH = 16_384;

function isScalar(value: JsonValue): value is string | number | boolean | JsonNumber {
  return typeof value !== 'object' || value instanceof JsonNumber;
}
