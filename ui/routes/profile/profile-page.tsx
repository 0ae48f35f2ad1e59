import { UserRoundX } from 'lucide-react';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { PageHeader } from '#ui/components/page-header.tsx';
import { useViewer } from '#ui/lib/viewer.ts';
import { OwnKeys } from '../api-keys/own-keys.tsx';
import { OwnGrants } from '../grants/own-grants.tsx';
import { AccountSection } from './account-section.tsx';
import styles from './profile-page.module.css';

/** The user's account, keys and applications. */
export function ProfilePage() {
  const viewer = useViewer();
  return (
    <div className={styles.page}>
      <PageHeader title="Profile" />
      <div className={styles.scroller}>
        {viewer === null ? (
          <EmptyState icon={UserRoundX} title="This server has no accounts">
            Everybody who reaches it can use it. To ask for a sign-in, set <code>SERVICE_ENABLE_AUTH</code> and restart
            the server.
          </EmptyState>
        ) : (
          <div className={styles.content}>
            <AccountSection viewer={viewer} />
            <OwnKeys />
            <OwnGrants />
          </div>
        )}
      </div>
    </div>
  );
}
