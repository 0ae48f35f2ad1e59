/**
 * The function with its latest results kept by their texts: for keys that span after span repeats. Results take memory,
 * so their number is bounded, and a long text is computed each time.
 */
export function memoizeText<T extends object>(compute: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    if (text.length > MAX_TEXT_LENGTH) return result;
    if (results.size === MAX_RESULTS) results.clear();
    results.set(text, result);
    return result;
  };
}

const MAX_RESULTS = 4096;
const MAX_TEXT_LENGTH = 128;
