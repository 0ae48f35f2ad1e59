/**
 * How servers on one PostgreSQL database coordinate: the server that has the lease of a job works on it, and renews the lease on a
 * connection that nothing else uses. A server that loses the connection, or cannot renew in time, stops its jobs before it does anything
 * else. A step in flight may then overlap with the first steps of the next server: each step checks itself whether it still holds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { nextMomentUs } from '#base/moment';
import type { Coordination, Message } from '../coordination/port.ts';
import { type BeginJob, HeldJobs } from '../jobs/held-jobs.ts';
import type { JobKind } from '../jobs/job.ts';
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
  /** How often leases are renewed, and jobs asked for that no server has. It varies by a quarter. */
  readonly lookMs: number;
  /** A database that does not answer for so long is lost. With `lookMs` it must be less than a lease. */
  readonly answerMs: number;
  /** With `lookMs`, how long a job stands still when its server is killed. */
  readonly leaseMs: number;
}

const TIMES: CoordinationTimes = { lookMs: 1500, answerMs: 3500, leaseMs: 6000 };

/** Begins to coordinate; connects, and connects again whenever the connection is lost, until it is closed. */
export class PostgresCoordination implements Coordination {
  readonly #options: PostgresCoordinationOptions;
  readonly #times: CoordinationTimes;
  readonly #password;
  readonly #held: HeldJobs;
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
  /** Stops all jobs when their leases are over. */
  #expiry: NodeJS.Timeout | undefined;

  constructor(options: PostgresCoordinationOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
    this.#held = new HeldJobs(options.onError);
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

  serve(kind: JobKind, begin: BeginJob): void {
    this.#held.serve(kind, begin);
    this.#looking.abort();
  }

  isRunning(kind: JobKind): boolean {
    return this.#held.isRunning(kind);
  }

  wake(kind: JobKind): void {
    if (!this.#held.wake(kind)) this.#tell({ kind: 'wake', job: kind });
  }

  announce(kind: JobKind): void {
    this.#looking.abort();
    this.#tell({ kind: 'wake', job: kind });
  }

  tell(message: Message): void {
    this.#tell(message);
  }

  onMessage(handler: (message: Message) => void): void {
    this.#handlers.push(handler);
  }

  async close(): Promise<void> {
    const { serverId } = this.#options;
    this.#closing.abort();
    const kinds = this.#held.kinds.filter((kind) => this.isRunning(kind));
    this.#stopAll();
    const link = this.#link;
    // Until all jobs have stopped, no other server may have them.
    const keeping = setInterval(() => {
      const kept = { kinds: [], exceptIds: [], keptIds: this.#held.stoppingIds };
      link?.renewLeases({ serverId, leaseMs: this.#times.leaseMs, ...kept }).catch(() => undefined);
    }, this.#times.lookMs);
    await this.#held.stopped();
    clearInterval(keeping);
    if (link === undefined || link.isLost) return;
    try {
      await link.releaseLeases(serverId);
      for (const job of kinds) await link.notify(encodeNotice(serverId, { kind: 'wake', job }));
    } catch {
      // Others have the jobs when the leases are over.
    }
    await link.close();
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

  /** Renews leases, takes jobs that no server has, and waits until it is time to look again. */
  async #look(link: CoordinationLink): Promise<void> {
    this.#looking = new AbortController();
    await link.followClock();
    if (this.#isUntold) {
      await this.#forgetMarks(link);
      this.#isUntold = false;
    }
    const newer = await link.findNewerChange();
    if (link.isLost || this.#isClosing) return;
    if (newer === undefined) await this.#renew(link);
    else {
      this.#stopAll();
      this.#outdated.resolve(newer);
    }
    await this.#pause(varied(this.#times.lookMs), link.lost, this.#looking.signal);
  }

  async #renew(link: CoordinationLink): Promise<void> {
    const { leaseMs } = this.#times;
    const askedAtMs = performance.now();
    const jobs = await link.renewLeases({
      serverId: this.#options.serverId,
      leaseMs,
      kinds: this.#held.kinds,
      exceptIds: this.#held.stoppingIds,
      keptIds: [],
    });
    if (link.isLost || this.#isClosing) return;
    const running = new Set(this.#held.ids);
    this.#held.hold(jobs.filter(({ id, isHeld, wasHeld }) => isHeld || (wasHeld && running.has(id))));
    // By the clock of the database the leases are over later.
    clearTimeout(this.#expiry);
    this.#expiry = setTimeout(() => this.#stopAll(), 0.9 * leaseMs - (performance.now() - askedAtMs)).unref();
  }

  /** Here and on all other servers alike. */
  async #forgetMarks(link: CoordinationLink): Promise<void> {
    const notice = { kind: 'anything', changedAtUs: nextMomentUs() } as const;
    await link.notify(encodeNotice(this.#options.serverId, notice));
    this.#hear(notice);
  }

  #stopAll(): void {
    clearTimeout(this.#expiry);
    if (this.#held.ids.length === 0) return;
    this.#held.hold([]);
    // What has stopped may be begun again, here or elsewhere.
    void this.#held.stopped().then(() => this.#looking.abort());
  }

  #hear(notice: Notice | undefined): void {
    if (notice === undefined) return;
    if (notice.kind === 'wake') {
      this.#held.wake(notice.job);
      return this.#looking.abort();
    }
    if (notice.kind === 'migrated') return this.#looking.abort();
    if (notice.kind === 'anything') this.#held.wake();
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

/** Servers that were started together do not ask together. */
function varied(ms: number): number {
  return ms * (0.75 + 0.5 * Math.random());
}

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5000;

/** Messages on their way; more would wait for a server that has no time for them. */
const MAX_PENDING = 100;
