import type { JsonValue } from '#base/json';
import { memoizeText } from '#base/memoize-text';
import { isKeyValueList, type KeyValue } from '#otlp/messages';
import { toJsonValue } from './json-value.ts';
import { storableText } from './text.ts';
import { countSegments, isPlainKey } from '#domain/unflatten';

/** How many attributes of a span are read; the original keeps all. An SDK sends 128 unless it is told otherwise. */
export const MAX_READ_ATTRIBUTES = 16_384;

/** How many segments their dotted keys may have together: each becomes an object when they are nested. */
export const MAX_READ_SEGMENTS = 8 * MAX_READ_ATTRIBUTES;

/** A span's attributes by their dotted keys, while dialects add what their own names mean in OpenInference. */
export class FlatAttributes {
  readonly #values = new Map<string, JsonValue>();
  readonly #asides = new Map<string, JsonValue>();
  readonly #roots = new Set<string>();
  #claimed: Set<string> | undefined = undefined;
  /** Where attributes differ from what is read: what they have there, `undefined` for nothing. */
  #unlike: Map<string, JsonValue | undefined> | undefined = undefined;

  /** Whether what is set now is derived: read as an attribute, and shown beside them. */
  isDeriving = false;

  /** Whether a key could lie inside another attribute's map. */
  readonly hasMaps: boolean;

  readonly #hasOddKeys: boolean;

  /**
   * The last of repeated keys wins; a value that was not set is no attribute. What comes after the first
   * {@link MAX_READ_ATTRIBUTES}, or the first {@link MAX_READ_SEGMENTS} of their keys, is left to the original: nobody means to send so
   * many, and each costs several times its bytes.
   */
  constructor(attributes: readonly KeyValue[]) {
    let hasMaps = false;
    let hasOddKeys = false;
    let lastRoot: string | undefined;
    let segmentsLeft = MAX_READ_SEGMENTS;
    for (const { key, value } of attributes.slice(0, MAX_READ_ATTRIBUTES)) {
      if (value === null) continue;
      const { storable, isOdd, root, segments } = describeKey(key);
      segmentsLeft -= segments;
      if (segmentsLeft < 0) break;
      this.#values.set(storable, toJsonValue(value));
      // Neighbours mostly share their root.
      if (root !== lastRoot) this.#roots.add(root);
      lastRoot = root;
      hasOddKeys ||= isOdd;
      hasMaps ||= isKeyValueList(value);
    }
    this.hasMaps = hasMaps;
    this.#hasOddKeys = hasOddKeys;
  }

  /** Whether nesting the attributes would put none under another key, nor join or drop any. */
  get isPlain(): boolean {
    return !this.hasMaps && !this.#hasOddKeys && this.#asides.size === 0;
  }

  get(key: string): JsonValue | undefined {
    return this.#values.get(key);
  }

  /** The value where it is a text with something in it. */
  getText(key: string): string | undefined {
    const value = this.#values.get(key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /**
   * Whether a key was sent whose first dotted segment is this: `langfuse` where there is `langfuse.trace.name`. A look-up,
   * so that each dialect can ask; what dialects fill in does not count.
   */
  hasRoot(root: string): boolean {
    return this.#roots.has(root);
  }

  /** Keeps values to the dialect that asks for it: to others, who know the keys in another meaning, they are not there. */
  claim(...keys: readonly string[]): void {
    this.#claimed ??= new Set();
    for (const key of keys) this.#claimed.add(key);
  }

  /** The value, unless a dialect has claimed it. */
  getUnclaimed(key: string): JsonValue | undefined {
    return this.#claimed?.has(key) === true ? undefined : this.get(key);
  }

  /** Whether any key starts so. */
  hasPrefix(prefix: string): boolean {
    for (const key of this.#values.keys()) if (key.startsWith(prefix)) return true;
    return false;
  }

  /** Whether the key has a value, or any key continues it. */
  hasNamespace(key: string): boolean {
    return this.#values.has(key) || this.hasPrefix(`${key}.`);
  }

  /** Sets what is missing; a key that is there keeps its value. What was only derived is still missing among the attributes. */
  fill(key: string, value: JsonValue | undefined): void {
    if (value === undefined || value === null) return;
    if (!this.#values.has(key)) this.#set(key, value);
    else if (!this.isDeriving && this.#unlike?.has(key) === true && this.#unlike.get(key) === undefined) {
      this.#unlike.set(key, value);
    }
  }

  /** Sets what is missing as a whole: nothing where the key or any continuation of it is there. */
  fillNamespace(key: string, value: JsonValue | undefined): void {
    if (value !== undefined && !this.hasNamespace(key)) this.#set(key, value);
  }

  /** Replaces a value by another reading of it; `null` removes the attribute. */
  rewrite(key: string, value: JsonValue): void {
    this.#set(key, value);
  }

  #set(key: string, value: JsonValue): void {
    if (this.isDeriving) {
      this.#unlike ??= new Map();
      if (!this.#unlike.has(key)) this.#unlike.set(key, this.#values.get(key));
    }
    if (value === null) this.#values.delete(key);
    else this.#values.set(key, value);
  }

  /** Takes a value out of the way of the keys that continue it; {@link asides} still has it. */
  setAside(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#asides.set(key, value);
  }

  entries(): Iterable<[key: string, value: JsonValue]> {
    return this.#values;
  }

  /** Whether {@link entries} has what {@link shownEntries} has not. */
  get hasDerived(): boolean {
    return this.#unlike !== undefined;
  }

  /** The entries without what was derived. */
  *shownEntries(): Generator<[key: string, value: JsonValue]> {
    for (const [key, value] of this.#values) if (this.#unlike?.has(key) !== true) yield [key, value];
    for (const [key, value] of this.#unlike ?? []) if (value !== undefined) yield [key, value];
  }

  asides(): Iterable<[key: string, value: JsonValue]> {
    return this.#asides;
  }
}

/** Keys repeat from span to span. */
const describeKey = memoizeText((key) => {
  const storable = storableText(key);
  const dot = storable.indexOf('.');
  const root = dot === -1 ? storable : storable.slice(0, dot);
  const isOdd = !isPlainKey(storable) || TEXT_CONTINUED.test(storable);
  return { storable, isOdd, root, segments: countSegments(storable) };
});

/** Keys that continue a text would make it an object, were they nested. */
const TEXT_CONTINUED = /^(?:input|output)\.value\./;

/** How many objects a key becomes when it is nested. */
export function segmentsOf(key: string): number {
  return describeKey(key).segments;
}
