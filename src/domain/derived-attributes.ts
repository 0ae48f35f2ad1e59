/** Facts that are read as attributes although nobody sent them as such: as they are told beside the attributes. */
import { type JsonObject, jsonObject, type JsonValue } from '#base/json';
import { type AttributeTree, flattenAttributes } from './attributes.ts';
import type { Span } from './span.ts';
import { unflatten } from './unflatten.ts';

/**
 * What the reading of a span has in other ways than its attributes, by dotted path; `null` where an attribute has no part
 * in the reading. Empty for most spans.
 */
export function listDerived({ attributes, reading }: Pick<Span, 'attributes' | 'reading'>): JsonObject {
  const derived = jsonObject();
  if (reading === attributes) return derived;
  const left = new Map(flattenAttributes(attributes));
  for (const [path, value] of flattenAttributes(reading)) {
    if (!isSame(left.get(path), value)) derived[path] = value;
    left.delete(path);
  }
  for (const path of left.keys()) derived[path] = null;
  return derived;
}

/** The reading, from attributes and what {@link listDerived} tells beside them. */
export function completeAttributes(attributes: AttributeTree, derived: JsonObject): AttributeTree {
  const changes = Object.entries(derived);
  if (changes.length === 0) return attributes;
  const entries = new Map([...flattenAttributes(attributes), ...changes]);
  return unflatten(entries);
}

/** Both trees hold the same objects where nothing was derived. */
function isSame(a: JsonValue | undefined, b: JsonValue): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
