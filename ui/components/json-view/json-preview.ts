/** What a closed container holds, in a few words. */
import type { JsonValue } from '#base/json';
import { isContainer, type JsonContainer, sizeOf } from './json-rows.ts';
import { leafText } from './json-search.ts';

const MAX_ENTRIES = 4;
const MAX_LETTERS = 24;

/** Its first values, such as `{ id: 7, name: "stone", … }`. */
export function previewJson(value: JsonContainer): string {
  const shown = Array.isArray(value)
    ? value.slice(0, MAX_ENTRIES).map(previewLeaf)
    : firstKeys(value).map((key) => `${key}: ${previewLeaf(value[key] ?? null)}`);
  if (sizeOf(value) > shown.length) shown.push('…');
  return Array.isArray(value) ? `[${shown.join(', ')}]` : `{ ${shown.join(', ')} }`;
}

function previewLeaf(value: JsonValue): string {
  if (isContainer(value)) return Array.isArray(value) ? `[${value.length}]` : '{…}';
  if (typeof value !== 'string') return leafText(value);
  return JSON.stringify(value.length > MAX_LETTERS ? `${value.slice(0, MAX_LETTERS)}…` : value);
}

/** Without listing all of them: a closed container may have a hundred thousand. */
function firstKeys(object: object): string[] {
  const keys: string[] = [];
  for (const key in object) {
    if (keys.push(key) === MAX_ENTRIES) break;
  }
  return keys;
}
