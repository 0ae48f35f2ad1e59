/** How often clients and accounts may try what costs work or reveals something; kept in memory, by each server for itself. */
import { isIP } from 'node:net';
import { AppError } from '#base/errors';

/** What is tried at an account; each has a budget of its own. */
export type AccountAction = 'sign-in' | 'refresh' | 'sign-out' | 'reset request' | 'reset';

/** What clients try. Of a sign-in with a provider, the account shows only when the provider has answered. */
export type RatedAction = AccountAction | 'provider sign-in' | 'provider answer' | 'authorize' | 'token';

/** A bucket of attempts that fills up again. */
interface Budget {
  readonly burst: number;
  /** How long one attempt takes to come back. */
  readonly everyMs: number;
}

const BY_CLIENT: Readonly<Record<RatedAction, Budget>> = {
  'sign-in': { burst: 12, everyMs: 5000 },
  refresh: { burst: 60, everyMs: 1000 },
  'sign-out': { burst: 30, everyMs: 2000 },
  'reset request': { burst: 12, everyMs: 5000 },
  reset: { burst: 12, everyMs: 5000 },
  'provider sign-in': { burst: 12, everyMs: 5000 },
  'provider answer': { burst: 12, everyMs: 5000 },
  authorize: { burst: 30, everyMs: 2000 },
  token: { burst: 12, everyMs: 5000 },
};

/**
 * An account is used by several browsers, and mail to it is read by one person: a stranger who asks for it all the time, each mail of
 * which ends the link of the one before, must leave that person the time to use one.
 */
const BY_ACCOUNT: Readonly<Record<AccountAction, Budget>> = {
  'sign-in': { burst: 24, everyMs: 5000 },
  refresh: { burst: 60, everyMs: 1000 },
  'sign-out': { burst: 30, everyMs: 2000 },
  'reset request': { burst: 3, everyMs: 600_000 },
  reset: { burst: 12, everyMs: 5000 },
};

/** Counts attempts. */
export class RateLimits {
  readonly #isOn: boolean;
  readonly #buckets = new Map<string, Buckets>();
  readonly #nowMs: () => number;

  constructor(isOn: boolean, nowMs: () => number = () => performance.now()) {
    this.#isOn = isOn;
    this.#nowMs = nowMs;
  }

  /**
   * Counts an attempt of a client. Those of an IPv6 network of 64 bits, which one client has to itself, count together, as do those
   * of unknown addresses.
   * @throws AppError `resource_exhausted`
   */
  countClient(action: RatedAction, address: string | undefined): void {
    this.#count(`client ${action}`, BY_CLIENT[action], address === undefined ? '' : networkOf(address));
  }

  /** Counts an attempt at an account, whether there is one or not. @throws AppError `resource_exhausted` */
  countAccount(action: AccountAction, account: string): void {
    this.#count(`account ${action}`, BY_ACCOUNT[action], account);
  }

  /** Counts an application that a client registers. @throws AppError `resource_exhausted` */
  countRegistration(address: string | undefined, perHour: number): void {
    const budget = { burst: perHour, everyMs: 3_600_000 / perHour };
    this.#count('registration', budget, address === undefined ? '' : networkOf(address));
  }

  #count(name: string, budget: Budget, key: string): void {
    if (!this.#isOn) return;
    const buckets = this.#buckets.get(name) ?? new Buckets(budget);
    this.#buckets.set(name, buckets);
    const waitMs = buckets.take(key, this.#nowMs());
    if (waitMs === 0) return;
    const retryAfterSeconds = Math.ceil(waitMs / 1000);
    throw new AppError('resource_exhausted', `Too many requests. Try again in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
    });
  }
}

/** The buckets of one budget: as many as there is memory for, those that were used last. */
class Buckets {
  readonly #budget: Budget;
  /** When each will be full again, in the order of their use. */
  readonly #fullAtMs = new Map<string, number>();

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Takes one attempt; how long to wait where none is left. */
  take(key: string, nowMs: number): number {
    const { burst, everyMs } = this.#budget;
    const fullAtMs = Math.max(this.#fullAtMs.get(key) ?? 0, nowMs) + everyMs;
    const waitMs = fullAtMs - nowMs - burst * everyMs;
    if (waitMs > 0) return waitMs;
    this.#fullAtMs.delete(key);
    this.#fullAtMs.set(key, fullAtMs);
    const oldest = this.#fullAtMs.keys().next();
    if (this.#fullAtMs.size > MAX_BUCKETS && oldest.done !== true) this.#fullAtMs.delete(oldest.value);
    return 0;
  }
}

/** For each budget; some megabytes together. */
const MAX_BUCKETS = 10_000;

/** The first 64 bits of an IPv6 address; an IPv4 address as a whole. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [start = '', end] = address.split('::');
  const groups = start === '' ? [] : start.split(':');
  const following = end === undefined || end === '' ? [] : end.split(':');
  // An IPv4 address at the end stands for two groups.
  const given = groups.length + following.length + (following.at(-1)?.includes('.') === true ? 1 : 0);
  const all = [...groups, ...Array<string>(end === undefined ? 0 : 8 - given).fill('0'), ...following];
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
