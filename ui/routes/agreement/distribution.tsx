import type { CSSProperties } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { distribution_judge$key } from '#ui/__generated__/distribution_judge.graphql.ts';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { formatScore } from '../annotate/model/judgements.ts';
import styles from './agreement-page.module.css';

interface DistributionProps {
  readonly title: string;
  readonly judge: distribution_judge$key;
}

const MAX_LABELS = 20;

/** What one judge said: labels by how often, scores by bins, each as a bar with its number. */
export function Distribution({ title, judge: ref }: DistributionProps) {
  const judge = useFragment(
    graphql`
      fragment distribution_judge on JudgeSummary {
        count
        labels {
          label
          count
        }
        scoreBins {
          from
          to
          count
        }
        scoreCount
        meanScore
      }
    `,
    ref,
  );
  const labels = judge.labels.slice(0, MAX_LABELS);
  const bars =
    labels.length > 0
      ? labels.map(({ label, count }) => ({ text: label, count }))
      : judge.scoreBins.map(({ from, to, count }) => ({ text: `${formatScore(from)} – ${formatScore(to)}`, count }));
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <section className={styles.distribution} aria-label={`What ${title} said`}>
      <h2 className={styles.heading}>{title}</h2>
      <p className={styles.hint}>
        {formatExact(judge.count)} judged
        {judge.meanScore != null &&
          `, mean score ${formatScore(judge.meanScore)} (${formatExact(judge.scoreCount)} ${nounOf(judge.scoreCount, 'scores')})`}
      </p>
      <ul className={styles.bars}>
        {bars.map(({ text, count }) => (
          <li key={text} style={{ '--share': `${(count / most) * 100}%` } as CSSProperties}>
            <span className={styles.barText}>{text}</span>
            <span className={styles.barCount}>{formatExact(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
