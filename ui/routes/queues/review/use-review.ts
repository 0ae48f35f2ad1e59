/** The way through a queue: one item is held, judged, and the next one is held. */
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { graphql, readInlineData } from 'react-relay';
import type { useReview_held$data, useReview_held$key } from '#ui/__generated__/useReview_held.graphql.ts';
import type { useReviewFinishMutation } from '#ui/__generated__/useReviewFinishMutation.graphql.ts';
import type { useReviewHoldMutation } from '#ui/__generated__/useReviewHoldMutation.graphql.ts';
import type { useReviewReleaseMutation } from '#ui/__generated__/useReviewReleaseMutation.graphql.ts';
import { useCommit } from '../../deletion/use-commit.ts';
import { useHolder } from '../holder.ts';
import { useHoldRenewal } from './use-hold-renewal.ts';

const HELD = graphql`
  fragment useReview_held on HoldAnnotationQueueItemPayload
  @inline
  @argumentDefinitions(holder: { type: "String" }) {
    queue {
      id
      name
      instructions
      isBlind
      holdMinutes
      annotationConfigs {
        ... on AnnotationConfigBase {
          name
        }
      }
      progress {
        itemCount
        doneCount
        waitingForMeCount(holder: $holder)
      }
    }
    item {
      id
      myOutcome(holder: $holder)
      target {
        __typename
        ... on Span {
          id
          name
          trace {
            traceId
            project {
              id
            }
            session {
              id
            }
          }
        }
        ... on Trace {
          id
          traceId
          project {
            id
          }
          session {
            id
          }
        }
        ... on ProjectSession {
          id
          sessionId
          project {
            id
          }
        }
      }
    }
  }
`;

const HOLD = graphql`
  mutation useReviewHoldMutation($queueId: ID!, $itemId: ID, $holder: String) {
    holdAnnotationQueueItem(queueId: $queueId, itemId: $itemId, holder: $holder) {
      ...useReview_held @arguments(holder: $holder)
    }
  }
`;

const FINISH = graphql`
  mutation useReviewFinishMutation($itemId: ID!, $outcome: AnnotationQueueOutcome!, $holder: String) {
    reviewAnnotationQueueItem(itemId: $itemId, outcome: $outcome, holder: $holder) {
      ...useReview_held @arguments(holder: $holder)
    }
  }
`;

const RELEASE = graphql`
  mutation useReviewReleaseMutation($itemId: ID!, $holder: String) {
    releaseAnnotationQueueItem(itemId: $itemId, holder: $holder) {
      id
    }
  }
`;

/** What is held, and how far the queue is. */
export type Held = useReview_held$data;

/** The item that is held. */
export type HeldItem = NonNullable<Held['item']>;

/** See the file. */
export interface Review {
  /** The last answer; undefined before the first. */
  readonly held: Held | undefined;
  /** Why the latest step was refused. */
  readonly error: unknown;
  readonly isBusy: boolean;
  /** Whether there is an item to go back to. */
  readonly canGoBack: boolean;
  /** Completes or skips the item, and holds the next one. */
  readonly finish: (outcome: 'COMPLETED' | 'SKIPPED') => Promise<void>;
  readonly goBack: () => void;
  /** Holds the next item, whatever was asked for before. */
  readonly takeNext: () => void;
}

/** @param addressedId of the item to begin with; undefined for the next one */
export function useReview(queueId: string, addressedId: string | undefined): Review {
  const holder = useHolder();
  const navigate = useNavigate();
  const [held, setHeld] = useState<Held>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(true);
  const [past, setPast] = useState<readonly string[]>([]);
  const commitHold = useCommit<useReviewHoldMutation>(HOLD);
  const commitFinish = useCommit<useReviewFinishMutation>(FINISH);
  const commitRelease = useCommit<useReviewReleaseMutation>(RELEASE);
  const current = useRef<string>(undefined);

  const show = useCallback(
    (next: Held) => {
      const target = next.item?.target;
      current.current = next.item?.id;
      setHeld(next);
      void navigate({
        to: '.',
        search: {
          item: next.item?.id,
          ...(target?.__typename === 'Span' && { selectedSpanNodeId: target.id }),
        },
        replace: true,
        resetScroll: false,
      });
    },
    [navigate],
  );

  async function step(ask: () => Promise<useReview_held$key>): Promise<boolean> {
    setIsBusy(true);
    setError(undefined);
    try {
      show(readInlineData(HELD, await ask()));
      return true;
    } catch (reason) {
      setError(reason);
      return false;
    } finally {
      setIsBusy(false);
    }
  }

  const hold = (itemId: string | undefined) =>
    step(async () => (await commitHold({ queueId, itemId: itemId ?? null, holder })).holdAnnotationQueueItem);

  async function finish(outcome: 'COMPLETED' | 'SKIPPED'): Promise<void> {
    const itemId = held?.item?.id;
    if (itemId === undefined || isBusy) return;
    const isDone = await step(async () => (await commitFinish({ itemId, outcome, holder })).reviewAnnotationQueueItem);
    if (isDone) setPast((before) => [...before.filter((id) => id !== itemId), itemId]);
  }

  function release(): void {
    const itemId = current.current;
    // A hold that stays ends by itself.
    if (itemId !== undefined) commitRelease({ itemId, holder }).catch(() => undefined);
  }

  function goBack(): void {
    const last = past.at(-1);
    if (last === undefined || isBusy) return;
    // The item that is left goes to whoever comes next.
    release();
    void hold(last).then((isHeld) => isHeld && setPast((before) => before.slice(0, -1)));
  }

  const begin = useEffectEvent(() => void hold(addressedId));
  const leave = useEffectEvent(release);
  useEffect(() => {
    begin();
    return () => leave();
  }, [queueId]);
  useHoldRenewal(held?.queue.holdMinutes, () => {
    const itemId = current.current;
    // If it could not be renewed, completing the item says so.
    if (itemId !== undefined) commitHold({ queueId, itemId, holder }).catch(() => undefined);
  });

  return {
    held,
    error,
    isBusy,
    canGoBack: past.length > 0,
    finish,
    goBack,
    takeNext: () => void hold(undefined),
  };
}
