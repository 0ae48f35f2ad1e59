/** Flat attributes in the order in which a tree would have them, without the tree. */
import { isJsonObject, type JsonValue } from '#base/json';
import { memoizeText } from '#base/memoize-text';
import { flattenAttributes, isListOfObjects } from './attributes.ts';
import { unflatten } from './unflatten.ts';

/** An attribute by its dotted key. */
export type FlatAttribute = readonly [key: string, value: JsonValue];

/**
 * What {@link flattenAttributes} gives of the tree that {@link unflatten} makes of the entries. Keys alone decide on it as long as no value
 * has fields or is `null`, and spans of one producer repeat the same keys.
 * @returns `undefined` where a value does
 */
export function flattenInOrder(entries: Iterable<FlatAttribute>): readonly FlatAttribute[] | undefined {
  let shape = '';
  const values: JsonValue[] = [];
  for (const [key, value] of entries) {
    if (value === null || isJsonObject(value) || isListOfObjects(value)) return undefined;
    shape += `${key}${KEY_END}`;
    values.push(value);
  }
  return placesOf(shape).map(([key, place]) => [key, values[place] as JsonValue]);
}

/** No key holds it. */
const KEY_END = '\0';

/** The keys of a shape as they come out of a tree, in its order, and where the value of each is. */
const placesOf = memoizeText(
  (shape) => {
    const keys = shape.split(KEY_END).slice(0, -1);
    return flattenAttributes(unflatten(keys.map((key, place) => [key, place]))) as [key: string, place: number][];
  },
  // Longer shapes, such as those of long conversations, seldom come twice.
  { maxResults: 256, maxTextLength: 4096 },
);
