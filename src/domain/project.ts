/** A project: where an application's traces are collected. */

/** The tabs that a project can open with. */
export const DEFAULT_TABS = ['traces', 'spans', 'sessions', 'users', 'metrics', 'agreement', 'search'] as const;

/** One of {@link DEFAULT_TABS}. */
export type DefaultTab = (typeof DEFAULT_TABS)[number];

/** A project as stored. */
export interface Project {
  readonly rowId: number;
  /** Unique, never empty. */
  readonly name: string;
  readonly description: string | null;
  /** Colours of the project's card, `#rrggbb`. */
  readonly gradientStartColor: string;
  readonly gradientEndColor: string;
  /** Null: the table that each browser used last. */
  readonly defaultTab: DefaultTab | null;
  /** Microseconds since the Unix epoch, as the next. */
  readonly createdAtUs: number;
  /** When its description, colours or default tab changed. */
  readonly updatedAtUs: number;
}
