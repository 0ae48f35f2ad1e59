/** How many of the selected rows are taken. */

/** All of them, a share, or a number. */
export type SampleKind = 'all' | 'percent' | 'count';

/** In the order in which they are offered. */
export const SAMPLE_KINDS = [
  { id: 'all', label: 'All' },
  { id: 'percent', label: 'A share' },
  { id: 'count', label: 'A number' },
] as const satisfies readonly { readonly id: SampleKind; readonly label: string }[];

/** What is sent, null for all rows; a text says what is wrong with what was typed. */
export function readSample(
  kind: SampleKind,
  text: string,
): { readonly percent: number } | { readonly count: number } | null | string {
  if (kind === 'all') return null;
  const amount = /^\s*\d+(?:[.,]\d+)?\s*$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
  if (kind === 'percent')
    return amount > 0 && amount <= 100 ? { percent: amount } : 'Enter a number above 0, 100 at most.';
  return Number.isInteger(amount) && amount > 0 ? { count: amount } : 'Enter a whole number above 0.';
}
