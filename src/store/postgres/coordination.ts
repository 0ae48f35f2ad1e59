/**
 * How servers on one PostgreSQL database coordinate: whoever has a job's lock leads it. Locks are those of one connection, which
 * nothing else uses; when it is lost, what is led is stopped before all else. Whoever gets a lock waits a moment before it begins, in
 * which whoever had it before hears that it has lost it. What is in flight then may end beside the first steps of the new leader:
 * each step of a job says itself whether it still holds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { nextMomentUs } from '#base/moment';
import type { Coordination, JobName, LedJob, Message } from '../coordination/port.ts';
import type { PostgresAddress } from '../engine/postgres-address.ts';
import { openClient } from './connect.ts';
import { CoordinationLink } from './coordination-link.ts';
import { decodeNotice, encodeNotice, type Notice } from './coordination-messages.ts';
import { passwordSource } from './passwords.ts';

/** With whom, and who is told what goes wrong. */
export interface PostgresCoordinationOptions {
  readonly address: PostgresAddress;
  /** Tells this server from the others. */
  readonly serverId: string;
  readonly onError: (message: string, error: unknown) => void;
  /** Of tests. */
  readonly times?: Partial<CoordinationTimes>;
}

/** In milliseconds. */
export interface CoordinationTimes {
  /** How often a job is asked for that another server leads, and whether the connection holds. */
  readonly lookMs: number;
  /** A server that does not answer for so long is lost. With `lookMs` it must be less than PostgreSQL takes to see the same. */
  readonly answerMs: number;
  /** Between getting a lock and beginning. */
  readonly settleMs: number;
  /** How often what is led is woken, whatever messages were lost. */
  readonly wakeMs: number;
}

const TIMES: CoordinationTimes = { lookMs: 3000, answerMs: 5000, settleMs: 1000, wakeMs: 30_000 };

/** Begins to coordinate; connects, and connects again whenever the connection is lost, until it is closed. */
export class PostgresCoordination implements Coordination {
  readonly #options: PostgresCoordinationOptions;
  readonly #times: CoordinationTimes;
  readonly #password;
  readonly #jobs = new Map<JobName, Candidacy>();
  readonly #handlers: ((message: Message) => void)[] = [];
  readonly #closing = new AbortController();
  readonly #attempted = Promise.withResolvers<void>();
  readonly #outdated = Promise.withResolvers<string>();
  readonly #running: Promise<void>;
  #link: CoordinationLink | undefined;
  /** Ends the pause between two looks. */
  #looking = new AbortController();
  /** Whether others were not told something. */
  #isUntold = false;
  #wokenAtMs = 0;

  constructor(options: PostgresCoordinationOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
    this.#password = passwordSource(options.address);
    this.#running = this.#run();
  }

  /** Resolves when it hears others, or could not connect at first. */
  get attempted(): Promise<void> {
    return this.#attempted.promise;
  }

  get outdated(): Promise<string> {
    return this.#outdated.promise;
  }

  lead(job: JobName, begin: () => LedJob): void {
    this.#jobs.set(job, { begin, led: undefined, stopping: undefined });
    this.#looking.abort();
  }

  isLeading(job: JobName): boolean {
    return this.#jobs.get(job)?.led !== undefined;
  }

  wake(job: JobName): void {
    const led = this.#jobs.get(job)?.led;
    if (led === undefined) this.#tell({ kind: 'wake', job });
    else led.wake?.();
  }

  tell(message: Message): void {
    this.#tell(message);
  }

