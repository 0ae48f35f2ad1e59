/** What annotations of one name say of a row, in a few words. */
import { formatExact, formatShare } from '#ui/lib/format.ts';
import { formatScore } from '../annotate/model/judgements.ts';

/** As the server summarizes annotations of a name. */
export interface SaidSummary {
  readonly name: string;
  /** Annotations with a score or a label. */
  readonly count: number;
  readonly meanScore: number | null | undefined;
  /** Largest first. */
  readonly labelFractions: readonly { readonly label: string; readonly fraction: number }[];
}

/** The most frequent label and the mean score: `good · 0.9`. */
export function describeSummary({ labelFractions, meanScore }: SaidSummary): string {
  const label = labelFractions[0]?.label;
  return [...(label === undefined ? [] : [label]), ...(meanScore == null ? [] : [formatScore(meanScore)])].join(' · ');
}

/** All of it: `3 annotations: good 67 %, bad 33 %, mean score 0.9`. */
export function explainSummary({ count, labelFractions, meanScore }: SaidSummary): string {
  const labels = labelFractions
    .slice(0, MAX_LABELS)
    .map(({ label, fraction }) => (labelFractions.length === 1 ? label : `${label} ${formatShare(fraction)}`));
  const rest = labelFractions.length - labels.length;
  const parts = [
    ...labels,
    ...(rest > 0 ? [`${formatExact(rest)} more labels`] : []),
    ...(meanScore == null ? [] : [`${count === 1 ? 'score' : 'mean score'} ${formatScore(meanScore)}`]),
  ];
  return `${count === 1 ? '1 annotation' : `${formatExact(count)} annotations`}: ${parts.join(', ')}`;
}

const MAX_LABELS = 10;

/** As a file has it: a number where there is a score alone. */
export function exportSummary(summary: SaidSummary): string | number | null {
  return summary.labelFractions.length === 0 ? (summary.meanScore ?? null) : describeSummary(summary);
}
