import { graphql } from 'react-relay';
import type { deleteProjectMutation } from '#ui/__generated__/deleteProjectMutation.graphql.ts';
import { Name } from '#ui/components/name.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { forgetDeletedProject } from '#ui/lib/pins.ts';
import { ConfirmDeletion } from './confirm-deletion.tsx';
import { useCommit } from './use-commit.ts';

/** Spans that name no project go there, so it stays. */
const DEFAULT_PROJECT = 'default';

/** Why a project cannot be deleted; undefined where it can. */
export function whyKept(projectName: string): string | undefined {
  return projectName === DEFAULT_PROJECT ? 'The default project cannot be deleted' : undefined;
}

interface DeleteProjectProps {
  readonly project: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks whether a project is to be deleted, and deletes it. */
export function DeleteProject({ project, onClose, onDone }: DeleteProjectProps) {
  const remove = useCommit<deleteProjectMutation>(graphql`
    mutation deleteProjectMutation($id: ID!) {
      deleteProject(id: $id) {
        projectCount
      }
    }
  `);
  return (
    <ConfirmDeletion
      title="Delete project"
      verb="Delete project"
      name={project.name}
      onClose={onClose}
      onConfirm={async () => {
        await remove({ id: project.id });
        forgetDeletedProject(project.id);
        onClose();
        onDone();
        showToast({ tone: 'success', title: `${revealHidden(project.name)} was deleted` });
      }}
    >
      <p>
        Deletes <Name>{project.name}</Name> with all its traces and sessions. This cannot be undone. If spans for this
        project arrive later, it is created again.
      </p>
    </ConfirmDeletion>
  );
}
