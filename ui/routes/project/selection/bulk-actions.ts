/** Actions on many rows of a project that the server is at: started here, by somebody else, or before this page was loaded. */
import { useEffect, useEffectEvent, useState } from 'react';
import { fetchQuery, graphql, readInlineData, useRelayEnvironment } from 'react-relay';
import type { Environment } from 'relay-runtime';
import type { bulkActions_action$data, bulkActions_action$key } from '#ui/__generated__/bulkActions_action.graphql.ts';
import type { bulkActionsQuery } from '#ui/__generated__/bulkActionsQuery.graphql.ts';
import type { bulkActionsRunningQuery } from '#ui/__generated__/bulkActionsRunningQuery.graphql.ts';

const ACTION = graphql`
  fragment bulkActions_action on BulkAction @inline {
    id
    kind
    rows
    state
    totalCount
    notedCount
    doneCount
    goneCount
    refusedCount
    error
    annotationName
    toProject {
      name
    }
  }
`;

const RUNNING = graphql`
  query bulkActionsRunningQuery($projectId: ID!) {
    project: node(id: $projectId) {
      ... on Project {
        bulkActions(first: 4, isRunning: true) {
          ...bulkActions_action
        }
      }
    }
  }
`;

const ACTIONS = graphql`
  query bulkActionsQuery($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on BulkAction @alias(as: "action") {
        ...bulkActions_action
      }
    }
  }
`;

/** An action as an answer has it. */
export type BulkAction = bulkActions_action$key;

/** An action as it was read last. */
export type ReadBulkAction = bulkActions_action$data;

/** How often an action that is not over is asked for. */
const POLL_MS = 1000;

/** Whether the server is still at it, or will be again. */
export function isOver({ state }: Pick<ReadBulkAction, 'state'>): boolean {
  return state !== 'RUNNING' && state !== 'PAUSED';
}

/** Reads what an answer says of an action. */
export function readBulkAction(action: BulkAction): ReadBulkAction {
  return readInlineData(ACTION, action);
}

/** The actions of a project that run, and those that ended while the page stood, until they are closed. */
export function useBulkActions(projectId: string, onOver: (action: ReadBulkAction) => void) {
  const environment = useRelayEnvironment();
  const [actions, setActions] = useState<readonly ReadBulkAction[]>([]);
  const tellOver = useEffectEvent(onOver);

  function follow(action: ReadBulkAction): void {
    setActions((before) => [...before.filter(({ id }) => id !== action.id), action]);
  }

  useEffect(() => {
    let isWanted = true;
    readRunning(environment, projectId).then(
      (running) => {
        if (!isWanted) return;
        setActions((before) => [...running.filter(({ id }) => !before.some((action) => action.id === id)), ...before]);
      },
      // The list beside it says that the server is gone.
      () => undefined,
    );
    return () => {
      isWanted = false;
      setActions([]);
    };
  }, [environment, projectId]);

  const unfinished = actions
    .filter((action) => !isOver(action))
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    if (unfinished === '') return undefined;
    let isAsking = false;
    const timer = setInterval(() => {
      if (isAsking || document.hidden) return;
      isAsking = true;
      readActions(environment, unfinished.split(' '))
        .then((read) => {
          for (const action of read) {
            follow(action);
            if (isOver(action)) tellOver(action);
          }
        })
        .catch(() => undefined)
        .finally(() => {
          isAsking = false;
        });
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [environment, unfinished]);

  const close = (id: string) => setActions((before) => before.filter((action) => action.id !== id));
  return { actions, follow, close };
}

async function readRunning(environment: Environment, projectId: string): Promise<readonly ReadBulkAction[]> {
  const read = await fetchQuery<bulkActionsRunningQuery>(environment, RUNNING, { projectId }).toPromise();
  return (read?.project.bulkActions ?? []).map(readBulkAction);
}

async function readActions(environment: Environment, ids: readonly string[]): Promise<readonly ReadBulkAction[]> {
  const read = await fetchQuery<bulkActionsQuery>(
    environment,
    ACTIONS,
    { ids },
    { networkCacheConfig: { force: true } },
  ).toPromise();
  return (read?.nodes ?? []).flatMap((node) => (node?.action == null ? [] : readBulkAction(node.action)));
}
