import { Ellipsis, Eraser, Hourglass, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { graphql } from 'react-relay';
import type { projectMenuDeleteMutation } from '#ui/__generated__/projectMenuDeleteMutation.graphql.ts';
import { IconButton } from '#ui/components/button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { Name } from '#ui/components/name.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { forgetProject } from '#ui/lib/recent.ts';
import { ClearProject } from './clear-project.tsx';
import { ConfirmDeletion } from './confirm-deletion.tsx';
import { useCommit } from './use-commit.ts';

const RetentionDialog = lazy(async () => ({
  default: (await import('../retention/retention-dialog.tsx')).RetentionDialog,
}));

/** Spans that name no project go there, so it stays. */
const DEFAULT_PROJECT = 'default';

interface ProjectMenuProps {
  readonly project: { readonly id: string; readonly name: string };
  readonly onCleared: () => void;
  readonly onDeleted: () => void;
  readonly className?: string | undefined;
}

/** What a user can do with a project: set its retention, clear it, delete it. */
export function ProjectMenu({ project, onCleared, onDeleted, className }: ProjectMenuProps) {
  const [open, setOpen] = useState<'retention' | 'clear' | 'delete'>();
  const close = () => setOpen(undefined);
  const label = `Actions for ${revealHidden(project.name)}`;
  return (
    <>
      <MenuTrigger>
        <IconButton icon={Ellipsis} size="sm" label={label} className={className} />
        <Menu label="Project" placement="bottom end">
          <MenuItem icon={Hourglass} onAction={() => setOpen('retention')}>
            Retention…
          </MenuItem>
          <MenuItem icon={Eraser} onAction={() => setOpen('clear')}>
            Clear…
          </MenuItem>
          <MenuItem icon={Trash2} onAction={() => setOpen('delete')} isDisabled={project.name === DEFAULT_PROJECT}>
            {project.name === DEFAULT_PROJECT ? 'The default project cannot be deleted' : 'Delete project…'}
          </MenuItem>
        </Menu>
      </MenuTrigger>
      {open === 'retention' && (
        <Suspense>
          <RetentionDialog project={project} onClose={close} />
        </Suspense>
      )}
      {open === 'clear' && <ClearProject project={project} onClose={close} onDone={onCleared} />}
      {open === 'delete' && <DeleteProject project={project} onClose={close} onDone={onDeleted} />}
    </>
  );
}

interface DialogProps extends Pick<ProjectMenuProps, 'project'> {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function DeleteProject({ project, onClose, onDone }: DialogProps) {
  const remove = useCommit<projectMenuDeleteMutation>(graphql`
    mutation projectMenuDeleteMutation($id: ID!) {
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
        forgetProject(project.id);
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
