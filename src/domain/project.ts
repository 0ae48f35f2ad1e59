/** A project: where an application's traces are collected. */

/** A project as stored. */
export interface Project {
  readonly rowId: number;
  /** Unique, never empty. */
  readonly name: string;
  readonly description: string | null;
}
