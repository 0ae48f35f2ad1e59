/** The saved views of projects, as this page knows them: read once and again after each change, by all that show them. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { type Environment, fetchQuery, graphql, readInlineData, useRelayEnvironment } from 'react-relay';
import type { viewData_project$data, viewData_project$key } from '#ui/__generated__/viewData_project.graphql.ts';
import type { viewDataContentQuery } from '#ui/__generated__/viewDataContentQuery.graphql.ts';
import type { viewDataQuery } from '#ui/__generated__/viewDataQuery.graphql.ts';
import { readViewContent, type ViewContent } from '#domain/saved-view';
import { usePendingDeletions } from '#ui/lib/pending-deletions.ts';

const PROJECT = graphql`
  fragment viewData_project on Project @inline {
    id
    savedViews {
      id
      name
      table
      isShared
      isOwn
      ownerName
      canChange
      isSharedDefault
      isOwnDefault
    }
  }
`;

const QUERY = graphql`
  query viewDataQuery($projectId: ID!) {
    project: node(id: $projectId) {
      ... on Project @alias(as: "found") {
        ...viewData_project
      }
    }
  }
`;

const CONTENT = graphql`
  query viewDataContentQuery($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on SavedView @alias(as: "view") {
        id
        content
      }
    }
  }
`;

/** A view, without its content. */
export type ViewItem = viewData_project$data['savedViews'][number];

let lists: ReadonlyMap<string, readonly ViewItem[]> = new Map();
/** By the ids of views; null of those that are not there, or that the reader may not see. */
let contents: ReadonlyMap<string, ViewContent | null> = new Map();
const listeners = new Set<() => void>();

/** Takes the views of a project from an answer. */
export function publishViews(ref: viewData_project$key): void {
  const { id, savedViews } = readInlineData(PROJECT, ref);
  lists = new Map([...lists, [id, savedViews]]);
  tell();
}

/** Takes what a view holds now. */
export function publishContent(id: string, content: ViewContent | null): void {
  contents = new Map([...contents, [id, content]]);
  tell();
}

/** Reads the views of a project. */
async function readViews(environment: Environment, projectId: string): Promise<void> {
  const variables = { projectId };
  const data = await fetchQuery<viewDataQuery>(environment, QUERY, variables, FRESH).toPromise();
  if (data?.project.found != null) publishViews(data.project.found);
}

/** Reads what a view holds; null where there is no such view for the reader. */
export async function readContent(environment: Environment, id: string): Promise<ViewContent | null> {
  const data = await fetchQuery<viewDataContentQuery>(environment, CONTENT, { ids: [id] }, FRESH).toPromise();
  const text = data?.nodes[0]?.view?.content;
  const content = text === undefined ? null : readViewContent(text);
  publishContent(id, content);
  return content;
}

const FRESH = { networkCacheConfig: { force: true } };

/** The views of a project, and why they could not be read. */
export interface ViewsOfProject {
  /** Without those that are about to be deleted; undefined until they are known. */
  readonly views: readonly ViewItem[] | undefined;
  readonly error: unknown;
  readonly refresh: () => void;
}

/** Reads the views of a project when the component comes; undefined: of none. */
export function useViews(projectId: string | undefined): ViewsOfProject {
  const environment = useRelayEnvironment();
  const pending = usePendingDeletions();
  const known = useSyncExternalStore(subscribe, () => lists);
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<{ readonly error: unknown }>();
  useEffect(() => {
    if (projectId === undefined) return undefined;
    let isWanted = true;
    readViews(environment, projectId)
      .then(() => isWanted && setFailure(undefined))
      .catch((error: unknown) => isWanted && setFailure({ error }));
    return () => {
      isWanted = false;
    };
  }, [environment, projectId, attempt]);
  const views = projectId === undefined ? undefined : known.get(projectId);
  return {
    views: views?.filter(({ id }) => !pending.has(id)),
    error: failure?.error,
    refresh: () => setAttempt((before) => before + 1),
  };
}

/** What a view holds: undefined until it is known, null where there is no such view for the reader. */
export function useContent(id: string | undefined): ViewContent | null | undefined {
  const environment = useRelayEnvironment();
  const known = useSyncExternalStore(subscribe, () => contents);
  useEffect(() => {
    // Without it the table is as its address says; the list of views says why.
    if (id !== undefined) readContent(environment, id).catch(() => contents.has(id) || publishContent(id, null));
  }, [environment, id]);
  return id === undefined ? null : known.get(id);
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
