/** What the log of who did what holds, and what it is searched by. */

/** What was done, or refused. */
export interface AuditEvent {
  readonly rowId: number;
  /** Microseconds since the Unix epoch. */
  readonly occurredAtUs: number;
  readonly outcome: AuditOutcome;
  readonly operation: string;
  /** How often, for refusals that are summed. */
  readonly count: number;
  readonly callerKind: string;
  /** Of the account; `null` where no person did it. */
  readonly userRowId: number | null;
  readonly callerName: string | null;
  /** By which of its keys an account did it; `null` where it was none. */
  readonly key: AuditedKey | null;
  readonly address: string | null;
  readonly object: AuditObject | null;
  readonly objectName: string | null;
  readonly projectRowId: number | null;
  readonly changes: readonly string[];
}

/** Whether it was. */
export type AuditOutcome = 'done' | 'refused';

/** A key of a person, with the name that it had then. */
export interface AuditedKey {
  readonly rowId: number;
  readonly name: string;
}

/** What it was done to: both parts of its global id. */
export interface AuditObject {
  readonly type: string;
  readonly id: string;
}

/** Which events; `null` for all. */
export interface AuditFilter {
  readonly operation: string | null;
  readonly outcome: AuditOutcome | null;
  readonly callerName: string | null;
  readonly userRowId: number | null;
  readonly object: AuditObject | null;
  readonly startUs: number | null;
  /** Exclusive. */
  readonly endUs: number | null;
}
