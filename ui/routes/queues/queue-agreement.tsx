import { Link } from '@tanstack/react-router';
import { graphql } from 'react-relay';
import type { queueAgreementQuery } from '#ui/__generated__/queueAgreementQuery.graphql.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { Name } from '#ui/components/name.tsx';
import styles from './queue-page.module.css';
import type { QueueRows } from './queue-words.ts';

const QUERY = graphql`
  query queueAgreementQuery($projectId: ID!, $target: AnnotationTarget!, $name: String!) {
    project: node(id: $projectId) {
      ... on Project {
        annotatorAgreement(target: $target, name: $name) {
          labelAlpha
          scoreAlpha
          labelValueCount
          scoreValueCount
        }
      }
    }
  }
`;

const TARGETS = { SPANS: 'SPAN', TRACES: 'TRACE', SESSIONS: 'SESSION' } as const;
const JUDGED = { SPANS: undefined, TRACES: 'trace', SESSIONS: 'session' } as const;

interface QueueAgreementProps {
  readonly projectId: string;
  readonly rows: QueueRows;
  /** Of the annotations that the queue asks for. */
  readonly name: string;
  /** Another number reads again. */
  readonly version: number;
}

/** How far reviewers agree on a question, by Krippendorff's alpha of all that was said under its name in the project. */
export function QueueAgreement({ projectId, rows, name, version }: QueueAgreementProps) {
  const { data } = useAnswer<queueAgreementQuery>(QUERY, { projectId, target: TARGETS[rows], name }, version);
  const agreement = data?.project.annotatorAgreement;
  if (agreement === undefined) return null;
  const alpha = agreement.labelAlpha ?? agreement.scoreAlpha;
  // Alpha compares with chance, which equal answers alone say nothing of.
  const areEqual = agreement.labelValueCount + agreement.scoreValueCount > 0;
  return (
    <div className={styles.line}>
      <Link
        className={styles.grow}
        to="/projects/$projectId/agreement"
        params={{ projectId }}
        search={{ judged: JUDGED[rows] }}
      >
        <Name>{name}</Name>
      </Link>
      <span className={styles.muted}>
        {alpha != null ? `alpha ${alpha.toFixed(2)}` : areEqual ? 'all answers are equal' : 'nothing to compare yet'}
      </span>
    </div>
  );
}
