import { AppError } from '#base/errors';
import type { RecordHandle } from './hooks.ts';
import { keepRows } from './keep-rows.ts';

/** Keeps the account that acts until the transaction ends; `null` for none. @throws AppError `unauthenticated` where it is deleted */
export async function keepAccount(scope: RecordHandle, userRowId: number | null): Promise<void> {
  if (userRowId !== null && (await keepRows(scope, 'users', [userRowId])).length === 0) {
    throw new AppError('unauthenticated', 'This account no longer exists.');
  }
}
