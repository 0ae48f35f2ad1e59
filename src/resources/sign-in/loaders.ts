import { defineLoader, type Loader } from '#api/graphql/loader';
import { type LockableAccount, listLocked } from '#credentials/attempts';
import type { Services } from '../slice.ts';

/** Whether accounts are locked, for all that an answer names at once. */
export function createLockLoader(readPrimary: Services['readPrimary']): Loader<LockableAccount, boolean> {
  return defineLoader(
    async (caller, accounts) => {
      const locked = await listLocked(readPrimary(caller), accounts, Date.now() * 1000);
      return accounts.map(({ rowId }) => locked.has(rowId));
    },
    ({ rowId }) => String(rowId),
  );
}
