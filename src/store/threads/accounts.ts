/** What each share of a thread's time was spent on lately. */
import type { Asker } from '#base/asker';

/** Milliseconds that are forgotten little by little, so that a share that was heavy once is not so for ever. */
export class Account {
  #spentMs = 0;
  #atMs = 0;

  /** What is still held against it. */
  spentMs(nowMs: number): number {
    return this.#spentMs * 2 ** ((this.#atMs - nowMs) / HALF_LIFE_MS);
  }

  charge(milliseconds: number, nowMs: number): void {
    this.#spentMs = this.spentMs(nowMs) + milliseconds;
    this.#atMs = nowMs;
  }
}

/** How long a newcomer goes before somebody who has had all of the time, at most. */
const HALF_LIFE_MS = 5000;

/** The accounts of a thread. */
export class Accounts {
  readonly #ofServer = new Account();
  readonly #byShare = new LastUsed<string>();
  readonly #byOperation = new LastUsed<number>();

  /** From the widest share to the operation itself. */
  pathOf(asker: Asker | undefined): readonly Account[] {
    if (asker === undefined) return [this.#ofServer];
    let name = '';
    const shares = asker.shares.map((share) => {
      name += `\n${share}`;
      return this.#byShare.find(name);
    });
    return [...shares, this.#byOperation.find(asker.operation)];
  }
}

class LastUsed<Key> {
  /** The one that was used longest ago first. */
  readonly #accounts = new Map<Key, Account>();

  find(key: Key): Account {
    const account = this.#accounts.get(key) ?? new Account();
    this.#accounts.delete(key);
    this.#accounts.set(key, account);
    if (this.#accounts.size > MAX_ACCOUNTS)
      for (const oldest of this.#accounts.keys().take(1)) this.#accounts.delete(oldest);
    return account;
  }
}

/** Far more than there are calls at a time. */
const MAX_ACCOUNTS = 5000;
