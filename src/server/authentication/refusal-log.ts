/**
 * What is refused, for the audit log: summed by caller, address, operation, object and minute, and bounded in number, so that nobody
 * fills the log by being refused.
 */
import type { RefusedAttempt, Refusals } from '#credentials/port';
import { type Caller, keyOfPerson } from '#domain/caller';
import type { Refusal } from '#store/commands/audit';

/** What it works with. Times are in milliseconds. */
export interface RefusalLogOptions {
  /** Writes them down. */
  readonly record: (refusals: readonly Refusal[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** Microseconds since the Unix epoch. */
  readonly now?: () => number;
  readonly everyMs?: number;
  /** Kinds of refusals that are told apart between two writes; the others are summed by their operation. */
  readonly maxKinds?: number;
  /** Rows that a day may leave; what comes after them is summed in one row a minute. */
  readonly maxRowsOfDay?: number;
}

/** Counts in memory, and writes once a minute and when it is closed. */
export class RefusalLog implements Refusals {
  readonly #options: Required<RefusalLogOptions>;
  readonly #timer: NodeJS.Timeout;
  #counts = new Map<string, Counted>();
  #day = 0;
  #rowsOfDay = 0;

  constructor(options: RefusalLogOptions) {
    this.#options = { now: () => Date.now() * 1000, everyMs: 60_000, maxKinds: 1000, maxRowsOfDay: 50_000, ...options };
    this.#timer = setInterval(() => void this.flush(), this.#options.everyMs);
    this.#timer.unref();
  }

  note({ caller, operation, objectType, objectId = null, objectName = null }: RefusedAttempt): void {
    const name = objectName?.slice(0, MAX_NAME) ?? null;
    const object = objectType === undefined ? null : { type: objectType, id: objectId, name };
    this.#count({ caller, operation, object, occurredAtUs: this.#options.now(), count: 1 });
  }

  /** Writes what was counted; what cannot be written is counted on. */
  async flush(): Promise<void> {
    const counted = [...this.#counts.values()];
    this.#counts = new Map();
    if (counted.length === 0) return;
    try {
      await this.#options.record(counted);
      this.#rowsOfDay += counted.length;
    } catch (error) {
      this.#options.onError(error);
      for (const refusal of counted) this.#count(refusal);
    }
  }

  /** Writes the rest. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #count(refusal: Refusal): void {
    const { kind, key } = this.#kindOf(refusal);
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { ...kind });
    else known.count += refusal.count;
  }

  /** What it is counted as: itself, or one of many of its operation, or one of many. */
  #kindOf(refusal: Refusal): { readonly kind: Refusal; readonly key: string } {
    const { maxKinds, maxRowsOfDay } = this.#options;
    this.#beginDay(refusal.occurredAtUs);
    const key = keyOf(refusal);
    if (this.#counts.has(key)) return { kind: refusal, key };
    if (this.#rowsOfDay + this.#counts.size >= maxRowsOfDay) return summed(refusal, OTHERS);
    return this.#counts.size < maxKinds ? { kind: refusal, key } : summed(refusal, refusal.operation);
  }

  #beginDay(nowUs: number): void {
    const day = Math.floor(nowUs / DAY_US);
    if (day === this.#day) return;
    this.#day = day;
    this.#rowsOfDay = 0;
  }
}

type Counted = Omit<Refusal, 'count'> & { count: number };

/** The operation of a row that sums refusals of all of them. */
const OTHERS = 'audit.otherRefusals';

/** Somebody's wrong user name may be of any length. */
const MAX_NAME = 200;

const DAY_US = 24 * 60 * 60_000_000;

function summed({ occurredAtUs, count }: Refusal, operation: string) {
  const kind: Refusal = { caller: MANY, operation, object: null, occurredAtUs, count };
  return { kind, key: `many ${operation}` };
}

/** Stands for all callers that a sum does not name. */
const MANY: Caller = { kind: 'nobody', role: null };

function keyOf({ caller, operation, object }: Refusal): string {
  const { kind, address } = caller;
  const rowId = 'rowId' in caller ? caller.rowId : null;
  const keyRowId = keyOfPerson(caller)?.keyRowId ?? null;
  return JSON.stringify([kind, rowId, keyRowId, address, operation, object]);
}
