/** Where a text holds what is searched. */

/** More matches than these are not told apart. */
export const MAX_MATCHES = 10_000;

/** The offsets of the query in the text, in any letter case; no more than {@link MAX_MATCHES}. */
export function findMatches(text: string, query: string): number[] {
  if (query === '') return [];
  const matches: number[] = [];
  for (const { index } of text.matchAll(new RegExp(escapePattern(query), 'gi'))) {
    matches.push(index);
    if (matches.length === MAX_MATCHES) break;
  }
  return matches;
}

/** The pieces of a text, those that match told apart. */
export function splitMatches(text: string, query: string): { readonly text: string; readonly isMatch: boolean }[] {
  if (query === '') return [{ text, isMatch: false }];
  return text
    .split(new RegExp(`(${escapePattern(query)})`, 'gi'))
    .map((piece, index) => ({ text: piece, isMatch: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

function escapePattern(query: string): string {
  return query.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
