import { ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Name } from '#ui/components/name.tsx';
import { Popover, PopoverTrigger } from '#ui/components/popover.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import styles from './project-switcher.module.css';
import { SwitchList } from './switch-list.tsx';

/** See {@link ProjectSwitcher}. */
export interface ProjectSwitcherProps {
  readonly project: { readonly id: string; readonly name: string };
}

/** The name of the project, which opens a list of all others. */
export function ProjectSwitcher({ project }: ProjectSwitcherProps) {
  const [isOpen, setIsOpen] = useState(false);
  useShortcuts('Project', [{ keys: 'g w', label: 'Switch to another project', run: () => setIsOpen(true) }]);
  return (
    <PopoverTrigger isOpen={isOpen} onOpenChange={setIsOpen}>
      <Button className={styles.button}>
        <span className={styles.name} title={revealHidden(project.name)}>
          <Name>{project.name}</Name>
        </span>
        <ChevronsUpDown size={13} aria-hidden className={styles.chevron} />
      </Button>
      <Popover label="Switch project" placement="bottom start" className={styles.popover}>
        <SwitchList currentId={project.id} onClose={() => setIsOpen(false)} />
      </Popover>
    </PopoverTrigger>
  );
}
