/**
 * Shares out the time of a thread among those who asked for its calls. Long work gives way between two pieces, and the asker that has
 * had the least time lately continues: first by caller, then by address, then by operation.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Asker } from '#base/asker';
import { type Account, Accounts } from './accounts.ts';

/** What a call runs until it gives way. */
const TURN_MS = 10;

/** Operations of one caller that have had less than a step go before those that have had more; those of one step in order of arrival. */
const STEPS_MS = [20, 500, 5000];

/** Calls that wait for something else than their turn, such as a statement on another server. */
const MAX_ACTIVE = 4;

/** Calls that have begun, each of which holds memory. The server's own begin all the same, and so do those of light callers and addresses. */
const MAX_BEGUN = 16;

/** What those have had of the thread lately. */
const LIGHT_MS = 100;

/** A call, from its arrival to its end. */
class Call {
  /** In order of arrival. */
  readonly number: number;
  readonly path: readonly Account[];
  readonly isOfServer: boolean;
  readonly signal: AbortSignal | undefined;
  isEnded = false;
  longestTurnMs = 0;
  #isActive = false;
  #sinceMs = 0;

  constructor(number: number, path: readonly Account[], isOfServer: boolean, signal: AbortSignal | undefined) {
    this.number = number;
    this.path = path;
    this.isOfServer = isOfServer;
    this.signal = signal;
  }

  get isActive(): boolean {
    return this.#isActive;
  }

  /** Of its turn. */
  elapsedMs(nowMs: number): number {
    return nowMs - this.#sinceMs;
  }

  activate(nowMs: number): void {
    this.#isActive = true;
    this.#sinceMs = nowMs;
  }

  /** Ends its turn, which counts for everybody on whose behalf it was. */
  rest(nowMs: number): void {
    this.#isActive = false;
    const elapsedMs = this.elapsedMs(nowMs);
    this.longestTurnMs = Math.max(this.longestTurnMs, elapsedMs);
    for (const account of this.path) account.charge(elapsedMs, nowMs);
  }
}

/** A call that waits for its turn: for its first, or for another. */
interface Waiting {
  readonly call: Call;
  readonly hasBegun: boolean;
  readonly resume: () => void;
}

const current = new AsyncLocalStorage<{ readonly turns: FairTurns; readonly call: Call }>();

/** To be awaited wherever work may be interrupted: others have their turn where it has taken long enough. @throws the caller's reason when it has gone meanwhile */
export async function giveWay(): Promise<void> {
  const now = performance.now();
  const running = current.getStore();
  if (running !== undefined) {
    if (running.call.elapsedMs(now) >= TURN_MS) await running.turns.rest(running.call);
  } else if (now - lastTurnMs >= TURN_MS) {
    await nextTurn();
    lastTurnMs = performance.now();
  }
}

/** What a call waits for that is not its turn, while others have theirs. */
export async function outOfTurn<Result>(wait: Promise<Result>): Promise<Result> {
  const running = current.getStore();
  return running === undefined ? wait : running.turns.pause(running.call, wait);
}

/** Of work that is no call. */
let lastTurnMs = 0;

/** The turns of one thread. */
export class FairTurns {
  readonly #accounts = new Accounts();
  readonly #waiting = new Set<Waiting>();
  #callCount = 0;
  #activeCount = 0;
  #begunCount = 0;
  #isDue = false;

