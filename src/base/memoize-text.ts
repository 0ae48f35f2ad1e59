/** What is kept of the results of a function; see {@link memoizeText}. */
export interface MemoizeOptions {
  readonly maxResults?: number;
  /** UTF-16 code units. */
  readonly maxTextLength?: number;
}

/**
 * The function with its latest results kept by their texts: for keys that span after span repeats. Results take memory,
 * so their number is bounded, and a long text is computed each time.
 */
export function memoizeText<T extends NonNullable<unknown>>(
  compute: (text: string) => T,
  { maxResults = MAX_RESULTS, maxTextLength = MAX_TEXT_LENGTH }: MemoizeOptions = {},
): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    // A look-up would hash all of a long text.
    if (text.length > maxTextLength) return compute(text);
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    if (results.size === maxResults) results.clear();
    results.set(text, result);
    return result;
  };
}

const MAX_RESULTS = 4096;
const MAX_TEXT_LENGTH = 128;
