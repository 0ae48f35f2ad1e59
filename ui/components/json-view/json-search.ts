/** Searching all of a JSON value, what is not open too. */
import { JsonNumber, type JsonValue } from '#base/json';
import { MAX_MATCHES } from '../long-text/find-matches.ts';
import { childEntries, isContainer, type JsonContainer, type JsonRow } from './json-rows.ts';

/** A value that was found, or whose key was. */
export interface JsonMatch {
  /** Undefined for the root. */
  readonly key: string | number | undefined;
  readonly value: JsonValue;
  /** The containers around it, the nearest first. */
  readonly around: Around | undefined;
}

interface Around {
  readonly container: JsonContainer;
  readonly next: Around | undefined;
}

/** The values whose key or own text holds the query, in any letter case; no more than {@link MAX_MATCHES}. */
export function searchJson(root: JsonValue, query: string): JsonMatch[] {
  const searched = query.toLowerCase();
  if (searched === '') return [];
  const found: JsonMatch[] = [];
  const waiting: JsonMatch[] = [{ key: undefined, value: root, around: undefined }];
  for (let at = waiting.pop(); at !== undefined && found.length < MAX_MATCHES; at = waiting.pop()) {
    const { key, value } = at;
    if (
      (typeof key === 'string' && key.toLowerCase().includes(searched)) ||
      leafText(value).toLowerCase().includes(searched)
    ) {
      found.push(at);
    }
    if (!isContainer(value)) continue;
    const around = { container: value, next: at.around };
    const entries = childEntries(value);
    for (let index = entries.length - 1; index >= 0; index--) {
      const [below, child] = entries[index] as readonly [string | number, JsonValue];
      waiting.push({ key: below, value: child, around });
    }
  }
  return found;
}

/** The containers to open beside those that are, so that the match is in sight. */
export function openAround(match: JsonMatch, open: ReadonlySet<JsonContainer>): ReadonlySet<JsonContainer> {
  const more = new Set(open);
  for (let at = match.around; at !== undefined; at = at.next) more.add(at.container);
  return more.size === open.size ? open : more;
}

/** Whether the row shows the match. */
export function isRowOf(row: JsonRow, match: JsonMatch): boolean {
  return row.key === match.key && row.parent?.value === match.around?.container;
}

/** A value that is no container as its text; empty for one that is. */
export function leafText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value instanceof JsonNumber) return value.text;
  return isContainer(value) ? '' : String(value);
}
