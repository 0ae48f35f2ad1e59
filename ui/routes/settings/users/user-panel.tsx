import { Link, useParams } from '@tanstack/react-router';
import { UserRoundX } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { graphql } from 'react-relay';
import type { userPanelQuery } from '#ui/__generated__/userPanelQuery.graphql.ts';
import { Avatar } from '#ui/components/avatar.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Name } from '#ui/components/name.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { isNodeId } from '#ui/lib/node-id.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { type Role, roleName } from '#ui/lib/viewer.ts';
import { GrantList } from '../../grants/grant-list.tsx';
import { DetailsFact, DetailsFacts, DetailsPanel, DetailsWays } from '../details-panel.tsx';
import settingsStyles from '../settings.module.css';
import { describeMethod, UserState } from './user-columns.tsx';
import { UserMenu } from './user-menu.tsx';
import styles from './users-page.module.css';

/** The user that the address names, with the personal keys. */
export function UserPanel() {
  // The last user stays until the next one is there.
  const userId = useDeferredValue(useParams({ strict: false }).userId ?? '');
  if (!isNodeId('User', userId)) return <NoUser />;
  return (
    <ErrorBoundary fallbackTitle="The user could not be loaded" resetKey={userId} missing={<NoUser />}>
      <FoundUser userId={userId} />
    </ErrorBoundary>
  );
}

function FoundUser({ userId }: { readonly userId: string }) {
  const [revocations, setRevocations] = useState(0);
  const { user } = useQuery<userPanelQuery>(
    graphql`
      query userPanelQuery($userId: ID!) {
        user: node(id: $userId) {
          ... on User @alias(as: "found") {
            id
            username
            email
            profilePictureUrl
            authMethod
            createdAt
            isLocked
            isManagementUser
            passwordNeedsReset
            apiKeyCount
            role {
              name
            }
            apiKeys {
              id
              name
              createdAt
              expiresAt
              lastUsedAt
            }
            oauth2Grants {
              id
              clientName
              isFirstParty
              createdAt
              expiresAt
              lastUsedAt
            }
          }
        }
      }
    `,
    { userId },
    { version: revocations, fetchPolicy: 'store-and-network' },
  );
  const { found } = user;
  if (found == null) return <NoUser />;
  return (
    <DetailsPanel
      label={`User ${found.username}`}
      table="/settings/users"
      title={
        <>
          <Avatar name={found.username} pictureUrl={found.profilePictureUrl ?? null} />
          <Name>{found.username}</Name>
        </>
      }
      actions={<UserMenu user={found} />}
    >
      <DetailsFacts>
        <DetailsFact label="Email">
          {found.email ?? '–'}
          {found.email != null && <CopyButton text={found.email} label="Copy email" />}
        </DetailsFact>
        <DetailsFact label="Role">
          {roleName(found.role.name as Role)}
          {found.isManagementUser && (
            <span className={settingsStyles.faint}> · built in or named by SERVICE_ADMINS</span>
          )}
        </DetailsFact>
        <DetailsFact label="Signs in with">{describeMethod(found.authMethod)}</DetailsFact>
        <DetailsFact label="State">
          <UserState user={found} />
        </DetailsFact>
        <DetailsFact label="Created">
          <Timestamp value={found.createdAt} style="full" />
        </DetailsFact>
      </DetailsFacts>
      <section aria-label="Personal API keys">
        <h3 className={styles.heading}>Personal API keys</h3>
        {found.apiKeys.length === 0 && <p className={settingsStyles.muted}>This user has no personal keys.</p>}
        <ul className={styles.keys}>
          {found.apiKeys.map((key) => (
            <li key={key.id} className={styles.key}>
              <span className={settingsStyles.strong}>
                <Name>{key.name}</Name>
              </span>
              <span className={settingsStyles.hint}>
                Created <Timestamp value={key.createdAt} /> ·{' '}
                {key.expiresAt == null ? (
                  'never expires'
                ) : (
                  <>
                    expires <Timestamp value={key.expiresAt} style="full" />
                  </>
                )}{' '}
                ·{' '}
                {key.lastUsedAt == null ? (
                  'never used'
                ) : (
                  <>
                    last used <Timestamp value={key.lastUsedAt} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Applications">
        <h3 className={styles.heading}>Applications</h3>
        {found.oauth2Grants.length === 0 && <p className={settingsStyles.muted}>This user let no application in.</p>}
        <GrantList grants={found.oauth2Grants} onRevoked={() => setRevocations((before) => before + 1)} />
      </section>
      <DetailsWays>
        <Link to="/settings/audit-log" search={{ user: found.id, userName: found.username }}>
          What this user did
        </Link>
        <Link to="/settings/audit-log" search={{ object: found.id, objectName: found.username }}>
          What was done to this account
        </Link>
      </DetailsWays>
    </DetailsPanel>
  );
}

function NoUser() {
  return (
    <DetailsPanel label="User" title="User" table="/settings/users">
      <EmptyState icon={UserRoundX} title="There is no such user">
        The account was deleted, or the address is mistyped.
      </EmptyState>
    </DetailsPanel>
  );
}
