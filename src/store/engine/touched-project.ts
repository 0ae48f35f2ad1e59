/** What a commit tells the servers that share a database. */

/** A project in which a request changed what is shown. */
export interface TouchedProject {
  readonly projectRowId: number;
  /** OpenTelemetry ids of the traces, each once, none for what belongs to no trace; `null` where there are more than {@link MAX_TOUCHED_TRACES}. */
  readonly traceIds: readonly string[] | null;
  /** Microseconds since the Unix epoch, by the clock of the database: all servers know the change by this moment. */
  readonly changedAtUs: number;
}

/** As many as somebody who watches a project would ask for one by one. */
export const MAX_TOUCHED_TRACES = 100;
