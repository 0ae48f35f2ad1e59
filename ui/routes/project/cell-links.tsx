import { Link } from '@tanstack/react-router';
import { Name } from '#ui/components/name.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { encodeUserId } from '../app-users/user-address.ts';
import { Missing } from './cells.tsx';
import styles from './cells.module.css';
import { keepTime } from './project-pages.ts';

interface SessionLinkProps {
  /** As the application calls it. */
  readonly name: string | null | undefined;
  /** Global node id. */
  readonly nodeId: string | null | undefined;
  readonly projectId: string;
}

/** The name of a session, which leads to it. */
export function SessionLink({ name, nodeId, projectId }: SessionLinkProps) {
  if (name == null || name === '') return <Missing />;
  if (nodeId == null) return <Name>{name}</Name>;
  return (
    <Link
      to="/projects/$projectId/sessions/$sessionId"
      params={{ projectId, sessionId: nodeId }}
      search={({ range, start, end }) => ({ range, start, end })}
      tabIndex={-1}
      className={styles.link}
      title={revealHidden(name)}
    >
      <Name>{name}</Name>
    </Link>
  );
}

interface UserLinkProps {
  readonly userId: string | null | undefined;
  readonly projectId: string;
  /** Whether it stands in a table, where arrow keys lead from row to row and many links look like text. */
  readonly isCell?: boolean;
}

/** The name of a user, which leads to the user's page. */
export function UserLink({ userId, projectId, isCell = false }: UserLinkProps) {
  if (userId == null || userId === '') return <Missing />;
  return (
    <Link
      to="/projects/$projectId/users/$userParam"
      params={{ projectId, userParam: encodeUserId(userId) }}
      search={keepTime}
      tabIndex={isCell ? -1 : undefined}
      className={isCell ? styles.link : undefined}
      title={revealHidden(userId)}
    >
      <Name>{userId}</Name>
    </Link>
  );
}
