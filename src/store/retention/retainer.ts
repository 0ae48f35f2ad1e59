/** Applies retention policies when they are due, from the main thread. What was due while no server ran is done at the next start. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { LedJob } from '../coordination/port.ts';
import type { DeletionRequest } from '../deletion/deletion.ts';
import type { DeletedTraces } from '../deletion/port.ts';
import type { Tables } from '../schema/tables.ts';
import { findDuePolicies, findFirstKept, listProjectsOf, markApplied, seedDefaultPolicy } from './due-traces.ts';
import type { RetentionPolicy } from '#domain/retention';

/** What it works with, and who is told of it. */
export interface RetainerOptions {
  readonly read: Kysely<Tables>;
  readonly write: Kysely<Tables>;
  readonly remove: (request: DeletionRequest) => Promise<DeletedTraces | undefined>;
  /** Told of each project that traces were deleted from. */
  readonly onApplied: (policy: RetentionPolicy, projectRowId: number, deleted: DeletedTraces) => void;
  readonly onError: (message: string, error: unknown) => void;
  /** Microseconds since the Unix epoch. */
  readonly now: () => number;
  /** Of the default policy where nobody has changed it yet. */
  readonly defaultDays: number;
  /** How often to look, in milliseconds. */
  readonly everyMs: number;
}

/** Looks until it is stopped. */
export class Retainer implements LedJob {
  readonly #options: RetainerOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #isSeeded = false;

  constructor(options: RetainerOptions) {
    this.#options = options;
  }

  /** Begins to look. */
  start(): void {
    this.#running ??= this.#lookAgainAndAgain();
  }

  /** Begins nothing more, and returns when what was begun is done. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Applies what is due now. */
  async look(): Promise<void> {
    const { read, write, now, defaultDays } = this.#options;
    const nowUs = now();
    if (!this.#isSeeded) await seedDefaultPolicy(write, defaultDays, nowUs);
    this.#isSeeded = true;
    for (const policy of await findDuePolicies(read, nowUs)) {
      if (!(await this.#apply(policy, nowUs))) return;
      await markApplied(write, policy.rowId, nowUs);
    }
  }

  async #lookAgainAndAgain(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.look().catch((error: unknown) => {
        if (!signal.aborted) this.#options.onError('retention policies could not be applied for now', error);
      });
      await sleep(this.#options.everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Whether it was applied to all projects, which it is not where everything is being stopped. */
  async #apply(policy: RetentionPolicy, nowUs: number): Promise<boolean> {
    if (!((policy.maxDays ?? 0) > 0 || (policy.maxCount ?? 0) > 0)) return true;
    for (let offset = 0; ; offset += PROJECTS_AT_ONCE) {
      const projects = await listProjectsOf(this.#options.read, policy.rowId, { offset, limit: PROJECTS_AT_ONCE });
      for (const projectRowId of projects) {
        if (this.#stopping.signal.aborted) return false;
        await this.#applyTo(policy, projectRowId, nowUs);
      }
      if (projects.length < PROJECTS_AT_ONCE) return true;
    }
  }

  async #applyTo(policy: RetentionPolicy, projectRowId: number, nowUs: number): Promise<void> {
    const { read, remove, onApplied } = this.#options;
    const before = await findFirstKept(read, projectRowId, policy, nowUs);
    if (before === null) return;
    const selection = { startTimeUs: null, before };
    const deleted = await remove({ projectRowId, selection, reason: 'retention', policyRowId: policy.rowId });
    if (deleted !== undefined && deleted.traceCount > 0) onApplied(policy, projectRowId, deleted);
  }
}

const PROJECTS_AT_ONCE = 200;
