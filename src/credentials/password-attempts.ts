/** What stands between a password that somebody gives and the work of checking it. */
import type { Kysely } from 'kysely';
import { AppError } from '#base/errors';
import type { Caller } from '#domain/caller';
import type { Tables } from '#store/schema/tables';
import { guardCaller } from './acting-callers.ts';
import { type CountedAttempt, findLock, type Locked } from './attempts.ts';

/** The commands that count. */
export interface AttemptCalls {
  readonly countAttempt: (caller: Caller, input: { subject: string; maximum: number }) => Promise<CountedAttempt>;
  readonly takeBackAttempt: (caller: Caller, input: { subject: string }) => Promise<void>;
  readonly lock: (caller: Caller, input: { subject: string; userRowId: number | null }) => Promise<void>;
}

/** What attempts are counted with. */
export interface AttemptOptions {
  readonly calls: AttemptCalls;
  /** Reads the primary. */
  readonly db: Kysely<Tables>;
  /** Attempts in a row that lock; `null` never locks. */
  readonly maximum: number | null;
}

/** An attempt to be made. */
export interface AttemptOf {
  readonly caller: Caller;
  /** What it is counted for, see `attempts.ts`. */
  readonly subject: string;
  /** The account, where there is one. */
  readonly userRowId: number | null;
}

/** Counts attempts before they are made, for all servers on the same data. */
export class PasswordAttempts {
  readonly #options: AttemptOptions;

  constructor(options: AttemptOptions) {
    this.#options = options;
  }

  /**
   * Makes an attempt: what `check` gives, `null` for a wrong password. That what it was counted for is forgotten when it succeeds
   * (`forgetAttempts`) is left to the command that follows from it.
   * @throws AppError `resource_exhausted` after too many wrong ones; whatever `check` throws, which does not count
   */
  async make<Result>(attempt: AttemptOf, check: () => Promise<Result | null>): Promise<Result | null> {
    const { maximum, calls } = this.#options;
    if (maximum === null) return check();
    const { subject, userRowId } = attempt;
    const guard = guardCaller(attempt.caller);
    // Asked before, so that a flood of attempts at what is locked writes nothing.
    const locked = await findLock(this.#options.db, subject, Date.now() * 1000);
    if (locked !== null) throw lockedOut(locked);
    const counted = await calls.countAttempt(guard, { subject, maximum });
    if (counted.kind === 'locked') throw lockedOut(counted);
    const result = await check().catch(async (error: unknown) => {
      await calls.takeBackAttempt(guard, { subject });
      throw error;
    });
    if (result === null && counted.isLast) await calls.lock(guard, { subject, userRowId });
    return result;
  }
}

function lockedOut({ untilUs }: Locked): AppError {
  const retryAfterSeconds = Math.max(Math.ceil((untilUs - Date.now() * 1000) / 1e6), 1);
  return new AppError('resource_exhausted', 'Too many wrong passwords. Try again later.', { retryAfterSeconds });
}
