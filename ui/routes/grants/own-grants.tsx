import { AppWindow } from 'lucide-react';
import { useId } from 'react';
import { graphql } from 'react-relay';
import type { ownGrantsQuery } from '#ui/__generated__/ownGrantsQuery.graphql.ts';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorState } from '#ui/components/error-state.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { useAnswer } from '#ui/lib/use-answer.ts';
import keysStyles from '../api-keys/keys-section.module.css';
import { GrantList } from './grant-list.tsx';

const QUERY = graphql`
  query ownGrantsQuery {
    viewer {
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
`;

/** The applications that the user let in. */
export function OwnGrants() {
  const { data, error, ask } = useAnswer<ownGrantsQuery>(QUERY, {}, 0);
  const grants = data?.viewer?.oauth2Grants;
  const headingId = useId();
  return (
    <section className={keysStyles.section} aria-labelledby={headingId}>
      <header className={keysStyles.header}>
        <div className={keysStyles.said}>
          <h2 id={headingId} className={keysStyles.title}>
            Applications
          </h2>
          <p className={keysStyles.lead}>
            Applications that you let in act as you, until you revoke them, sign out or change your password.
          </p>
        </div>
      </header>
      {data === undefined && error === undefined && <Skeleton lines={2} height={16} />}
      {error !== undefined && <ErrorState title="The applications could not be loaded" error={error} onRetry={ask} />}
      {grants?.length === 0 && (
        <div className={keysStyles.empty}>
          <EmptyState icon={AppWindow} title="You have let no application in" />
        </div>
      )}
      {grants !== undefined && grants.length > 0 && <GrantList grants={grants} onRevoked={ask} />}
    </section>
  );
}
