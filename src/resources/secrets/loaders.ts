/** Secrets, and who said them, read for all that an answer names at once. */
import { defineLoader, type Loader } from '#api/graphql/loader';
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { Account } from '#domain/account';
import type { Services } from '../slice.ts';
import { findAccounts } from '../users/queries.ts';
import { findSecrets, type StoredSecret } from './queries.ts';

/** The loaders; `undefined` where there is nothing. */
export interface SecretLoaders {
  /** By name. */
  readonly secret: Loader<string, StoredSecret | undefined>;
  readonly user: RowLoader<Account>;
}

/** The loaders on a handle. */
export function createSecretLoaders(read: Services['read']): SecretLoaders {
  return {
    secret: defineLoader(async (caller, names) => {
      const found = await findSecrets(read(caller), names);
      return names.map((name) => found.get(name));
    }),
    user: defineRowLoader((caller, rowIds) => findAccounts(read(caller), rowIds)),
  };
}
