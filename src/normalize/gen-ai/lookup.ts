import type { JsonValue } from '#base/json';
import { toInteger } from '../number.ts';

/** Finds a GenAI value by its key, wherever the span carries it. */
export type Lookup = (key: string) => JsonValue | undefined;

/** The first value under any of the keys that says something: no empty text, no empty list. */
export function firstValue(get: Lookup, keys: readonly string[]): JsonValue | undefined {
  for (const key of keys) {
    const value = get(key);
    if (value !== undefined && value !== null && value !== '' && !isEmptyList(value)) return value;
  }
  return undefined;
}

/** The first text under any of the keys that has something in it. */
export function firstText(get: Lookup, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = get(key);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** The first value under any of the keys that is a count. */
export function firstInteger(get: Lookup, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const count = toInteger(get(key));
    if (count !== undefined) return count;
  }
  return undefined;
}

function isEmptyList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0;
}
