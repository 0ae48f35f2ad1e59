/** Which of some names was meant by one that is none of them. */

/**
 * The candidate that takes the fewest changed letters to reach; `undefined` where none is near.
 * @param most how many may be changed; a third without
 */
export function nearestName(
  name: string,
  candidates: Iterable<string>,
  most = Math.max(1, Math.floor(name.length / 3)),
): string | undefined {
  if (name.length > MAX_LENGTH || most < 1) return undefined;
  const wanted = plain(name);
  let nearest: string | undefined;
  let least = most + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= least) continue;
    const distance = editDistance(wanted, plain(candidate));
    if (distance >= least) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

/** The candidates that begin like the name, which is no single letter or two: the first few. */
export function namesBegunBy(name: string, candidates: readonly string[]): readonly string[] {
  if (name.length < MIN_BEGINNING) return [];
  const wanted = plain(name);
  const begun = candidates.filter((candidate) => plain(candidate).startsWith(wanted));
  return [...new Set(begun)].slice(0, MAX_BEGUN);
}

const MIN_BEGINNING = 3;
const MAX_BEGUN = 4;

/** Letters that must be inserted, removed, changed, or exchanged with their neighbour. */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const cost = from[i - 1] === to[j - 1] ? 0 : 1;
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      }
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[to.length] ?? 0;
}

/** Longer names are no slips of a finger. */
const MAX_LENGTH = 64;

function plain(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
