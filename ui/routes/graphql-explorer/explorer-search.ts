/** What the address of the GraphQL explorer carries. */

/** See the file. */
export interface ExplorerSearch {
  /** The operation that is shown at first, for links from documents; absent: the one that was shown last. */
  readonly query?: string | undefined;
}

/** Reads {@link ExplorerSearch}; what makes no sense is left out. */
export function readExplorerSearch({ query }: Readonly<Record<string, unknown>>): ExplorerSearch {
  return { query: typeof query === 'string' && query !== '' ? query : undefined };
}
