/** Attributes as people read them: nested by their dotted keys, with every dialect's meaning filled in. */
import type { JsonObject, JsonValue } from '#base/json';
import { isJsonObject } from '#base/json';

/** Attributes nested by the dots of their keys; lists of objects where a key segment was an index. */
export type AttributeTree = JsonObject;

/**
 * Flattens a tree to dotted keys: objects and lists of objects are walked (`documents.0.content`), lists of scalars
 * and empty containers stay values. Order is that of the tree.
 */
export function flattenAttributes(tree: AttributeTree): [key: string, value: JsonValue][] {
  const flat: [string, JsonValue][] = [];
  walk('', tree, flat);
  return flat;
}

/**
 * The value at a dotted path of the tree, trying nested keys, keys that themselves hold dots, and indexes of lists of
 * objects; `undefined` when absent. A key that holds the whole path wins. Every path that {@link flattenAttributes}
 * gives leads to its value.
 */
export function attributeAt(tree: AttributeTree, path: string): JsonValue | undefined {
  const direct = tree[path];
  if (direct !== undefined) return direct;
  for (const dot of keyEnds(path)) {
    const found = valueAt(tree[path.slice(0, dot)], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where a key can end that a path begins with, short of the whole path: at its dots, as far as keys have any. */
export function* keyEnds(path: string): Generator<number> {
  let dot = path.indexOf('.');
  for (let count = 0; dot !== -1 && count < MAX_KEY_DOTS; count++) {
    yield dot;
    dot = path.indexOf('.', dot + 1);
  }
}

/** Paths come from callers: each further dot would look up one more key, as long as the path. */
const MAX_KEY_DOTS = 64;

function valueAt(holder: JsonValue | undefined, path: string): JsonValue | undefined {
  if (isJsonObject(holder)) return attributeAt(holder, path);
  if (!isListOfObjects(holder)) return undefined;
  const dot = path.indexOf('.');
  const item = holder[INDEX.test(path) ? Number.parseInt(path, 10) : -1];
  return dot === -1 ? item : valueAt(item, path.slice(dot + 1));
}

/** A number as lists have them, so that `01` is no index. */
const INDEX = /^(?:0|[1-9][0-9]*)(?:\.|$)/;

/** Whether the value is a list whose items are walked: one of them is an object. */
export function isListOfObjects(value: JsonValue | undefined): value is JsonValue[] {
  return Array.isArray(value) && value.some((item) => isJsonObject(item));
}

function walk(prefix: string, value: JsonValue, flat: [string, JsonValue][]): void {
  if (isListOfObjects(value)) {
    for (const [index, item] of value.entries()) walk(`${prefix}.${index}`, item, flat);
  } else if (isJsonObject(value) && (prefix === '' || Object.keys(value).length > 0)) {
    for (const key of Object.keys(value)) walk(prefix === '' ? key : `${prefix}.${key}`, value[key] as JsonValue, flat);
  } else {
    flat.push([prefix, value]);
  }
}
