import { graphql, readInlineData } from 'react-relay';
import type { apiKey_key$key } from '#ui/__generated__/apiKey_key.graphql.ts';

/** A key as its lists show it; its text is known to nobody any more. */
export interface ShownKey {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly operations: KeyOperations | null;
  /** Null where it reaches all. */
  readonly projects: readonly { readonly id: string; readonly name: string }[] | null;
  /** Whose it is, or who created it; null where that account is gone. */
  readonly person: KeyPerson | null;
}

/** What alone a key can do. */
export type KeyOperations = 'READ' | 'INGEST';

/** An account in a list of keys. */
export interface KeyPerson {
  readonly username: string;
  readonly email: string | null;
}

/** Who may have a key: people have personal keys, the system has keys for programs. */
export type KeyKind = 'personal' | 'system';

const FIELDS = graphql`
  fragment apiKey_key on ApiKey @inline {
    name
    description
    createdAt
    expiresAt
    lastUsedAt
    operations
    projects {
      id
      name
    }
  }
`;

/** Reads a key that a list selected. */
export function readKey({ id, ...ref }: apiKey_key$key & { readonly id: string }, person: KeyPerson | null): ShownKey {
  const { description, expiresAt, lastUsedAt, operations, projects, ...key } = readInlineData(FIELDS, ref);
  return {
    ...key,
    id,
    description: description ?? null,
    expiresAt: expiresAt ?? null,
    lastUsedAt: lastUsedAt ?? null,
    operations: operations === 'READ' || operations === 'INGEST' ? operations : null,
    projects: projects ?? null,
    person,
  };
}
