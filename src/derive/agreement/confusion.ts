/** How far two judges that choose among labels agree, from the counts of each pair of labels. */

/** How often each label of the one met each label of the other. */
export interface Confusion {
  /** Of both judges, in one order for rows and columns. */
  readonly labels: readonly string[];
  /** `counts[row][column]`: how often the first judge said `labels[row]` where the second said `labels[column]`. */
  readonly counts: readonly (readonly number[])[];
}

/** What a table of counts says of agreement. */
export interface LabelAgreement {
  readonly pairCount: number;
  /** Share of the pairs that are equal, from 0 to 1; `null` without pairs. */
  readonly accuracy: number | null;
  /**
   * Cohen's kappa without weights: agreement beyond what chance gives. `null` where chance alone gives full agreement, as when both
   * always say the same label.
   * @see Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20.
   */
  readonly kappa: number | null;
  /**
   * Bounds of kappa at 95 %, from its standard error in large samples; `null` where kappa is.
   * @see Fleiss, J. L., Cohen, J., Everitt, B. S. (1969). Large sample standard errors of kappa and weighted kappa.
   */
  readonly kappaBounds: readonly [low: number, high: number] | null;
}

/** Counts pairs of labels. The order is that of `order`, then that of the alphabet. */
export function countPairs(
  pairs: Iterable<readonly [first: string, second: string, count: number]>,
  order: readonly string[] = [],
): Confusion {
  const counted = [...pairs];
  const found = new Set(counted.flatMap(([first, second]) => [first, second]));
  const known = order.filter((label) => found.has(label));
  const others = [...found].filter((label) => !known.includes(label)).sort();
  const labels = [...new Set([...known, ...others])];
  const places = new Map(labels.map((label, place) => [label, place]));
  const counts = labels.map(() => labels.map(() => 0));
  for (const [first, second, count] of counted) {
    const row = counts[places.get(first) ?? -1];
    const column = places.get(second) ?? -1;
    if (row !== undefined) row[column] = (row[column] ?? 0) + count;
  }
  return { labels, counts };
}

/** See {@link LabelAgreement}. */
export function measureLabels({ counts }: Confusion): LabelAgreement {
  const rowSums = counts.map((row) => sum(row));
  const columnSums = counts.map((_, column) => sum(counts.map((row) => row[column] ?? 0)));
  const total = sum(rowSums);
  if (total === 0) return { pairCount: 0, accuracy: null, kappa: null, kappaBounds: null };
  const agreed = sum(counts.map((row, place) => row[place] ?? 0)) / total;
  const chance = sum(rowSums.map((rowSum, place) => (rowSum / total) * ((columnSums[place] ?? 0) / total)));
  if (chance >= 1) return { pairCount: total, accuracy: agreed, kappa: null, kappaBounds: null };
  const kappa = (agreed - chance) / (1 - chance);
  const error = standardError(counts, { rowSums, columnSums, total, chance, kappa, agreed });
  const bounds = [Math.max(-1, kappa - Z_95 * error), Math.min(1, kappa + Z_95 * error)] as const;
  return { pairCount: total, accuracy: agreed, kappa, kappaBounds: bounds };
}

/** Of a normal distribution, for two sides. */
const Z_95 = 1.959_963_984_540_054;

interface Margins {
  readonly rowSums: readonly number[];
  readonly columnSums: readonly number[];
  readonly total: number;
  readonly chance: number;
  readonly kappa: number;
  readonly agreed: number;
}

function standardError(counts: Confusion['counts'], margins: Margins): number {
  const { rowSums, columnSums, total, chance, kappa, agreed } = margins;
  const share = (sums: readonly number[], place: number) => (sums[place] ?? 0) / total;
  let onDiagonal = 0;
  let offDiagonal = 0;
  counts.forEach((row, first) => {
    row.forEach((count, second) => {
      if (first === second) {
        const margin = share(rowSums, first) + share(columnSums, first);
        onDiagonal += (count / total) * (1 - margin * (1 - kappa)) ** 2;
      } else {
        // The column of the first label meets the row of the second.
        offDiagonal += (count / total) * (share(columnSums, first) + share(rowSums, second)) ** 2;
      }
    });
  });
  offDiagonal *= (1 - kappa) ** 2;
  const rest = (kappa - chance * (1 - kappa)) ** 2;
  const variance = (onDiagonal + offDiagonal - rest) / ((1 - chance) ** 2 * total);
  // Full agreement has no spread; rounding may leave a little less than nothing.
  return agreed === 1 ? 0 : Math.sqrt(Math.max(0, variance));
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
