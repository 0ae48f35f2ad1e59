/** What the address of a search carries beside the project's time range. */

/** In the order in which they are offered: where in spans is searched. */
export const SEARCH_SCOPES = ['everything', 'input', 'output', 'names', 'errors'] as const;

/** See {@link SEARCH_SCOPES}. */
export type SearchScope = (typeof SEARCH_SCOPES)[number];

/** See the file. */
export interface SearchAddress {
  /** What is looked for; absent: nothing yet. */
  readonly q?: string | undefined;
  /** Absent: everything. */
  readonly scope?: Exclude<SearchScope, 'everything'> | undefined;
  /** Absent: newest first. */
  readonly order?: 'best' | undefined;
}

/** The server takes no longer ones. */
export const MAX_SEARCH_LENGTH = 1000;

/** Reads {@link SearchAddress}; what makes no sense is left out. */
export function readSearchAddress(search: Readonly<Record<string, unknown>>): SearchAddress {
  // A search for a number, or for true, is no text in an address.
  const { q, scope, order } = search;
  const text = typeof q === 'string' || typeof q === 'number' || typeof q === 'boolean' ? String(q) : '';
  return {
    q: text.trim() === '' ? undefined : text.slice(0, MAX_SEARCH_LENGTH),
    scope: scopeOf(scope),
    order: order === 'best' ? order : undefined,
  };
}

/** The scope as an address carries it. */
export function scopeOf(value: unknown): SearchAddress['scope'] {
  const scope = SEARCH_SCOPES.find((known) => known === value);
  return scope === 'everything' ? undefined : scope;
}
