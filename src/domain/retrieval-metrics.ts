/** How well documents were retrieved, by scores of their relevance in the order of their ranks; a document without a score has 0. */

/** A score of a document. */
interface DocumentScore {
  /** Zero-based. */
  readonly position: number;
  readonly score: number | null;
}

/** The scores of all documents, by position. Of several scores of one document the last counts; scores of others are left out. */
export function scoresByPosition(scores: readonly DocumentScore[], documentCount: number): readonly number[] {
  const byPosition = new Array<number>(documentCount).fill(0);
  for (const { position, score } of scores) if (position < documentCount) byPosition[position] = score ?? 0;
  return byPosition;
}

/** The scores that count: those of the first `k` ranks, or of all. */
function firstOf(scores: readonly number[], k: number | null | undefined): readonly number[] {
  return k == null ? scores : scores.slice(0, Math.max(k, 0));
}

/** Discounted gain by rank over the best gain that the same scores allow; 0 where that is 0, `null` for negative scores. */
export function ndcg(scores: readonly number[], k?: number | null): number | null {
  if (scores.some((score) => score < 0)) return null;
  const ideal = discountedGain(
    firstOf(
      scores.toSorted((a, b) => b - a),
      k,
    ),
  );
  return ideal === 0 ? 0 : discountedGain(firstOf(scores, k)) / ideal;
}

/** The mean of the scores, which is the share of relevant documents where they are 0 and 1; `null` without documents. */
export function precision(scores: readonly number[], k?: number | null): number | null {
  const first = firstOf(scores, k);
  return first.length === 0 ? null : first.reduce((sum, score) => sum + score, 0) / first.length;
}

/** One over the rank of the first relevant document; 0 without one. */
export function reciprocalRank(scores: readonly number[]): number {
  const index = scores.findIndex((score) => score > 0);
  return index < 0 ? 0 : 1 / (index + 1);
}

/** 1 if any document is relevant, else 0. */
export function hit(scores: readonly number[]): number {
  return scores.some((score) => score > 0) ? 1 : 0;
}

function discountedGain(scores: readonly number[]): number {
  return scores.reduce((sum, score, index) => sum + score / Math.log2(index + 2), 0);
}
