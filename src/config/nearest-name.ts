/** The candidate that is fewest edits away from the name; `undefined` when even that one is a different word. */
export function findNearestName(name: string, candidates: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let fewest = Math.floor(Math.min(name.length, LONGEST_NAME) / 3) + 1;
  for (const candidate of candidates) {
    const edits = editDistance(name, candidate);
    if (edits < fewest) {
      fewest = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Longer names than any in the table need no comparison, however long an environment makes them. */
const LONGEST_NAME = 80;

/** Insertions, deletions and replacements of one character between the two (Levenshtein), row by row. */
function editDistance(from: string, to: string): number {
  if (from.length > LONGEST_NAME) return LONGEST_NAME;
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const replaced = (row[j - 1] as number) + (isSame ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
