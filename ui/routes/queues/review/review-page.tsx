import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeft, PartyPopper, SkipForward, Undo2 } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Button, IconButton } from '#ui/components/button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Kbd } from '#ui/components/kbd.tsx';
import { Name } from '#ui/components/name.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { formatExact } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { usePageTitle } from '#ui/lib/page-title.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { JudgingPlaceContext } from '../../annotate/annotate-context.ts';
import { BlindContext } from '../../annotate/blind.ts';
import { focusFirst } from '../../annotate/focus-first.ts';
import type { Target } from '../../annotate/model/target.ts';
import { ProgressBar } from '../progress-bar.tsx';
import styles from './review-page.module.css';
import { ReviewPanel } from './review-panel.tsx';
import { ReviewTarget } from './review-target.tsx';
import { type Held, type HeldItem, type Review as ReviewState, useReview } from './use-review.ts';

/** One item of a queue after the other: what is judged, and what is asked. It has the whole screen. */
export function ReviewPage() {
  const { queueId } = useParams({ from: '/queues/$queueId/review' });
  const mayReview = useMay('write');
  if (mayReview) return <Review key={queueId} />;
  return (
    <EmptyState
      title="You can read this queue, not review it"
      action={
        <Link to="/queues/$queueId" params={{ queueId }}>
          Back to the queue
        </Link>
      }
    >
      Ask an administrator for the role of a member.
    </EmptyState>
  );
}

function Review() {
  const { queueId } = useParams({ from: '/queues/$queueId/review' });
  const { item: addressedId } = useSearch({ from: '/queues/$queueId/review' });
  const navigate = useNavigate();
  const review = useReview(queueId, addressedId);
  const { held, error, isBusy, finish, goBack, takeNext } = review;
  const leave = () => void navigate({ to: '/queues/$queueId', params: { queueId } });
  useShortcuts('Review', [
    { keys: 's', label: 'Skip this item', run: () => void finish('SKIPPED') },
    { keys: 'k', label: 'Back to the item before', run: goBack },
    { keys: 'Escape', label: 'Leave the review', run: leave },
  ]);
  return (
    <div className={styles.page}>
      <ProgressLine isActive={isBusy} label="Loading the next item" />
      <ReviewHeader review={review} onLeave={leave} />
      {error !== undefined && (
        <div className={styles.refusal} role="alert">
          <span>{describeError(error)}</span>
          <Button size="sm" onPress={takeNext}>
            Take the next item
          </Button>
        </div>
      )}
      {held !== undefined &&
        (held.item == null ? (
          <NothingLeft queue={held.queue} onLeave={leave} />
        ) : (
          <OpenItem key={held.item.id} queue={held.queue} item={held.item} review={review} onLeave={leave} />
        ))}
    </div>
  );
}

interface ReviewHeaderProps {
  readonly review: ReviewState;
  readonly onLeave: () => void;
}

function ReviewHeader({ review, onLeave }: ReviewHeaderProps) {
  const { held, canGoBack, isBusy, finish, goBack } = review;
  const name = held?.queue.name ?? 'Queue';
  usePageTitle(['Review', name]);
  return (
    <header className={styles.header}>
      <IconButton icon={ArrowLeft} label="Leave the review" shortcut="Escape" onPress={onLeave} />
      <h1 className={styles.title} title={revealHidden(name)}>
        <Name>{name}</Name>
      </h1>
      {held !== undefined && <ProgressBar {...held.queue.progress} />}
      {/* Not at the end of the line, where the button was that led here: the second press of two would skip unseen. */}
      <Button
        size="sm"
        variant="ghost"
        icon={Undo2}
        shortcut="k"
        tooltip="Back to the item before"
        isDisabled={!canGoBack || isBusy}
        onPress={goBack}
      >
        Back
      </Button>
      <Button
        size="sm"
        icon={SkipForward}
        shortcut="s"
        tooltip="Skip this item"
        isDisabled={held?.item == null || isBusy}
        onPress={() => void finish('SKIPPED')}
      >
        Skip
      </Button>
      <span className={styles.spring} />
    </header>
  );
}

type ReviewedTarget = Exclude<Target, { readonly kind: 'document' }>;

interface OpenItemProps {
  readonly queue: Held['queue'];
  readonly item: HeldItem;
  readonly review: ReviewState;
  readonly onLeave: () => void;
}

