import type { ReactNode } from 'react';
import { graphql } from 'react-relay';
import type { comparisonQuery, TimeRange } from '#ui/__generated__/comparisonQuery.graphql.ts';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import styles from './agreement-page.module.css';
import { ConfusionTable } from './confusion-table.tsx';
import { Distribution } from './distribution.tsx';
import { TARGETS } from './judge-picker.tsx';
import { type Judge, type JudgedKind, titleOf } from './model/judge.ts';

const QUERY = graphql`
  query comparisonQuery(
    $projectId: ID!
    $target: AnnotationTarget!
    $first: AnnotationJudgeInput!
    $second: AnnotationJudgeInput!
    $name: String!
    $timeRange: TimeRange
  ) {
    project: node(id: $projectId) {
      ... on Project {
        annotationAgreement(target: $target, first: $first, second: $second, timeRange: $timeRange) {
          first {
            ...distribution_judge
          }
          second {
            ...distribution_judge
          }
          pairCount
          confusionLabels
          confusionCounts
          confusionLabelCount
          labels {
            pairCount
            accuracy
            cohenKappa
            cohenKappaLow
            cohenKappaHigh
          }
          scores {
            pairCount
            pearson
            spearman
            meanAbsoluteError
          }
          isPartial
        }
        annotatorAgreement(target: $target, name: $name, timeRange: $timeRange) {
          labelAlpha
          labelValueCount
          scoreAlpha
          scoreValueCount
        }
      }
    }
  }
`;

/** See {@link Comparison}. */
export interface ComparisonProps {
  readonly projectId: string;
  readonly kind: JudgedKind;
  readonly first: Judge;
  readonly second: Judge;
  readonly timeRange: TimeRange;
}

/** What two judges said, and how far they agree. */
export function Comparison({ projectId, kind, first, second, timeRange }: ComparisonProps) {
  const { project } = useQuery<comparisonQuery>(
    QUERY,
    {
      projectId,
      target: TARGETS[kind],
      first: toInput(first),
      second: toInput(second),
      name: first.name,
      timeRange,
    },
    { fetchPolicy: 'store-and-network' },
  );
  const agreement = project.annotationAgreement;
  const everybody = project.annotatorAgreement;
  if (agreement == null || everybody == null) return null;
  const { labels, scores } = agreement;
  const counts = agreement.confusionCounts as readonly (readonly number[])[];
  return (
    <div className={styles.content}>
      {agreement.isPartial && (
        <p className={styles.note}>There are too many different values to count all: the most frequent ones are.</p>
      )}
      {agreement.pairCount === 0 ? (
        <EmptyState title="Nothing was judged by both in this time">
          Choose other judges, or a wider time range.
        </EmptyState>
      ) : (
        <dl className={styles.figures}>
          <Figure label="Judged by both" hint="Of several judgements of one thing, the latest counts.">
            {formatExact(agreement.pairCount)}
          </Figure>
          {labels.accuracy != null && (
            <Figure label="Equal labels" hint={`Of ${formatExact(labels.pairCount)} that both labelled.`}>
              {formatShare(labels.accuracy)}
            </Figure>
          )}
          {labels.pairCount > 0 && (
            <Figure
              label="Cohen’s kappa"
              hint={
                labels.cohenKappa == null
                  ? 'Undefined: chance alone would give full agreement.'
                  : `95 % interval ${formatCoefficient(labels.cohenKappaLow)} to ${formatCoefficient(labels.cohenKappaHigh)}. Agreement beyond chance, without weights.`
              }
            >
              {formatCoefficient(labels.cohenKappa)}
            </Figure>
          )}
          {scores.pairCount > 1 && (
            <>
              <Figure label="Pearson’s r" hint={`Of ${formatExact(scores.pairCount)} pairs of scores.`}>
                {formatCoefficient(scores.pearson)}
              </Figure>
              <Figure label="Spearman’s ρ" hint="Of the ranks of the scores; ties share the mean of their ranks.">
                {formatCoefficient(scores.spearman)}
              </Figure>
              <Figure label="Mean difference" hint="The mean of the absolute differences of the scores.">
                {formatCoefficient(scores.meanAbsoluteError)}
              </Figure>
            </>
          )}
        </dl>
      )}
      {(everybody.labelValueCount > 0 || everybody.scoreValueCount > 0) && (
        <dl className={styles.figures} aria-label={`Everybody who judged ${first.name}`}>
          {everybody.labelValueCount > 0 && (
            <Figure
              label={`Krippendorff’s alpha of “${first.name}”`}
              hint={`All annotators, labels (nominal): ${formatExact(everybody.labelValueCount)} values of things judged at least twice.`}
            >
              {formatCoefficient(everybody.labelAlpha)}
            </Figure>
          )}
          {everybody.scoreValueCount > 0 && (
            <Figure
              label={`Krippendorff’s alpha of “${first.name}”, scores`}
              hint={`All annotators, scores (interval): ${formatExact(everybody.scoreValueCount)} values of things judged at least twice.`}
            >
              {formatCoefficient(everybody.scoreAlpha)}
            </Figure>
          )}
        </dl>
      )}
      {agreement.confusionLabels.length > 0 && (
        <ConfusionTable
          projectId={projectId}
          kind={kind}
          first={first}
          second={second}
          labels={agreement.confusionLabels}
          labelCount={agreement.confusionLabelCount}
          counts={counts}
        />
      )}
      <div className={styles.distributions}>
        <Distribution title={titleOf(first)} judge={agreement.first} />
        <Distribution title={titleOf(second)} judge={agreement.second} />
      </div>
    </div>
  );
}

function toInput({ name, by }: Judge) {
  return { name, ...(by !== null && { annotatorKind: by.kind, identifier: by.identifier }) };
}

function formatShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Three digits behind the point say more than there is to know. */
function formatCoefficient(value: number | null | undefined): string {
  return value == null ? '–' : value.toFixed(2);
}

interface FigureProps {
  readonly label: string;
  readonly hint: string;
  readonly children: ReactNode;
}

function Figure({ label, hint, children }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd>
        <strong>{children}</strong>
        <span className={styles.hint}>{hint}</span>
      </dd>
    </div>
  );
}
