import { useMemo } from 'react';
import { graphql } from 'react-relay';
import type { ownKeysQuery } from '#ui/__generated__/ownKeysQuery.graphql.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { readKey } from './api-key.ts';
import { KeysSection } from './keys-section.tsx';

const QUERY = graphql`
  query ownKeysQuery {
    viewer {
      apiKeys {
        id
        ...apiKey_key
      }
    }
  }
`;

/** The user's personal keys. */
export function OwnKeys() {
  const { data, error, ask } = useAnswer<ownKeysQuery>(QUERY, {}, 0);
  const keys = useMemo(() => data?.viewer?.apiKeys.map((key) => readKey(key, null)), [data]);
  return (
    <KeysSection
      title="API keys"
      kind="personal"
      keys={keys}
      error={error}
      onChange={ask}
      canCreate
      emptyTitle="You have no API keys"
    >
      Programs use your keys to act as you. A key can do at most what you can do, and it ends with your account.
    </KeysSection>
  );
}
