import { Link } from '@tanstack/react-router';
import { Pin } from 'lucide-react';
import { Name } from '#ui/components/name.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { usePins } from '#ui/lib/pins.ts';
import { type TimeRange, writeTimeRange } from '#ui/lib/time-range.ts';
import styles from './projects-page.module.css';

interface ProjectLinkProps {
  readonly id: string;
  readonly name: string;
  readonly range: TimeRange;
}

/** Leads into a project, with the time that its figures are of. A pinned project has a mark. */
export function ProjectLink({ id, name, range }: ProjectLinkProps) {
  const isPinned = usePins().some(({ projectId }) => projectId === id);
  return (
    <>
      <Link
        to="/projects/$projectId"
        params={{ projectId: id }}
        search={writeTimeRange(range)}
        className={styles.name}
        title={revealHidden(name)}
      >
        <Name>{name}</Name>
      </Link>
      {isPinned && (
        <span className={styles.pin}>
          <Pin size={12} aria-hidden />
          <VisuallyHidden>pinned</VisuallyHidden>
        </span>
      )}
    </>
  );
}
