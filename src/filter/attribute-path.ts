/** Where an attribute lies that a filter names by a dotted path. */
import type { JsonValue } from '#base/json';
import { isJsonObject } from '#base/json';
import { type AttributeTree, attributeAt, keyEnds } from '#domain/attributes';

/**
 * The value at a dotted path: nested keys, keys that themselves hold dots, and places in lists of any kind
 * (`tag.tags.0`); `undefined` when absent.
 */
export function attributeAtPath(tree: AttributeTree, path: string): JsonValue | undefined {
  const direct = attributeAt(tree, path);
  return direct === undefined ? itemAtPath(tree, path) : direct;
}

/** The same where the path leads through a list of scalars: such a list is a value, and what comes after it a place in it. */
function itemAtPath(tree: AttributeTree, path: string): JsonValue | undefined {
  // A key that itself holds dots comes first.
  for (const dot of [...keyEnds(path)].toReversed()) {
    const found = insideOf(tree[path.slice(0, dot)], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

function insideOf(holder: JsonValue | undefined, path: string): JsonValue | undefined {
  if (isJsonObject(holder)) return attributeAtPath(holder, path);
  if (!Array.isArray(holder)) return undefined;
  const place = PLACE.exec(path)?.[0];
  if (place === undefined) return undefined;
  const item = holder[Number(place)];
  return place.length === path.length ? item : insideOf(item, path.slice(place.length + 1));
}

/** A place in a list at the beginning of a path. */
const PLACE = /^(?:0|[1-9]\d{0,8})(?=\.|$)/;
