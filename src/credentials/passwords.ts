import { type ResourceLimits, Worker } from 'node:worker_threads';
import { AppError } from '#base/errors';
import { threadEntry } from '#base/thread-entry';
import { Thread, type ThreadOptions } from '#store/threads/thread';
import type { PasswordCalls } from './password-thread.ts';
import type { PasswordCheck, Passwords, StoredPassword } from './port.ts';

/**
 * Hashes and checks passwords on one thread, which is there while it has something to do. It takes one password at a time, so a
 * flood of them takes one core at a low priority, and no more memory than one.
 */
export class PasswordThread implements Passwords {
  readonly #thread: Thread<PasswordCalls>;

  constructor(watchers: Pick<ThreadOptions, 'onDeath' | 'onLog'>) {
    const spawn = () => new Worker(threadEntry(import.meta.url, 'password-thread'), { resourceLimits: LIMITS });
    this.#thread = new Thread<PasswordCalls>({ ...watchers, spawn, endAfterIdleMs: IDLE_MS });
  }

  async hash(password: string): Promise<StoredPassword> {
    this.#assertRoom();
    return this.#thread.call('hash', [password]);
  }

  async verify(password: string, stored: StoredPassword | null): Promise<PasswordCheck> {
    this.#assertRoom();
    return this.#thread.call('verify', [password, stored]);
  }

  /** Finishes what was asked for, and takes no more. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  #assertRoom(): void {
    if (this.#thread.pendingCount < MAX_WAITING) return;
    throw new AppError('resource_exhausted', 'Too many passwords are being checked; try again in a moment.', {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
}

/** Eight seconds of work, which is as long as a person waits. */
const MAX_WAITING = 64;
const RETRY_SECONDS = 5;

/** It makes next to no garbage. */
const LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 12 };

/** People who mistyped a password try again soon. */
const IDLE_MS = 60_000;
