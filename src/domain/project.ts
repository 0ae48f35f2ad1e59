/** A project: where an application's traces are collected. */

/** A project as stored. */
export interface Project {
  readonly rowId: number;
  /** Unique, never empty. */
  readonly name: string;
  readonly description: string | null;
  /** Colours of the project's card, `#rrggbb`. */
  readonly gradientStartColor: string;
  readonly gradientEndColor: string;
  /** Microseconds since the Unix epoch, as the next. */
  readonly createdAtUs: number;
  /** When its description or colours changed. */
  readonly updatedAtUs: number;
}
