/** What changes in a project, from the server: one stream for a page, however many parts of it listen. */
import { useEffect, useEffectEvent } from 'react';
import { fetchQuery, graphql, requestSubscription } from 'react-relay';
import type { projectChangesMarkQuery } from '#ui/__generated__/projectChangesMarkQuery.graphql.ts';
import type { projectChangesSubscription } from '#ui/__generated__/projectChangesSubscription.graphql.ts';
import { type Attention, type Change, type ChangeSource, followChanges } from './live.ts';
import { relayEnvironment } from './relay-environment.ts';

const SUBSCRIPTION = graphql`
  subscription projectChangesSubscription($projectId: ID!) {
    projectChanges(projectId: $projectId) {
      changedAt
      traceIds
    }
  }
`;

const MARK = graphql`
  query projectChangesMarkQuery($projectId: ID!) {
    project: node(id: $projectId) {
      ... on Project {
        streamingLastUpdatedAt
      }
    }
  }
`;

/**
 * Calls `onChange` when spans of the project were stored, while the page is seen and `isLive` holds. The first call
 * comes when the stream stands.
 */
export function useProjectChanges(projectId: string, isLive: boolean, onChange: (change: Change) => void): void {
  const listener = useEffectEvent(onChange);
  useEffect(() => (isLive ? listen(projectId, (change) => listener(change)) : undefined), [projectId, isLive]);
}

interface Following {
  readonly listeners: Set<(change: Change) => void>;
  readonly stop: () => void;
}

const followed = new Map<string, Following>();

function listen(projectId: string, listener: (change: Change) => void): () => void {
  const following = followed.get(projectId) ?? follow(projectId);
  // A page that is already followed gets no first event any more: a new subscriber may have read before the last one.
  if (following.listeners.size > 0) queueMicrotask(() => following.listeners.has(listener) && listener(null));
  following.listeners.add(listener);
  return () => {
    following.listeners.delete(listener);
    if (following.listeners.size > 0) return;
    following.stop();
    followed.delete(projectId);
  };
}

function follow(projectId: string): Following {
  const listeners = new Set<(change: Change) => void>();
  const stop = followChanges(sourceOf(projectId), ATTENTION, (change) => {
    for (const listener of listeners) listener(change);
  });
  const following = { listeners, stop };
  followed.set(projectId, following);
  return following;
}

const ATTENTION: Attention = {
  isHidden: () => document.hidden,
  watch: (listener) => {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
};

function sourceOf(projectId: string): ChangeSource {
  return {
    stream: (onChange, onEnd) => {
      const subscription = requestSubscription<projectChangesSubscription>(relayEnvironment, {
        subscription: SUBSCRIPTION,
        variables: { projectId },
        onNext: (data) => onChange(data?.projectChanges.traceIds ?? null),
        onError: onEnd,
        onCompleted: onEnd,
      });
      return () => subscription.dispose();
    },
    readMark: async () => {
      const data = await fetchQuery<projectChangesMarkQuery>(relayEnvironment, MARK, { projectId }).toPromise();
      return data?.project.streamingLastUpdatedAt ?? null;
    },
  };
}
