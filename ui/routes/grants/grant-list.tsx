import { useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { Name } from '#ui/components/name.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import styles from './grant-list.module.css';
import { RevokeGrant } from './revoke-grant.tsx';

/** What is said of a grant. */
interface ShownGrant {
  readonly id: string;
  readonly clientName: string;
  readonly isFirstParty: boolean;
  readonly createdAt: string;
  readonly expiresAt?: string | null;
  readonly lastUsedAt?: string | null;
}

interface GrantListProps {
  readonly grants: readonly ShownGrant[];
  /** Reads them again. */
  readonly onRevoked: () => void;
}

/** The applications that a user let in, each with what ends it. */
export function GrantList({ grants, onRevoked }: GrantListProps) {
  const [revoked, setRevoked] = useState<ShownGrant>();
  return (
    <>
      <ul className={styles.list}>
        {grants.map((grant) => (
          <li key={grant.id} className={styles.grant}>
            <span>
              <b>
                <Name>{grant.clientName}</Name>
              </b>
              {grant.isFirstParty ? ' of this server' : ' · name not checked'}
              <span className={styles.hint}>
                Let in <Timestamp value={grant.createdAt} />
                {grant.lastUsedAt != null && (
                  <>
                    {' '}
                    · last renewed <Timestamp value={grant.lastUsedAt} />
                  </>
                )}
                {grant.expiresAt != null && (
                  <>
                    {' '}
                    · ends <Timestamp value={grant.expiresAt} style="full" />
                  </>
                )}
              </span>
            </span>
            <Button size="sm" onPress={() => setRevoked(grant)} aria-label={`Revoke ${grant.clientName}`}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {revoked !== undefined && (
        <RevokeGrant
          id={revoked.id}
          name={revoked.clientName}
          onRevoked={onRevoked}
          onClose={() => setRevoked(undefined)}
        />
      )}
    </>
  );
}
