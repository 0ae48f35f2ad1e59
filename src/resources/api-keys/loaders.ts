/** Keys and their owners, read for all that an answer names at once, from where they are sure to be. */
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { Account } from '#domain/account';
import type { ApiKey } from '#domain/api-key';
import type { Services } from '../slice.ts';
import { findAccounts } from '../users/queries.ts';
import { findKeysOfUsers } from './queries.ts';

/** The loaders; `undefined` where there is nothing. */
export interface ApiKeyLoaders {
  readonly account: RowLoader<Account>;
  readonly keysOfAccount: RowLoader<readonly ApiKey[]>;
}

/** The loaders on a handle. */
export function createApiKeyLoaders(read: Services['readPrimary']): ApiKeyLoaders {
  return {
    account: defineRowLoader((caller, rowIds) => findAccounts(read(caller), rowIds)),
    keysOfAccount: defineRowLoader((caller, rowIds) => findKeysOfUsers(read(caller), rowIds)),
  };
}
