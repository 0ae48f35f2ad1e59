/** How far two judges that choose among labels agree, from the counts of each pair of labels. */

/** What two judges said of the same things, and how often. */
export type LabelPair = readonly [first: string, second: string, count: number];

/** How often each label of the one met each label of the other. */
export interface Confusion {
  /** Of both judges, in one order for rows and columns; the most frequent, as many as were asked for. */
  readonly labels: readonly string[];
  /** `counts[row][column]`: how often the first judge said `labels[row]` where the second said `labels[column]`. */
  readonly counts: readonly (readonly number[])[];
  /** Of both judges, listed or not. */
  readonly labelCount: number;
}

/** What pairs of labels say of agreement. */
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

/** A table of the most frequent labels, in the order of the alphabet. */
export function tabulate(pairs: readonly LabelPair[], maxLabels: number): Confusion {
  const frequencies = new Map<string, number>();
  for (const [first, second, count] of pairs) {
    frequencies.set(first, (frequencies.get(first) ?? 0) + count);
    frequencies.set(second, (frequencies.get(second) ?? 0) + count);
  }
  const byFrequency = [...frequencies].sort(([, one], [, other]) => other - one).slice(0, maxLabels);
  const labels = byFrequency.map(([label]) => label).sort();
  const places = new Map(labels.map((label, place) => [label, place]));
  const counts = labels.map(() => labels.map(() => 0));
  for (const [first, second, count] of pairs) {
    const row = counts[places.get(first) ?? -1];
    const column = places.get(second);
    if (row !== undefined && column !== undefined) row[column] = (row[column] ?? 0) + count;
  }
  return { labels, counts, labelCount: frequencies.size };
}

/** See {@link LabelAgreement}. It takes time in proportion to the pairs, whatever the number of labels. */
export function measureLabels(pairs: readonly LabelPair[]): LabelAgreement {
  const margins = new Margins(pairs);
  const { total, agreed, chance } = margins;
  if (total === 0) return { pairCount: 0, accuracy: null, kappa: null, kappaBounds: null };
  if (chance >= 1) return { pairCount: total, accuracy: agreed, kappa: null, kappaBounds: null };
  const kappa = (agreed - chance) / (1 - chance);
  const error = margins.standardError(pairs, kappa);
  const bounds = [Math.max(-1, kappa - Z_95 * error), Math.min(1, kappa + Z_95 * error)] as const;
  return { pairCount: total, accuracy: agreed, kappa, kappaBounds: bounds };
}

/** Of a normal distribution, for two sides. */
const Z_95 = 1.959_963_984_540_054;

/** How often each judge said what. */
class Margins {
  readonly #firsts = new Map<string, number>();
  readonly #seconds = new Map<string, number>();
  total = 0;
  /** Share of equal pairs. */
  agreed = 0;
  /** Share that chance alone would make equal. */
  chance = 0;

  constructor(pairs: readonly LabelPair[]) {
    let equal = 0;
    for (const [first, second, count] of pairs) {
      this.#firsts.set(first, (this.#firsts.get(first) ?? 0) + count);
      this.#seconds.set(second, (this.#seconds.get(second) ?? 0) + count);
      this.total += count;
      if (first === second) equal += count;
    }
    if (this.total === 0) return;
    this.agreed = equal / this.total;
    for (const label of this.#firsts.keys()) this.chance += this.#firstShare(label) * this.#secondShare(label);
  }

  #firstShare(label: string): number {
    return (this.#firsts.get(label) ?? 0) / this.total;
  }

  #secondShare(label: string): number {
    return (this.#seconds.get(label) ?? 0) / this.total;
  }

  standardError(pairs: readonly LabelPair[], kappa: number): number {
    // Full agreement has no spread.
    if (this.agreed === 1) return 0;
    let onDiagonal = 0;
    let offDiagonal = 0;
    for (const [first, second, count] of pairs) {
      const share = count / this.total;
      if (first === second) {
        const margin = this.#firstShare(first) + this.#secondShare(first);
        onDiagonal += share * (1 - margin * (1 - kappa)) ** 2;
      } else offDiagonal += share * (this.#secondShare(first) + this.#firstShare(second)) ** 2;
    }
    const rest = (kappa - this.chance * (1 - kappa)) ** 2;
    const spread = onDiagonal + offDiagonal * (1 - kappa) ** 2 - rest;
    // Rounding may leave a little less than nothing.
    return Math.sqrt(Math.max(0, spread / ((1 - this.chance) ** 2 * this.total)));
  }
}
