import { Ellipsis, Eraser, Hourglass, Pin, PinOff, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { IconButton } from '#ui/components/button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { usePin } from '#ui/lib/pins.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { ClearProject } from './clear-project.tsx';
import { DeleteProject, whyKept } from './delete-project.tsx';

const RetentionDialog = lazy(async () => ({
  default: (await import('../retention/retention-dialog.tsx')).RetentionDialog,
}));

interface ProjectMenuProps {
  readonly project: { readonly id: string; readonly name: string };
  readonly onCleared: () => void;
  readonly onDeleted: () => void;
  readonly className?: string | undefined;
}

/** What a user may do with a project: pin it, set its retention, delete its traces or the project. */
export function ProjectMenu({ project, onCleared, onDeleted, className }: ProjectMenuProps) {
  const [open, setOpen] = useState<'retention' | 'clear' | 'delete'>();
  const close = () => setOpen(undefined);
  const mayClear = useMay('write');
  const mayChange = useMay('administer');
  const [isPinned, togglePin] = usePin({ projectId: project.id, title: project.name });
  const kept = whyKept(project.name);
  const label = `Actions for ${revealHidden(project.name)}`;
  return (
    <>
      <MenuTrigger>
        <IconButton icon={Ellipsis} size="sm" label={label} className={className} />
        <Menu label="Project" placement="bottom end">
          <MenuItem icon={isPinned ? PinOff : Pin} onAction={togglePin}>
            {isPinned ? 'Unpin' : 'Pin'}
          </MenuItem>
          {mayChange && (
            <MenuItem icon={Hourglass} onAction={() => setOpen('retention')}>
              Retention…
            </MenuItem>
          )}
          {mayClear && (
            <MenuItem icon={Eraser} onAction={() => setOpen('clear')}>
              Delete traces…
            </MenuItem>
          )}
          {mayChange && (
            <MenuItem icon={Trash2} onAction={() => setOpen('delete')} isDisabled={kept !== undefined}>
              {kept ?? 'Delete project…'}
            </MenuItem>
          )}
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
