import { graphql } from 'react-relay';
import type { deleteUsersDialogMutation } from '#ui/__generated__/deleteUsersDialogMutation.graphql.ts';
import { Name } from '#ui/components/name.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { ConfirmDeletion } from '../../deletion/confirm-deletion.tsx';
import { useCommit } from '../../deletion/use-commit.ts';
import styles from './users-page.module.css';
import type { ActedUser } from './user-tools.ts';

/** Of more than these only the number is said. */
const MAX_NAMED = 6;

/** See {@link DeleteUsersDialog}. */
export interface DeleteUsersDialogProps {
  readonly users: readonly ActedUser[];
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks whether users are to be deleted, and deletes all of them or none. */
export function DeleteUsersDialog({ users, onClose, onDeleted }: DeleteUsersDialogProps) {
  const remove = useCommit<deleteUsersDialogMutation>(graphql`
    mutation deleteUsersDialogMutation($input: DeleteUsersInput!) {
      deleteUsers(input: $input) {
        userIds
      }
    }
  `);
  const [first] = users;
  const isOne = users.length === 1;
  const keyCount = users.reduce((sum, { apiKeyCount }) => sum + apiKeyCount, 0);
  const said = isOne ? revealHidden(first?.username ?? '') : `${formatExact(users.length)} users`;
  return (
    <ConfirmDeletion
      title={isOne ? 'Delete user' : 'Delete users'}
      verb={isOne ? 'Delete user' : `Delete ${formatExact(users.length)} users`}
      onClose={onClose}
      onConfirm={async () => {
        await remove({ input: { userIds: users.map(({ id }) => id) } });
        onClose();
        onDeleted();
        showToast({ tone: 'success', title: `${said} ${isOne ? 'was' : 'were'} deleted` });
      }}
    >
      <ul className={styles.named}>
        {users.slice(0, MAX_NAMED).map(({ id, username, email }) => (
          <li key={id}>
            <b>
              <Name>{username}</Name>
            </b>{' '}
            {email}
          </li>
        ))}
        {users.length > MAX_NAMED && <li>and {formatExact(users.length - MAX_NAMED)} more</li>}
      </ul>
      <p>
        This deletes {isOne ? 'the account' : 'these accounts'}, all sign-ins and{' '}
        {keyCount === 0 ? (
          'any personal API keys.'
        ) : (
          <>
            <b>
              {formatExact(keyCount)} personal API {nounOf(keyCount, 'keys')}
            </b>
            : programs that use {keyCount === 1 ? 'it' : 'them'} are refused at once.
          </>
        )}{' '}
        System keys, secrets and recorded data stay. This cannot be undone.
      </p>
    </ConfirmDeletion>
  );
}
