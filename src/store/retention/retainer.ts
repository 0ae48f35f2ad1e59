/** Applies retention policies when they are due. What was due while no server ran is done at the next start. */
import type { Kysely } from 'kysely';
import { AppError } from '#base/errors';
import type { DeletionRequest } from '../deletion/deletion.ts';
import type { DeletedTraces } from '../deletion/port.ts';
import { isDamage, isStorageFailure } from '../engine/storage-error.ts';
import { JobLoop } from '../jobs/job-loop.ts';
import type { Tables } from '../schema/tables.ts';
import { findDuePolicies, findFirstKept, isUnchanged, listProjectsOf } from './due-traces.ts';
import type { RetentionPolicy } from '#domain/retention';

/** What it works with, and who is told of it. */
export interface RetainerOptions {
  readonly read: Kysely<Tables>;
  /** Gives the default policy its days, where nobody has changed it yet. */
  readonly seedDefault: (maxDays: number) => Promise<void>;
  /** Notes that a policy was applied; `false` if there is no such policy. */
  readonly noteApplied: (policyRowId: number, atUs: number) => Promise<boolean>;
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

/** Applies what is due until it is stopped, one project after the other. */
export function retentionJob(options: RetainerOptions): JobLoop<DueProject> {
  const { onError, everyMs } = options;
  const retainer = new Retainer(options);
  return new JobLoop({
    plan: () => retainer.next(),
    apply: async (due) => ((await retainer.apply(due)) ? 'changed' : 'unchanged'),
    // Each deletion gives way by itself.
    isBusy: () => false,
    patienceMs: 0,
    firstMs: 0,
    everyMs: () => everyMs,
    restMs: () => 0,
    retryMs: [everyMs, everyMs],
    onError: (error) => onError('retention policies could not be applied for now', error),
  });
}

/** A policy that is due, and the project that it is applied to next; `null` where all of them are done. */
export interface DueProject {
  readonly policy: RetentionPolicy;
  readonly projectRowId: number | null;
}

/** Knows which policy it is applying, and to which projects that was done. */
export class Retainer {
  readonly #options: RetainerOptions;
  #isSeeded = false;
  #applying: Applying | undefined;
  /** Policies that could not be applied, and when they may be tried again. */
  readonly #failedUntilUs = new Map<number, number>();

  constructor(options: RetainerOptions) {
    this.#options = options;
  }

  /** Applies what is due now. */
  async look(): Promise<void> {
    for (let due = await this.next(); due !== undefined; due = await this.next()) await this.apply(due);
  }

  /** What is to be done next, if anything is due. */
  async next(): Promise<DueProject | undefined> {
    const applying = (this.#applying ??= await this.#findDue());
    if (applying === undefined) return undefined;
    const { policy, doneCount: offset } = applying;
    if (!(await isUnchanged(this.#options.read, policy))) {
      this.#applying = undefined;
      return this.next();
    }
    if (!isLettingGo(policy)) return { policy, projectRowId: null };
    if (applying.projects.length === 0) {
      applying.projects = [
        ...(await listProjectsOf(this.#options.read, policy.rowId, { offset, limit: PROJECTS_AT_ONCE })),
      ];
    }
    return { policy, projectRowId: applying.projects[0] ?? null };
  }

  /**
   * Applies a policy to a project, or notes that it was applied to all; says whether that brought it further. A policy that cannot be
   * applied does not keep the others from being applied, nor does a damaged project keep the policy from the others until it is due again.
   */
  async apply({ policy, projectRowId }: DueProject): Promise<boolean> {
    const applying = this.#applying;
    if (applying === undefined) return false;
    try {
      if (projectRowId === null) {
        this.#applying = undefined;
        return await this.#options.noteApplied(policy.rowId, applying.atUs);
      }
      await this.#applyTo(policy, projectRowId, applying.atUs).catch((error: unknown) => {
        if (!isDamage(error)) throw error;
        this.#options.onError(
          `the retention policy ${policy.name} could not be applied to project ${projectRowId}`,
          error,
        );
      });
      applying.projects.shift();
      applying.doneCount++;
      return true;
    } catch (error) {
      this.#applying = undefined;
      if (error instanceof AppError || isStorageFailure(error)) throw error;
      this.#failedUntilUs.set(policy.rowId, this.#options.now() + FAILED_US);
      this.#options.onError(`the retention policy ${policy.name} could not be applied for now`, error);
      return false;
    }
  }

  async #findDue(): Promise<Applying | undefined> {
    const { read, seedDefault, now, defaultDays } = this.#options;
    const atUs = now();
    if (!this.#isSeeded) await seedDefault(defaultDays);
    this.#isSeeded = true;
    const due = await findDuePolicies(read, atUs);
    const policy = due.find(({ rowId }) => (this.#failedUntilUs.get(rowId) ?? 0) <= atUs);
    return policy && { policy, atUs, projects: [], doneCount: 0 };
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

interface Applying {
  readonly policy: RetentionPolicy;
  readonly atUs: number;
  projects: number[];
  doneCount: number;
}

function isLettingGo({ maxDays, maxCount }: RetentionPolicy): boolean {
  return (maxDays ?? 0) > 0 || (maxCount ?? 0) > 0;
}

const PROJECTS_AT_ONCE = 200;
const FAILED_US = 10 * 60_000_000;
