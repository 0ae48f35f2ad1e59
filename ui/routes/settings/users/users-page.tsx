import { useNavigate, useParams } from '@tanstack/react-router';
import { Trash2, UserPlus, Users } from 'lucide-react';
import { startTransition, useDeferredValue, useMemo, useRef, useState } from 'react';
import { graphql, useFragment, usePaginationFragment } from 'react-relay';
import type { usersPage_query$key } from '#ui/__generated__/usersPage_query.graphql.ts';
import type { usersPagePageQuery } from '#ui/__generated__/usersPagePageQuery.graphql.ts';
import type { usersPageQuery } from '#ui/__generated__/usersPageQuery.graphql.ts';
import type { usersPageRow_user$key } from '#ui/__generated__/usersPageRow_user.graphql.ts';
import type { usersPageUnlockMutation } from '#ui/__generated__/usersPageUnlockMutation.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import type { DataTableHandle } from '#ui/components/data-table/data-table.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { useViewer } from '#ui/lib/viewer.ts';
import { useCommit } from '../../deletion/use-commit.ts';
import { SettingsActions } from '../settings-actions.tsx';
import { SettingsTable } from '../settings-table.tsx';
import { useLoadRest } from '../use-load-rest.ts';
import settingsStyles from '../settings.module.css';
import { TableWithDetails } from '../table-with-details.tsx';
import { AddDirectoryUserDialog } from './add-directory-user-dialog.tsx';
import { AddUserDialog } from './add-user-dialog.tsx';
import { ChangeRoleDialog } from './change-role-dialog.tsx';
import { DeleteUsersDialog } from './delete-users-dialog.tsx';
import { ResetPasswordDialog } from './reset-password-dialog.tsx';
import { renderUserCard, USER_COLUMNS } from './user-columns.tsx';
import { limitsOf } from './user-limits.ts';
import { type ActedUser, type UserAction, type UserTools, UserToolsContext } from './user-tools.ts';
import styles from './users-page.module.css';

const QUERY = graphql`
  query usersPageQuery {
    ...usersPage_query
  }
`;

/** All users are read: the search looks through what is there. */
const PAGE = graphql`
  fragment usersPage_query on Query
  @refetchable(queryName: "usersPagePageQuery")
  @argumentDefinitions(first: { type: "Int", defaultValue: 500 }, after: { type: "String" }) {
    users(first: $first, after: $after) @connection(key: "usersPage_users") {
      edges {
        node {
          id
          username
          email
          authMethod
          isLocked
          apiKeyCount
          role {
            name
          }
          ...usersPageRow_user
        }
      }
    }
  }
`;

const ROW = graphql`
  fragment usersPageRow_user on User {
    id
    username
    email
    profilePictureUrl
    authMethod
    createdAt
    isLocked
    passwordNeedsReset
    apiKeyCount
    role {
      name
    }
  }
`;

const UNLOCK = graphql`
  mutation usersPageUnlockMutation($input: UnlockUserInput!) {
    unlockUser(input: $input) {
      user {
        isLocked
      }
    }
  }
`;