function OpenItem({ queue, item, review, onLeave }: OpenItemProps) {
  const [version, setVersion] = useState(0);
  const panel = useRef<HTMLElement>(null);
  const target = targetOf(item.target);
  const keyed = target?.kind ?? 'trace';
  const place = useMemo(() => ({ open: () => focusFirst(panel.current), version, keyed }), [version, keyed]);
  const isBlind = queue.isBlind && item.myOutcome !== 'COMPLETED';
  const hidden = useMemo(
    () => new Set(isBlind ? ['note', ...queue.annotationConfigs.flatMap(({ name }) => name ?? [])] : []),
    [isBlind, queue.annotationConfigs],
  );
  // Keys of the item before must not act on this one unseen: the screen reader hears where it is.
  useEffect(() => panel.current?.focus(), []);
  const { doneCount, itemCount, waitingForMeCount } = queue.progress;
  return (
    <BlindContext value={hidden}>
      <JudgingPlaceContext value={place}>
        <div className={styles.body}>
          <section className={styles.target} aria-label="Item">
            <ReviewTarget target={item.target} onClose={onLeave} />
          </section>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The key is that of the fields inside. */}
          <aside
            ref={panel}
            className={styles.panel}
            tabIndex={-1}
            aria-label="Your review"
            data-annotate
            onKeyDown={({ key, target: field }) => {
              if (key === 'Escape' && field instanceof HTMLElement && field !== panel.current) panel.current?.focus();
            }}
          >
            {target !== undefined && (
              <ErrorBoundary fallbackTitle="The questions could not be shown" resetKey={item.id}>
                <Suspense fallback={<ProgressLine isActive label="Loading the questions" />}>
                  <ReviewPanel
                    queue={queue}
                    target={target}
                    onChanged={() => setVersion((before) => before + 1)}
                    onComplete={() => review.finish('COMPLETED')}
                  />
                </Suspense>
              </ErrorBoundary>
            )}
          </aside>
        </div>
        <Hints hasQuestions={queue.annotationConfigs.length > 0} />
        <VisuallyHidden>
          <span aria-live="polite">
            {formatExact(doneCount)} of {formatExact(itemCount)} done, {formatExact(waitingForMeCount)} waiting for you
          </span>
        </VisuallyHidden>
      </JudgingPlaceContext>
    </BlindContext>
  );
}

function targetOf(target: HeldItem['target']): ReviewedTarget | undefined {
  switch (target?.__typename) {
    case 'Span':
      return { kind: 'span', id: target.id };
    case 'Trace':
      return { kind: 'trace', id: target.id };
    case 'ProjectSession':
      return { kind: 'session', id: target.id };
    default:
      return undefined;
  }
}

function NothingLeft({ queue, onLeave }: { readonly queue: Held['queue']; readonly onLeave: () => void }) {
  const { doneCount, itemCount } = queue.progress;
  const isDone = doneCount === itemCount;
  return (
    <EmptyState
      icon={PartyPopper}
      title={itemCount === 0 ? 'The queue is empty' : isDone ? 'All items are done' : 'No item waits for you'}
      action={
        <Button variant="primary" onPress={onLeave}>
          Back to the queue
        </Button>
      }
    >
      {itemCount > 0 && !isDone && 'You have reviewed or skipped what is left, or others are at it.'}
    </EmptyState>
  );
}

type Hint = readonly [keys: string, what: string];

const QUESTION_HINTS: readonly Hint[] = [
  ['1–9', 'choose'],
  ['Tab', 'next question'],
];

const HINTS: readonly Hint[] = [
  ['n', 'note'],
  ['c', 'whole session'],
  ['mod+Enter', 'complete and next'],
  ['s', 'skip'],
  ['k', 'back'],
  ['?', 'all keys'],
];

/** What the keys do, in the last line of the screen. */
function Hints({ hasQuestions }: { readonly hasQuestions: boolean }) {
  return (
    <footer className={styles.hints}>
      {[...(hasQuestions ? QUESTION_HINTS : []), ...HINTS].map(
        ([keys, what]): ReactNode => (
          <span key={keys} className={styles.hint}>
            {keys === '1–9' ? <kbd>1–9</kbd> : <Kbd keys={keys} />} {what}
          </span>
        ),
      )}
    </footer>
  );
}