  onMessage(handler: (message: Message) => void): void {
    this.#handlers.push(handler);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopAll();
    await Promise.all([...this.#jobs.values()].flatMap(({ stopping }) => stopping ?? []));
    // Only now may others lead.
    if (this.#link === undefined || this.#link.isLost) return;
    await this.#link.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    // Once, until it is over.
    let isTold = false;
    for (let isFirst = true; !this.#isClosing; isFirst = false) {
      try {
        const link = await this.#connect();
        // What was told while nobody listened here.
        if (!isFirst) await this.#forgetMarks(link);
        this.#attempted.resolve();
        while (!this.#isClosing) {
          link.lost.throwIfAborted();
          await this.#look(link);
          retryMs = FIRST_RETRY_MS;
          isTold = false;
        }
      } catch (error) {
        if (!this.#isClosing && !isTold) {
          this.#options.onError('servers on this database cannot coordinate for now', error);
          isTold = true;
        }
      }
      this.#attempted.resolve();
      // While jobs are stopped for good, their locks are held.
      if (this.#isClosing) return;
      await this.#pause(varied(retryMs));
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    }
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  async #connect(): Promise<CoordinationLink> {
    const client = await openClient(this.#options.address, 'write', this.#password);
    const listener = {
      onPayload: (payload: string) => this.#hear(decodeNotice(payload, this.#options.serverId)),
      onLost: () => this.#stopAll(),
    };
    const link = await CoordinationLink.open(client, listener, this.#times.answerMs);
    if (this.#isClosing) await link.close();
    this.#link = link;
    return link;
  }

  /** Takes what nobody else leads, and waits until it is time to look again. */
  async #look(link: CoordinationLink): Promise<void> {
    this.#looking = new AbortController();
    await link.followClock();
    if (this.#isUntold) {
      await this.#forgetMarks(link);
      this.#isUntold = false;
    }
    const taken: Candidacy[] = [];
    for (const [job, candidacy] of this.#jobs) {
      const isIdle = candidacy.led === undefined && candidacy.stopping === undefined;
      if (isIdle && (await link.tryLock(job))) taken.push(candidacy);
    }
    if (taken.length > 0) await this.#pause(this.#times.settleMs, link.lost);
    const newer = await link.findNewerChange();
    if (link.isLost || this.#isClosing) return;
    if (newer === undefined) {
      for (const candidacy of taken) candidacy.led = candidacy.begin();
      this.#wakeNowAndThen();
    } else {
      // Locks are held until all has stopped.
      this.#stopAll();
      this.#outdated.resolve(newer);
    }
    await this.#pause(varied(this.#times.lookMs), link.lost, this.#looking.signal);
  }

  /** Here and on all other servers alike. */
  async #forgetMarks(link: CoordinationLink): Promise<void> {
    const notice = { kind: 'anything', changedAtUs: nextMomentUs() } as const;
    await link.notify(encodeNotice(this.#options.serverId, notice));
    this.#hear(notice);
  }

  #wakeNowAndThen(): void {
    const nowMs = performance.now();
    if (nowMs - this.#wokenAtMs < this.#times.wakeMs) return;
    this.#wokenAtMs = nowMs;
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const { led } of this.#jobs.values()) led?.wake?.();
  }

  #stopAll(): void {
    for (const [job, candidacy] of this.#jobs) {
      const { led } = candidacy;
      if (led === undefined) continue;
      candidacy.led = undefined;
      // Until it has stopped it is not begun again.
      candidacy.stopping = led
        .stop()
        .catch((error: unknown) => this.#options.onError(`${job} could not be stopped in order`, error))
        .finally(() => {
          candidacy.stopping = undefined;
          this.#looking.abort();
        });
    }
  }

  #hear(notice: Notice | undefined): void {
    if (notice === undefined) return;
    if (notice.kind === 'wake') return this.#jobs.get(notice.job)?.led?.wake?.();
    if (notice.kind === 'migrated') return this.#looking.abort();
    if (notice.kind === 'anything') this.#wakeAll();
    for (const handler of this.#handlers) handler(notice);
  }

  #tell(notice: Notice): void {
    const link = this.#link;
    if (link === undefined || link.isLost || link.pendingCount >= MAX_PENDING) this.#isUntold = true;
    else {
      link.notify(encodeNotice(this.#options.serverId, notice)).catch(() => {
        this.#isUntold = true;
      });
    }
  }

  async #pause(ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, ...signals]);
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** A job that this server would lead, or leads. */
interface Candidacy {
  readonly begin: () => LedJob;
  led: LedJob | undefined;
  /** While it ends. */
  stopping: Promise<void> | undefined;
}

/** Servers that were started together do not ask together. */
function varied(ms: number): number {
  return ms * (0.75 + 0.5 * Math.random());
}

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5000;

/** Messages on their way; more would wait for a server that has no time for them. */
const MAX_PENDING = 100;
