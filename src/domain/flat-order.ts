/** Flat attributes in the order in which a tree would have them, without the tree. */
import { isJsonObject, type JsonValue } from '#base/json';
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
  const keys: string[] = [];
  const values: JsonValue[] = [];
  for (const [key, value] of entries) {
    if (value === null || isJsonObject(value) || isListOfObjects(value)) return undefined;
    keys.push(key);
    values.push(value);
  }
  return placesOf(keys).map(([key, place]) => [key, values[place] as JsonValue]);
}

type Places = readonly (readonly [key: string, place: number])[];

/** The keys as they come out of a tree, in its order, and where the value of each is. */
function placesOf(keys: readonly string[]): Places {
  // No key holds NUL, and one may be empty.
  const shape = `${keys.length}\0${keys.join('\0')}`;
  const known = shapes.get(shape);
  if (known !== undefined) return known;
  const places = flattenAttributes(unflatten(keys.map((key, place) => [key, place]))) as [string, number][];
  if (shape.length > MAX_SHAPE_LENGTH) return places;
  if (shapes.size === MAX_SHAPES) shapes.clear();
  shapes.set(shape, places);
  return places;
}

const shapes = new Map<string, Places>();
const MAX_SHAPES = 256;

/** Longer ones, such as those of long conversations, seldom come twice. */
const MAX_SHAPE_LENGTH = 4096;
