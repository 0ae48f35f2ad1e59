import { Link } from '@tanstack/react-router';
import { Name } from '#ui/components/name.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { type TimeRange, writeTimeRange } from '#ui/lib/time-range.ts';
import styles from './projects-page.module.css';

interface ProjectLinkProps {
  readonly id: string;
  readonly name: string;
  readonly range: TimeRange;
}

/** Leads into a project, with the time that its figures are of. */
export function ProjectLink({ id, name, range }: ProjectLinkProps) {
  return (
    <Link
      to="/projects/$projectId"
      params={{ projectId: id }}
      search={writeTimeRange(range)}
      className={styles.name}
      title={revealHidden(name)}
    >
      <Name>{name}</Name>
    </Link>
  );
}
