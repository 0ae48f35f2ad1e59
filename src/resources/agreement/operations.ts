/** How far two judges agree on what both of them judged. */
import { type AlphaSums, krippendorffAlpha } from '#derive/agreement/alpha';
import { type Confusion, type LabelAgreement, measureLabels, tabulate } from '#derive/agreement/confusion';
import { type Correlation, correlate } from '#derive/agreement/correlation';
import type { ReadHandle } from '../slice.ts';
import {
  type CountedAnswer,
  countAnswers,
  countJudgedPairs,
  type Judge,
  type JudgedScope,
  MAX_GROUPS,
  sumDisagreement,
} from './queries.ts';

/** What one judge said. */
export interface JudgeSummary {
  /** Things that the judge said something of. */
  readonly count: number;
  /** The most frequent first. */
  readonly labels: readonly { readonly label: string; readonly count: number }[];
  /** Of equal width from the lowest to the highest score; empty without scores. */
  readonly scores: readonly ScoreBin[];
  readonly meanScore: number | null;
  readonly scoreCount: number;
}

/** Scores from `from` on, below `to`; the last bin includes `to`. */
export interface ScoreBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** See {@link compareJudges}. */
export interface Agreement {
  readonly first: JudgeSummary;
  readonly second: JudgeSummary;
  /** Things that both judged. */
  readonly pairCount: number;
  readonly confusion: Confusion;
  readonly labels: LabelAgreement;
  readonly scores: Correlation;
  /** Whether there was more than one answer may hold: then the figures are of the most frequent values. */
  readonly isPartial: boolean;
}

/** Compares what two judges said; of several judgements of one thing by one judge, the latest counts. */
export async function compareJudges(
  handle: ReadHandle,
  scope: JudgedScope,
  first: Judge,
  second: Judge,
): Promise<Agreement> {
  const [firstAnswers, secondAnswers, counted] = await Promise.all([
    countAnswers(handle, scope, first),
    countAnswers(handle, scope, second),
    countJudgedPairs(handle, scope, first, second),
  ]);
  const isPartial = [firstAnswers, secondAnswers, counted].some(({ length }) => length > MAX_GROUPS);
  const pairs = counted.slice(0, MAX_GROUPS);
  const labels = pairs.flatMap(({ firstLabel, secondLabel, count }) =>
    firstLabel === null || secondLabel === null ? [] : [[firstLabel, secondLabel, count] as const],
  );
  const scores = pairs.flatMap(({ firstScore, secondScore, count }) =>
    firstScore === null || secondScore === null ? [] : [[firstScore, secondScore, count] as const],
  );
  let pairCount = 0;
  for (const { count } of pairs) pairCount += count;
  return {
    first: summarize(firstAnswers),
    second: summarize(secondAnswers),
    pairCount,
    confusion: tabulate(labels, MAX_LABELS),
    labels: measureLabels(labels),
    scores: correlate(scores),
    isPartial,
  };
}

/** Krippendorff's alpha of everybody who judged under a name; `null` where nothing can be said. */
export async function measureAnnotators(handle: ReadHandle, scope: JudgedScope, name: string) {
  const { labels, scores } = await sumDisagreement(handle, scope, name);
  const measure = (sums: AlphaSums) => ({ alpha: krippendorffAlpha(sums), valueCount: sums.valueCount });
  return { labels: measure(labels), scores: measure(scores) };
}

/** Rows and columns of a table that somebody may look at. */
const MAX_LABELS = 100;

const BIN_COUNT = 20;

function summarize(answers: readonly CountedAnswer[]): JudgeSummary {
  const labels = new Map<string, number>();
  const scores: (readonly [score: number, count: number])[] = [];
  let [count, sum, scoreCount] = [0, 0, 0];
  for (const { label, score, count: times } of answers.slice(0, MAX_GROUPS)) {
    count += times;
    if (label !== null) labels.set(label, (labels.get(label) ?? 0) + times);
    if (score === null) continue;
    scores.push([score, times]);
    scoreCount += times;
    sum += times * score;
  }
  return {
    count,
    labels: [...labels]
      .map(([label, times]) => ({ label, count: times }))
      .sort((one, other) => other.count - one.count),
    scores: binScores(scores),
    meanScore: scoreCount === 0 ? null : sum / scoreCount,
    scoreCount,
  };
}

function binScores(scores: readonly (readonly [score: number, count: number])[]): readonly ScoreBin[] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [score] of scores) [low, high] = [Math.min(low, score), Math.max(high, score)];
  if (scores.length === 0) return [];
  if (low === high) return [{ from: low, to: high, count: scores.reduce((total, [, count]) => total + count, 0) }];
  const width = (high - low) / BIN_COUNT;
  const bins = Array.from({ length: BIN_COUNT }, (_, place) => ({
    from: low + place * width,
    to: place === BIN_COUNT - 1 ? high : low + (place + 1) * width,
    count: 0,
  }));
  for (const [score, count] of scores) {
    const bin = bins[Math.min(BIN_COUNT - 1, Math.floor((score - low) / width))];
    if (bin !== undefined) bin.count += count;
  }
  return bins;
}
