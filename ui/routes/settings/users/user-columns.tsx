import type { usersPageRow_user$data } from '#ui/__generated__/usersPageRow_user.graphql.ts';
import { Avatar } from '#ui/components/avatar.tsx';
import { Badge } from '#ui/components/badge.tsx';
import { Checkbox } from '#ui/components/checkbox.tsx';
import { Count } from '#ui/components/count.tsx';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { Name } from '#ui/components/name.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { type Role, roleName } from '#ui/lib/viewer.ts';
import settingsStyles from '../settings.module.css';
import { UserMenu } from './user-menu.tsx';
import { useUserTools } from './user-tools.ts';
import styles from './users-page.module.css';

type User = usersPageRow_user$data;

/** The columns of the table of users. */
export const USER_COLUMNS: readonly TableColumn<User>[] = [
  { id: 'select', header: 'Select', size: 68, canHide: false, render: (user) => <SelectUser user={user} /> },
  { id: 'name', header: 'Name', size: 150, canHide: false, grows: true, render: (user) => <UserName user={user} /> },
  {
    id: 'email',
    header: 'Email',
    size: 168,
    grows: true,
    render: ({ email }) => <span className={settingsStyles.muted}>{email ?? '–'}</span>,
  },
  { id: 'role', header: 'Role', size: 110, render: ({ role }) => roleName(role.name as Role) },
  {
    id: 'method',
    header: 'Signs in with',
    size: 104,
    isHiddenAtFirst: true,
    render: ({ authMethod }) => describeMethod(authMethod),
  },
  { id: 'state', header: 'State', size: 140, render: (user) => <UserState user={user} /> },
  { id: 'keys', header: 'Keys', size: 56, align: 'end', render: ({ apiKeyCount }) => <Count value={apiKeyCount} /> },
  { id: 'created', header: 'Created', size: 92, render: ({ createdAt }) => <Timestamp value={createdAt} /> },
  {
    id: 'actions',
    header: 'Actions',
    size: 72,
    align: 'end',
    canHide: false,
    render: (user) => <UserMenu user={user} />,
  },
];

/** A user where there is no room for columns. */
export function renderUserCard(user: User) {
  return (
    <div className={settingsStyles.card}>
      <div className={settingsStyles.cardHead}>
        <SelectUser user={user} />
        <UserName user={user} />
        <span className={settingsStyles.spring} />
        <UserMenu user={user} />
      </div>
      <p className={settingsStyles.muted}>{user.email}</p>
      <div className={settingsStyles.cardFacts}>
        <span>{roleName(user.role.name as Role)}</span>
        {(user.isLocked || user.passwordNeedsReset) && <UserState user={user} />}
      </div>
    </div>
  );
}

/** How an account signs in. */
export function describeMethod(authMethod: string): string {
  return { LOCAL: 'Password', OAUTH2: 'Provider', LDAP: 'LDAP' }[authMethod] ?? authMethod;
}

/** What keeps a user from working as usual. */
export function UserState({ user }: { readonly user: Pick<User, 'isLocked' | 'passwordNeedsReset'> }) {
  if (user.isLocked)
    return (
      <span title="Too many wrong passwords. New browsers cannot sign in for some minutes">
        <Badge tone="danger">Locked</Badge>
      </span>
    );
  if (user.passwordNeedsReset)
    return (
      <span title="The user must choose a new password at the next sign-in">
        <Badge tone="warning">Temporary password</Badge>
      </span>
    );
  return <span className={settingsStyles.faint}>–</span>;
}

function UserName({ user: { id, username, profilePictureUrl } }: { readonly user: User }) {
  const { viewerId } = useUserTools();
  return (
    <span className={styles.name} title={revealHidden(username)}>
      <Avatar name={username} pictureUrl={profilePictureUrl ?? null} />
      <span className={settingsStyles.strong}>
        <Name>{username}</Name>
      </span>
      {id === viewerId && <span className={settingsStyles.faint}>you</span>}
    </span>
  );
}

function SelectUser({ user }: { readonly user: User }) {
  const { selected, select, limitsOf } = useUserTools();
  const { deletion } = limitsOf(user);
  return (
    <span title={deletion}>
      <Checkbox
        aria-label={`Select ${revealHidden(user.username)}`}
        isSelected={selected.has(user.id)}
        isDisabled={deletion !== undefined}
        onChange={(isSelected) => select(user.id, isSelected)}
      />
    </span>
  );
}
