/** Errors of engines. */
import { AppError } from '#base/errors';

/**
 * Why a statement failed: no room, nobody who could answer, another one in its way, data that a newer version has taken over,
 * damage to what is stored, or the statement itself (its values, its text).
 */
export type StorageFault = 'full' | 'unavailable' | 'conflict' | 'outdated' | 'damaged' | 'statement';

/** A statement that an engine did not run to its end; `cause` is what its driver said. */
export class StorageError extends Error {
  readonly fault: StorageFault;
  /** What the engine itself calls it: of PostgreSQL the five characters, of SQLite the name of its code. */
  readonly state: string | undefined;

  constructor(fault: StorageFault, message: string, cause: unknown, state?: string) {
    super(message, { cause });
    this.name = 'StorageError';
    this.fault = fault;
    this.state = state;
  }
}

/** Whether the storage itself failed, and not what was asked of it: the same may succeed a moment later, of damage when it is mended. */
export function isStorageFailure(error: unknown): boolean {
  return error instanceof StorageError && error.fault !== 'statement';
}

/** Whether an error of reading says nothing of what was to be read, which can be read a moment later: there was no memory for it, or no answer. */
export function isPassing(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'unavailable';
  return isStorageFailure(error) && (error as StorageError).fault !== 'damaged';
}

/** Whether an error of this thread or of another says that what is stored is damaged: the same happens again until it is mended. */
export function isDamage(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'data_damaged';
  return error instanceof StorageError && error.fault === 'damaged';
}

/** Whether an error of this thread or of another says that the disk has no room for it. Less may fit. */
export function isFull(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'insufficient_storage';
  return error instanceof StorageError && error.fault === 'full';
}

/**
 * What somebody is told whose change was not made: to try again where the storage failed. A full disk stays what it is, so that
 * they are told to make room; so does damage, and whatever the change itself threw.
 */
export function toChangeError(error: unknown, message: string): unknown {
  const isSaid = error instanceof StorageError && (error.fault === 'full' || error.fault === 'damaged');
  if (isSaid || !isStorageFailure(error)) return error;
  return new AppError('unavailable', message, { cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Disk trouble often passes, and nobody should wait for longer than a moment. */
export const RETRY_AFTER_SECONDS = 5;