  /**
   * The answer of the work, which begins when its turn has come.
   * @param onEnd hears how long the longest of its turns was
   * @throws the signal's reason when that ends the wait
   */
  async run<Answer>(
    asker: Asker | undefined,
    signal: AbortSignal | undefined,
    work: () => Answer | Promise<Answer>,
    onEnd?: (longestTurnMs: number) => void,
  ): Promise<Answer> {
    const call = new Call(++this.#callCount, this.#accounts.pathOf(asker), asker === undefined, signal);
    if (this.#waiting.size > 0 || !this.#mayBegin(call)) await this.#wait(call, false);
    this.#begunCount++;
    this.#activate(call);
    try {
      return await current.run({ turns: this, call }, async () => work());
    } finally {
      this.#begunCount--;
      this.#deactivate(call);
      call.isEnded = true;
      onEnd?.(call.longestTurnMs);
      this.#schedule();
    }
  }

  /** Ends the turn of a call; returns when the next has come. */
  async rest(call: Call): Promise<void> {
    this.#deactivate(call);
    await this.#wait(call, true);
    // A part of a call may outlive it.
    if (!call.isEnded) this.#activate(call);
  }

  /** Ends the turn of a call until what it waits for is there. */
  async pause<Result>(call: Call, wait: Promise<Result>): Promise<Result> {
    this.#deactivate(call);
    this.#schedule();
    try {
      return await wait;
    } finally {
      if (!call.isEnded) this.#activate(call);
    }
  }

  #wait(call: Call, hasBegun: boolean): Promise<void> {
    const { signal } = call;
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      this.#waiting.delete(waiting);
      reject(signal?.reason as Error);
    };
    const waiting: Waiting = {
      call,
      hasBegun,
      resume: () => {
        this.#waiting.delete(waiting);
        signal?.removeEventListener('abort', leave);
        resolve();
      },
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#waiting.add(waiting);
    this.#schedule();
    return promise;
  }

  #mayBegin({ isOfServer, path }: Call): boolean {
    if (isOfServer) return true;
    if (this.#activeCount >= MAX_ACTIVE) return false;
    const nowMs = performance.now();
    return this.#begunCount < MAX_BEGUN || path.slice(0, -1).some((share) => share.spentMs(nowMs) <= LIGHT_MS);
  }

  #activate(call: Call): void {
    if (!call.isActive) this.#activeCount++;
    call.activate(performance.now());
  }

  #deactivate(call: Call): void {
    if (!call.isActive) return;
    this.#activeCount--;
    call.rest(performance.now());
  }

  /** One turn between two looks at what has arrived. */
  #schedule(): void {
    if (this.#isDue || this.#waiting.size === 0) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      const next = this.#findNext();
      // Where none may go on, the end of a turn or of a call is what changes that, and looking until then would keep a core busy.
      if (next === undefined) return;
      next.resume();
      if (this.#activeCount < MAX_ACTIVE) this.#schedule();
    });
  }

  #findNext(): Waiting | undefined {
    const nowMs = performance.now();
    let next: Waiting | undefined;
    for (const one of this.#waiting) {
      const mayGo = one.hasBegun ? this.#activeCount < MAX_ACTIVE : this.#mayBegin(one.call);
      if (mayGo && (next === undefined || isBefore(one, next, nowMs))) next = one;
    }
    return next;
  }
}

/** Whether one goes before another. */
function isBefore(one: Waiting, other: Waiting, nowMs: number): boolean {
  // What the server asks itself is short: it begins at once, and shares time like others where it is not.
  const [isFirst, isOtherFirst] = [one, other].map(({ call, hasBegun }) => call.isOfServer && !hasBegun);
  if (isFirst !== isOtherFirst) return isFirst === true;
  for (const [level, account] of one.call.path.entries()) {
    const opposite = other.call.path[level];
    if (opposite === undefined || opposite === account) continue;
    const [spentMs, otherMs] = [account.spentMs(nowMs), opposite.spentMs(nowMs)];
    if (level < one.call.path.length - 1) return spentMs < otherMs;
    const [step, otherStep] = [stepOf(spentMs), stepOf(otherMs)];
    if (step !== otherStep) return step < otherStep;
    break;
  }
  // What has begun is brought to its end: it holds memory.
  return one.hasBegun === other.hasBegun ? one.call.number < other.call.number : one.hasBegun;
}

function stepOf(spentMs: number): number {
  const step = STEPS_MS.findIndex((endsMs) => spentMs < endsMs);
  return step === -1 ? STEPS_MS.length : step;
}