/** The accounts of this server. */
export function UsersPage() {
  const [changeCount, setChangeCount] = useState(0);
  const [text, setText] = useState('');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [action, setAction] = useState<{ readonly action: UserAction; readonly users: readonly ActedUser[] }>();
  const [isAdding, setIsAdding] = useState(false);
  const [isPreparing, setIsPreparing] = useState(false);
  const table = useRef<DataTableHandle>(null);
  const field = useRef<HTMLInputElement>(null);
  const { userId: openId } = useParams({ strict: false });
  const navigate = useNavigate();
  const viewerId = useViewer()?.id;
  const all = useUsers(changeCount);
  const search = useDeferredValue(text.trim().toLowerCase());
  const users = all.filter((user) => `${user.username}\n${user.email ?? ''}`.toLowerCase().includes(search));
  const chosen = all.filter(({ id }) => selected.has(id));
  const unlock = useCommit<usersPageUnlockMutation>(UNLOCK);
  const reread = () => startTransition(() => setChangeCount((count) => count + 1));
  const canAdd = !serverConfig.basicAuthDisabled;
  const canPrepare = serverConfig.canPrepareDirectoryUsers;
  useShortcuts('Users', [
    ...(canAdd ? [{ keys: 'c', label: 'Add a user', run: () => setIsAdding(true) }] : []),
    { keys: '/', label: 'Search users', run: () => field.current?.focus() },
    { keys: 'j', label: 'Next row', run: () => table.current?.step(1) },
    { keys: 'k', label: 'Previous row', run: () => table.current?.step(-1) },
  ]);

  const tools = useMemo((): UserTools => {
    const unlockUser = (user: ActedUser) =>
      unlock({ input: { userId: user.id } }).then(
        () => showToast({ tone: 'success', title: `${revealHidden(user.username)} can sign in again` }),
        (error: unknown) =>
          showToast({ tone: 'danger', title: 'The user could not be unlocked', description: describeError(error) }),
      );
    return {
      selected,
      select: (id, isSelected) =>
        setSelected((before) => new Set(isSelected ? [...before, id] : [...before].filter((other) => other !== id))),
      limitsOf: (user) => limitsOf(user, viewerId, serverConfig.basicAuthDisabled),
      start: (started, user) =>
        started === 'unlock' ? void unlockUser(user) : setAction({ action: started, users: [user] }),
      viewerId,
    };
  }, [selected, viewerId, unlock]);

  function closeDeleted(): void {
    const gone = new Set(action?.users.map(({ id }) => id));
    setSelected((before) => new Set([...before].filter((id) => !gone.has(id))));
    if (openId !== undefined && gone.has(openId)) void navigate({ to: '/settings/users' });
    reread();
  }

  const [user] = action?.users ?? [];
  const close = () => setAction(undefined);
  return (
    <UserToolsContext value={tools}>
      <SettingsActions>
        {canPrepare && (
          <Button icon={UserPlus} onPress={() => setIsPreparing(true)}>
            Add directory user
          </Button>
        )}
        {canAdd && (
          <Button variant="primary" icon={UserPlus} shortcut="c" onPress={() => setIsAdding(true)}>
            Add user
          </Button>
        )}
      </SettingsActions>
      <TableWithDetails id="users">
        <section className={settingsStyles.rows} aria-label="Users">
          <div className={settingsStyles.toolbar}>
            <SearchField
              label="Search users by name or email"
              inputRef={field}
              shortcut="/"
              placeholder="Search users"
              value={text}
              onChange={setText}
              className={settingsStyles.search}
            />
            {chosen.length > 0 ? (
              <div className={styles.selection}>
                <output className={settingsStyles.count}>{formatExact(chosen.length)} selected</output>
                <Button icon={Trash2} onPress={() => setAction({ action: 'delete', users: chosen })}>
                  Delete…
                </Button>
                <Button variant="ghost" onPress={() => setSelected(new Set())}>
                  Clear selection
                </Button>
              </div>
            ) : (
              <span className={settingsStyles.count}>
                {formatExact(users.length)} {nounOf(users.length, 'users')}
              </span>
            )}
            {!canAdd && !canPrepare && (
              <>
                <span className={settingsStyles.spring} />
                <span className={settingsStyles.hint}>
                  Passwords are turned off on this server: no user can be added here.
                </span>
              </>
            )}
          </div>
          <SettingsTable
            ref={table}
            name="users"
            label="Users"
            columns={USER_COLUMNS}
            rows={users}
            useRow={useUserRow}
            renderCard={renderUserCard}
            openId={openId}
            onOpen={(id) =>
              void navigate({ to: '/settings/users/$userId', params: { userId: id }, replace: openId !== undefined })
            }
          >
            {users.length === 0 ? (
              <EmptyState
                icon={Users}
                title={`No user’s name or email contains “${text.trim()}”`}
                action={<Button onPress={() => setText('')}>Clear the search</Button>}
              />
            ) : undefined}
          </SettingsTable>
        </section>
      </TableWithDetails>
      {isPreparing && <AddDirectoryUserDialog onClose={() => setIsPreparing(false)} onAdded={reread} />}
      {isAdding && <AddUserDialog onClose={() => setIsAdding(false)} onAdded={reread} />}
      {action?.action === 'role' && user !== undefined && <ChangeRoleDialog user={user} onClose={close} />}
      {action?.action === 'password' && user !== undefined && <ResetPasswordDialog user={user} onClose={close} />}
      {action?.action === 'delete' && (
        <DeleteUsersDialog users={action.users} onClose={close} onDeleted={closeDeleted} />
      )}
    </UserToolsContext>
  );
}

function useUsers(changeCount: number) {
  const query = useQuery<usersPageQuery>(QUERY, {}, { version: changeCount, fetchPolicy: 'store-and-network' });
  const pages = usePaginationFragment<usersPagePageQuery, usersPage_query$key>(PAGE, query);
  useLoadRest(pages);
  const { edges } = pages.data.users;
  return useMemo(() => edges.map(({ node }) => node), [edges]);
}

function useUserRow(ref: usersPageRow_user$key) {
  return useFragment(ROW, ref);
}
