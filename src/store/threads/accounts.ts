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

/** The accounts of a thread, by share. */
export class Accounts {
  /** The one that was used longest ago first. */
  readonly #byName = new Map<string, Account>();

  /** From the widest share to the operation itself. */
  pathOf(asker: Asker | undefined): readonly Account[] {
    if (asker === undefined) return [this.#find(SERVER)];
    let name = 'for';
    const shares = asker.shares.map((share) => {
      name += `\n${share}`;
      return this.#find(name);
    });
    return [...shares, this.#find(`${name}\n#${asker.operation}`)];
  }

  #find(name: string): Account {
    const account = this.#byName.get(name) ?? new Account();
    this.#byName.delete(name);
    this.#byName.set(name, account);
    if (this.#byName.size > MAX_ACCOUNTS)
      for (const [oldest] of this.#byName.entries().take(1)) this.#byName.delete(oldest);
    return account;
  }
}

/** The server's own work. */
const SERVER = 'server';

/** Far more than there are calls at a time. */
const MAX_ACCOUNTS = 5000;
