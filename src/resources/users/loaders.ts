/** Accounts, read for all that an answer names at once. */
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { Account } from '#domain/account';
import type { Services } from '../slice.ts';
import { findAccounts } from './queries.ts';

/** By row id; `undefined` where there is nothing. */
export function createAccountLoader(read: Services['read']): RowLoader<Account> {
  return defineRowLoader((caller, rowIds) => findAccounts(read(caller), rowIds));
}
