/** What takes longer than a request: what it is, how far it has come, and who works on it. */
import type { JobsTable } from '../schema/tables.ts';

/** What kind of work a job is. */
export type JobKind = JobsTable['kind'];

/** Jobs that never end: the schema brings their rows along. The others are begun by somebody, and finish. */
export const STANDING_KINDS: ReadonlySet<JobKind> = new Set([
  'compaction',
  'columns',
  'search',
  'removal',
  'retention',
  'verification',
]);

/** What of a job each server has to know. */
export interface JobId {
  readonly id: number;
  readonly kind: JobKind;
}

/** A job that this server works on. What it remembers is its own: the next server finds in the tables how far it is. */
export interface RunningJob {
  /** Begins nothing more, and resolves when what was begun is done. */
  stop(): Promise<void>;
  /** There may be something to do. */
  wake(): void;
}

/** A job as it is stored. Times are in microseconds since the Unix epoch. */
export interface Job<Input, Progress> extends JobId {
  /** `null` of the server's own, and of those of all projects. */
  readonly projectRowId: number | null;
  readonly input: Input;
  readonly progress: Progress;
  readonly state: JobState;
  /** What a job that is over came to. */
  readonly result: JobResult | null;
  /** Why it failed, or was paused by itself. */
  readonly error: string | null;
  readonly startedAtUs: number;
  /** `null` while it is under way, or paused. */
  readonly finishedAtUs: number | null;
}

/** `running` is also one that waits for a server. */
export type JobState = JobsTable['state'];

/** Items of a job that is over, however it ended. */
export interface JobResult {
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
}

/** Amounts by unit, as `calls` or `milliseconds`: what a job may use, or has used. */
export type JobBudget = Readonly<Record<string, number>>;
