/** A project: where an application's traces are collected. */

/** The project that telemetry lands in when nothing names one. */
export const DEFAULT_PROJECT_NAME = 'default';

/** A project as stored. */
export interface Project {
  readonly rowId: number;
  /** Unique, never empty. */
  readonly name: string;
  readonly description: string | null;
}
