/** One page of a list, and where the next one begins. */
export interface Page<T> {
  readonly data: readonly T[];
  /** Opaque to clients; `null` on the last page. */
  readonly nextCursor: string | null;
}
