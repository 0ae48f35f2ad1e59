/** What can be done to saved views. Each change brings the list of views up to date. */
import { useMemo } from 'react';
import { graphql, useRelayEnvironment } from 'react-relay';
import type { useViewChangesCreateMutation } from '#ui/__generated__/useViewChangesCreateMutation.graphql.ts';
import type { useViewChangesDeleteMutation } from '#ui/__generated__/useViewChangesDeleteMutation.graphql.ts';
import type { useViewChangesOwnDefaultMutation } from '#ui/__generated__/useViewChangesOwnDefaultMutation.graphql.ts';
import type { useViewChangesPatchMutation } from '#ui/__generated__/useViewChangesPatchMutation.graphql.ts';
import type { useViewChangesSharedDefaultMutation } from '#ui/__generated__/useViewChangesSharedDefaultMutation.graphql.ts';
import { formatViewContent, type ViewContent, type ViewTable } from '#domain/saved-view';
import { useCommit } from '../../deletion/use-commit.ts';
import { publishContent, publishViews, readContent } from './view-data.ts';
import { nameOfTable } from './view-tables.ts';

const CREATE = graphql`
  mutation useViewChangesCreateMutation($input: CreateSavedViewInput!) {
    createSavedView(input: $input) {
      savedView {
        id
      }
      project {
        ...viewData_project
      }
    }
  }
`;

const PATCH = graphql`
  mutation useViewChangesPatchMutation($input: PatchSavedViewInput!) {
    patchSavedView(input: $input) {
      project {
        ...viewData_project
      }
    }
  }
`;

const DELETE = graphql`
  mutation useViewChangesDeleteMutation($input: DeleteSavedViewInput!) {
    deleteSavedView(input: $input) {
      project {
        ...viewData_project
      }
    }
  }
`;

const OWN_DEFAULT = graphql`
  mutation useViewChangesOwnDefaultMutation($input: DefaultSavedViewInput!) {
    setOwnDefaultSavedView(input: $input) {
      project {
        ...viewData_project
      }
    }
  }
`;

const SHARED_DEFAULT = graphql`
  mutation useViewChangesSharedDefaultMutation($input: DefaultSavedViewInput!) {
    setSharedDefaultSavedView(input: $input) {
      project {
        ...viewData_project
      }
    }
  }
`;

/** A view to be saved. */
export interface ViewToSave {
  readonly name: string;
  readonly content: ViewContent;
  readonly isShared: boolean;
}

/** Each rejects with the server's words where it refuses. */
export interface ViewChanges {
  /** Gives the id of the new view. */
  readonly create: (view: ViewToSave) => Promise<string>;
  readonly patch: (id: string, change: Partial<ViewToSave>) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  /** Null: the table opens with no view. */
  readonly setOwnDefault: (viewId: string | null) => Promise<void>;
  readonly setSharedDefault: (viewId: string | null) => Promise<void>;
}

/** The changes of a table's views. */
export function useViewChanges(projectId: string, table: ViewTable): ViewChanges {
  const environment = useRelayEnvironment();
  const create = useCommit<useViewChangesCreateMutation>(CREATE);
  const patch = useCommit<useViewChangesPatchMutation>(PATCH);
  const remove = useCommit<useViewChangesDeleteMutation>(DELETE);
  const setOwn = useCommit<useViewChangesOwnDefaultMutation>(OWN_DEFAULT);
  const setShared = useCommit<useViewChangesSharedDefaultMutation>(SHARED_DEFAULT);
  return useMemo(() => {
    const place = { projectId, table: nameOfTable(table) };
    return {
      create: async ({ content, ...view }) => {
        const input = { ...place, ...view, content: formatViewContent(content) };
        const { savedView, project } = (await create({ input })).createSavedView;
        if (savedView == null) throw new Error('The view was deleted meanwhile. Save it again.');
        publishContent(savedView.id, content);
        publishViews(project);
        return savedView.id;
      },
      patch: async (id, { content, ...change }) => {
        const input = { id, ...change, ...(content !== undefined && { content: formatViewContent(content) }) };
        const { project } = (await patch({ input })).patchSavedView;
        publishViews(project);
        if (content !== undefined) await readContent(environment, id);
      },
      remove: async (id) => publishViews((await remove({ input: { id } })).deleteSavedView.project),
      setOwnDefault: async (viewId) =>
        publishViews((await setOwn({ input: { ...place, viewId } })).setOwnDefaultSavedView.project),
      setSharedDefault: async (viewId) =>
        publishViews((await setShared({ input: { ...place, viewId } })).setSharedDefaultSavedView.project),
    };
  }, [environment, projectId, table, create, patch, remove, setOwn, setShared]);
}
