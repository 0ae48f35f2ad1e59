/** Summaries of annotations over time as series of a chart. */
import { quoteText } from '#filter/lex-text';

/** What annotations of one name say of the spans of a bucket. */
export interface BucketSummary {
  readonly meanScore: number | null | undefined;
  readonly labelFractions: readonly {
    readonly label: string;
    readonly fraction: number;
    readonly targetCount: number;
  }[];
}

/** A line: the mean score, the share of a label, or that of all labels without a line. */
export type AnnotationLine = { readonly kind: 'score' } | { readonly kind: 'label'; readonly label: string | null };

/** The mean score alone where there are scores; else the labels of most spans, and the rest as one. */
export function linesOf(buckets: readonly (BucketSummary | null)[], maxLabels: number): readonly AnnotationLine[] {
  if (buckets.some((bucket) => bucket?.meanScore != null)) return [{ kind: 'score' }];
  const counts = new Map<string, number>();
  for (const { label, targetCount } of buckets.flatMap((bucket) => bucket?.labelFractions ?? []))
    counts.set(label, (counts.get(label) ?? 0) + targetCount);
  const ranked = [...counts].toSorted(([, one], [, other]) => other - one).map(([label]) => label);
  const lines = ranked.slice(0, maxLabels).map((label): AnnotationLine => ({ kind: 'label', label }));
  return ranked.length > maxLabels ? [...lines, { kind: 'label', label: null }] : lines;
}

/** The values of one of the lines; null in buckets without annotations. */
export function valuesOfLine(
  buckets: readonly (BucketSummary | null)[],
  lines: readonly AnnotationLine[],
  line: AnnotationLine,
): readonly (number | null)[] {
  if (line.kind === 'score') return buckets.map((bucket) => bucket?.meanScore ?? null);
  const own = new Set(lines.flatMap((one) => (one.kind === 'label' && one.label !== null ? [one.label] : [])));
  return buckets.map((bucket) => {
    if (bucket === null || bucket.labelFractions.length === 0) return null;
    const counted = bucket.labelFractions.filter(({ label }) =>
      line.label === null ? !own.has(label) : label === line.label,
    );
    return counted.reduce((total, { fraction }) => total + fraction, 0);
  });
}

/** The filter for the spans behind a line. */
export function lineCondition(name: string, line: AnnotationLine | undefined): string {
  const annotation = `annotations[${quoteText(name)}]`;
  if (line?.kind !== 'label' || line.label === null) return annotation;
  return `${annotation}.label == ${quoteText(line.label)}`;
}
