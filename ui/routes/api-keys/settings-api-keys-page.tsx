import { useMemo } from 'react';
import { graphql } from 'react-relay';
import type { settingsApiKeysPageQuery } from '#ui/__generated__/settingsApiKeysPageQuery.graphql.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { readKey } from './api-key.ts';
import { KeysSection } from './keys-section.tsx';
import styles from './settings-api-keys-page.module.css';

const QUERY = graphql`
  query settingsApiKeysPageQuery {
    systemApiKeys {
      id
      createdBy {
        username
        email
      }
      ...apiKey_key
    }
    userApiKeys {
      id
      user {
        username
        email
      }
      ...apiKey_key
    }
  }
`;

/** All keys of the server, for administrators: those of the system, and those of people. */
export function SettingsApiKeysPage() {
  const { data, error, ask } = useAnswer<settingsApiKeysPageQuery>(QUERY, {}, 0);
  const system = useMemo(() => data?.systemApiKeys.map((key) => readKey(key, toPerson(key.createdBy))), [data]);
  const personal = useMemo(() => data?.userApiKeys.map((key) => readKey(key, toPerson(key.user))), [data]);
  const common = { error, onChange: ask };
  return (
    <div className={styles.content}>
      <KeysSection
        {...common}
        title="System keys"
        kind="system"
        keys={system}
        personHeader="Created by"
        canCreate
        emptyTitle="No system keys"
      >
        For programs that belong to nobody in particular. A system key outlives the account that created it.
      </KeysSection>
      <KeysSection
        {...common}
        title="Personal keys"
        kind="personal"
        keys={personal}
        personHeader="Owner"
        canCreate={false}
        emptyTitle="Nobody has a personal key"
      >
        The keys of all people. Everybody creates their own, in their profile.
      </KeysSection>
    </div>
  );
}

function toPerson(user: { readonly username: string; readonly email?: string | null } | null | undefined) {
  return user == null ? null : { username: user.username, email: user.email ?? null };
}
