/** What the address of a comparison carries. */

/** See the file. */
export interface CompareSearch {
  /** Hexadecimal id of the first trace, A; absent: it is being chosen. */
  readonly a?: string | undefined;
  /** Of the second, B. */
  readonly b?: string | undefined;
  /** Span ids of the selected pair, with a dash between them; absent: the first that differs. */
  readonly pair?: string | undefined;
  /** Absent: all rows. */
  readonly rows?: 'differences' | undefined;
}

/** Reads it; what makes no sense is left out. */
export function readCompareSearch(search: Readonly<Record<string, unknown>>): CompareSearch {
  const { pair, rows } = search;
  return {
    a: traceIdOf(search['a']),
    b: traceIdOf(search['b']),
    pair: typeof pair === 'string' && pair.length <= 200 ? pair : undefined,
    rows: rows === 'differences' ? rows : undefined,
  };
}

/** The id of a trace, as it is typed or pasted; undefined where it is none. */
function traceIdOf(value: unknown): string | undefined {
  // An id of figures alone stands in an address without quotes.
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const figures = text.trim().replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(figures) ? figures : undefined;
}
