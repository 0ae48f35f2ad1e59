import { Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { queueFacts_queue$data, queueFacts_queue$key } from '#ui/__generated__/queueFacts_queue.graphql.ts';
import type { queueFactsDeleteRuleMutation } from '#ui/__generated__/queueFactsDeleteRuleMutation.graphql.ts';
import { Badge } from '#ui/components/badge.tsx';
import { IconButton } from '#ui/components/button.tsx';
import { Markdown } from '#ui/components/markdown/markdown.tsx';
import { Name } from '#ui/components/name.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { describeConfig, toShownConfig } from '../annotation-configs/shown-config.ts';
import { useCommit } from '../deletion/use-commit.ts';
import { ProgressBar } from './progress-bar.tsx';
import { QueueAgreement } from './queue-agreement.tsx';
import styles from './queue-page.module.css';
import { RuleDialog } from './rule-dialog.tsx';

const QUEUE = graphql`
  fragment queueFacts_queue on AnnotationQueue {
    id
    rows
    description
    instructions
    reviewsPerItem
    isBlind
    holdMinutes
    annotationConfigs {
      ... on Node {
        id
      }
      ... on AnnotationConfigBase {
        name
        annotationType
      }
      ... on CategoricalAnnotationConfig {
        values {
          label
          score
        }
      }
      ... on ContinuousAnnotationConfig {
        lowerBound
        upperBound
      }
      ... on FreeformAnnotationConfig {
        threshold
        lowerBound
        upperBound
      }
    }
    progress {
      itemCount
      doneCount
      heldCount
    }
    reviewers {
      user {
        username
      }
      completedCount
      skippedCount
    }
    firstItem: items(first: 1) {
      edges {
        node {
          target {
            __typename
            ... on Span {
              trace {
                project {
                  id
                }
              }
            }
            ... on Trace {
              project {
                id
              }
            }
            ... on ProjectSession {
              project {
                id
              }
            }
          }
        }
      }
    }
    rules {
      id
      project {
        name
      }
      filterCondition
      samplePercent
      addedCount
      error
    }
  }
`;

const DELETE_RULE = graphql`
  mutation queueFactsDeleteRuleMutation($id: ID!) {
    deleteAnnotationQueueRule(id: $id) {
      id
    }
  }
`;

interface QueueFactsProps {
  readonly queue: queueFacts_queue$key;
  /** Another number after each change. */
  readonly version: number;
  readonly onChanged: () => void;
}

/** How far a queue is, what it asks, who reviews, and what adds to it. */
export function QueueFacts({ queue: key, version, onChanged }: QueueFactsProps) {
  const queue = useFragment(QUEUE, key);
  const { progress, description, instructions, reviewsPerItem, isBlind, holdMinutes, reviewers } = queue;
  const configs = queue.annotationConfigs.flatMap((config) => toShownConfig(config) ?? []);
  const projectId = projectOf(queue);
  return (
    <aside className={styles.facts} aria-label="About the queue">
      <Block title="Progress">
        <ProgressBar {...progress} />
        <p className={styles.muted}>
          {reviewsPerItem === 1 ? 'One review' : `${reviewsPerItem} reviews`} per item
          {isBlind && ', without sight of others'}. An item is held for {formatExact(holdMinutes)}{' '}
          {nounOf(holdMinutes, 'minutes')}.
          {progress.heldCount > 0 && ` ${formatExact(progress.heldCount)} in review now.`}
        </p>
        {description != null && description !== '' && <p>{revealHidden(description)}</p>}
      </Block>
      {instructions != null && instructions !== '' && (
        <Block title="Instructions">
          <Markdown text={instructions} />
        </Block>
      )}
      <Block title="Questions">
        {configs.length === 0 && <p className={styles.muted}>None. Edit the queue and choose what reviewers answer.</p>}
        {configs.map((config) => (
          <div key={config.id}>
            <div>{revealHidden(config.name)}</div>
            <div className={styles.muted}>{revealHidden(describeConfig(config))}</div>
          </div>
        ))}
      </Block>
      <Block title="Reviewers">
        {reviewers.length === 0 && <p className={styles.muted}>Nobody has reviewed an item yet.</p>}
        {reviewers.map(({ user, completedCount, skippedCount }, place) => (
          <div key={place} className={styles.line}>
            <span className={styles.grow}>
              {user == null ? 'Somebody without an account' : <Name>{user.username}</Name>}
            </span>
            <span className={styles.muted}>
              {formatExact(completedCount)} completed
              {skippedCount > 0 && `, ${formatExact(skippedCount)} skipped`}
            </span>
          </div>
        ))}
      </Block>
      {reviewsPerItem > 1 && projectId !== undefined && configs.length > 0 && (
        <Block title="Agreement">
          {configs.map(({ id, name }) => (
            <QueueAgreement key={id} projectId={projectId} rows={queue.rows} name={name} version={version} />
          ))}
        </Block>
      )}
      <Rules queue={queue} onChanged={onChanged} />
    </aside>
  );
}

/** That of the first item: agreement is measured in one project. */
function projectOf({ firstItem }: queueFacts_queue$data): string | undefined {
  const target = firstItem.edges[0]?.node.target;
  switch (target?.__typename) {
    case 'Span':
      return target.trace.project.id;
    case 'Trace':
    case 'ProjectSession':
      return target.project.id;
    default:
      return undefined;
  }
}

interface RulesProps {
  readonly queue: queueFacts_queue$data;
  readonly onChanged: () => void;
}

function Rules({ queue, onChanged }: RulesProps) {
  const [isAdding, setIsAdding] = useState(false);
  const mayChange = useMay('write');
  const remove = useCommit<queueFactsDeleteRuleMutation>(DELETE_RULE);
  function onRemove(id: string): void {
    remove({ id }).then(onChanged, (error: unknown) =>
      showToast({ tone: 'danger', title: 'The rule was not removed', description: describeError(error) }),
    );
  }
  return (
    <Block
      title="Rules"
      actions={mayChange && <IconButton icon={Plus} size="sm" label="Add a rule" onPress={() => setIsAdding(true)} />}
    >
      {queue.rules.length === 0 && (
        <p className={styles.muted}>None. A rule adds a share of what arrives and matches a filter.</p>
      )}
      {queue.rules.map(({ id, project, filterCondition, samplePercent, addedCount, error }) => (
        <div key={id} className={styles.line}>
          <div className={styles.grow}>
            <Badge>{samplePercent} %</Badge> of <Name>{project.name}</Name>
            {filterCondition != null && filterCondition !== '' && (
              <>
                {' '}
                where <code>{revealHidden(filterCondition)}</code>
              </>
            )}
            <div className={styles.muted}>{formatExact(addedCount)} added</div>
            {error != null && <div className={styles.danger}>{error}</div>}
          </div>
          {mayChange && <IconButton icon={Trash2} size="sm" label="Remove the rule" onPress={() => onRemove(id)} />}
        </div>
      ))}
      {isAdding && (
        <RuleDialog queueId={queue.id} rows={queue.rows} onClose={() => setIsAdding(false)} onAdded={onChanged} />
      )}
    </Block>
  );
}

interface BlockProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

function Block({ title, actions, children }: BlockProps) {
  return (
    <section className={styles.block} aria-label={title}>
      <div className={styles.blockHead}>
        <h2 className={styles.blockTitle}>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
