import { Link } from '@tanstack/react-router';
import { Activity, ArrowLeft, Layers, MessagesSquare } from 'lucide-react';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { Name } from '#ui/components/name.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { keepTime } from '../project/project-pages.ts';
import { useProjectView } from '../project/project-view.ts';
import type { Seen } from './use-seen.ts';
import { ofUser, spansOfUser } from './user-filters.ts';
import styles from './user-page.module.css';

interface UserHeaderProps {
  readonly userId: string;
  readonly seen: Seen | null | undefined;
}

/** Who it is, since when, and the ways to the tables of the project. */
export function UserHeader({ userId, seen }: UserHeaderProps) {
  const { projectId } = useProjectView();
  const lists = [
    { table: 'traces', label: 'Traces', icon: Activity, filter: ofUser(userId) },
    { table: 'spans', label: 'Spans', icon: Layers, filter: spansOfUser(userId) },
    { table: 'sessions', label: 'Sessions', icon: MessagesSquare, filter: ofUser(userId) },
  ] as const;
  return (
    <header className={styles.header}>
      <Link to="/projects/$projectId/users" params={{ projectId }} search={keepTime} className={styles.back}>
        <ArrowLeft size={14} aria-hidden />
        Users
      </Link>
      <h2 className={styles.name} title={revealHidden(userId)}>
        <Name>{userId}</Name>
      </h2>
      <CopyButton text={userId} label="Copy user id" />
      <dl className={styles.seen}>
        {seen != null && (
          <>
            <div>
              <dt>First seen</dt>
              <dd>
                <Timestamp value={seen.first} />
              </dd>
            </div>
            <div>
              <dt>Last seen</dt>
              <dd>
                <Timestamp value={seen.last} />
              </dd>
            </div>
          </>
        )}
      </dl>
      <nav aria-label="Tables of this user" className={styles.lists}>
        {lists.map(({ table, label, icon: Icon, filter }) => (
          <Link
            key={table}
            to={`/projects/$projectId/${table}`}
            params={{ projectId }}
            search={(search) => ({ ...keepTime(search), filter })}
            title={`All ${label.toLowerCase()} of this user, in the table of the project`}
          >
            <Icon size={14} aria-hidden />
            {label}
          </Link>
        ))}
      </nav>
    </header>
  );
}
