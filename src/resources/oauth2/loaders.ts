/** Grants, read for all that an answer names at once, from where they are sure to be. */
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { Account } from '#domain/account';
import type { Grant } from '#domain/application';
import type { Services } from '../slice.ts';
import { findAccounts } from '../users/queries.ts';
import { findGrants, findGrantsOfUsers } from './queries.ts';

/** The loaders; `undefined` where there is nothing. */
export interface GrantLoaders {
  readonly account: RowLoader<Account>;
  readonly grant: RowLoader<Grant>;
  readonly grantsOfAccount: RowLoader<readonly Grant[]>;
}

/** The loaders on a handle. */
export function createGrantLoaders(read: Services['readPrimary']): GrantLoaders {
  const nowUs = () => Date.now() * 1000;
  return {
    account: defineRowLoader((caller, rowIds) => findAccounts(read(caller), rowIds)),
    grant: defineRowLoader((caller, rowIds) => findGrants(read(caller), rowIds, nowUs())),
    grantsOfAccount: defineRowLoader((caller, rowIds) => findGrantsOfUsers(read(caller), rowIds, nowUs())),
  };
}
