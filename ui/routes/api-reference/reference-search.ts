/** What the address of the API reference carries. */

/** See the file. */
export interface ReferenceSearch {
  /** The id of the operation that is shown; absent: none is chosen. */
  readonly operation?: string | undefined;
}

/** Reads {@link ReferenceSearch}; what makes no sense is left out. */
export function readReferenceSearch({ operation }: Readonly<Record<string, unknown>>): ReferenceSearch {
  return { operation: typeof operation === 'string' && operation !== '' ? operation : undefined };
}
