/** Who did what: each change leaves a row in the transaction that makes it. */
import type { Insertable, Kysely } from 'kysely';
import { applicationOf, type Caller, keyOfPerson, userRowIdOf } from '#domain/caller';
import type { AuditEventsTable } from '../schema/account-tables.ts';
import type { Tables } from '../schema/tables.ts';

/** What a change says of itself beside its operation and its caller. Never a secret, nor a text that people wrote. */
export interface AuditNote {
  /** What was changed: the type and id of its global id, and what it was called then. */
  readonly object?: { readonly type: string; readonly id: number | string; readonly name?: string | null };
  readonly projectRowId?: number;
  /** Names of the fields that changed. */
  readonly changes?: readonly string[];
}

/** A row of the log. */
export type AuditRow = Omit<Insertable<AuditEventsTable>, 'id'>;

/**
 * The rows of an operation that was done: one for each note, or one where there is none. Of the server's own work only what it
 * notes is kept.
 */
export function auditRowsOf(
  operation: string,
  caller: Caller,
  nowUs: number,
  notes: readonly AuditNote[],
): readonly AuditRow[] {
  const noted = notes.length === 0 && caller.kind !== 'system' ? [{}] : notes;
  return noted.map(({ object, projectRowId, changes }: AuditNote) => ({
    ...auditedCaller(caller),
    occurred_at_us: nowUs,
    outcome: 'done',
    operation,
    object_type: object?.type ?? null,
    object_id: object === undefined ? null : String(object.id),
    object_name: object?.name ?? null,
    project_row_id: projectRowId ?? null,
    changes: changes === undefined ? null : JSON.stringify(changes),
  }));
}

/** Leaves rows for what is no command. To be called in the transaction that does it. */
export function writeAudit(
  db: Kysely<Tables>,
  operation: string,
  caller: Caller,
  notes: readonly AuditNote[],
): Promise<void> {
  return insertAuditRows(db, auditRowsOf(operation, caller, Date.now() * 1000, notes));
}

/** Attempts of the same kind that were refused. */
export interface Refusal {
  readonly caller: Caller;
  /** As policies name it. */
  readonly operation: string;
  readonly object: { readonly type: string; readonly id: number | string | null; readonly name: string | null } | null;
  /** When the first was. */
  readonly occurredAtUs: number;
  readonly count: number;
}

/** The row of refusals. */
export function refusalRow({ caller, operation, object, occurredAtUs, count }: Refusal): AuditRow {
  return {
    ...auditedCaller(caller),
    occurred_at_us: occurredAtUs,
    outcome: 'refused',
    operation,
    event_count: count,
    object_type: object?.type ?? null,
    object_id: object?.id == null ? null : String(object.id),
    object_name: object?.name ?? null,
    project_row_id: null,
    changes: null,
  };
}

/** The columns that say who it was, and from where. */
function auditedCaller(
  caller: Caller,
): Pick<AuditRow, 'caller_kind' | 'caller_row_id' | 'caller_name' | 'key_row_id' | 'key_name' | 'address'> {
  const key = keyOfPerson(caller);
  return {
    caller_kind: caller.kind,
    caller_row_id: caller.kind === 'system_key' ? caller.rowId : userRowIdOf(caller),
    caller_name: 'name' in caller ? caller.name : null,
    key_row_id: key?.keyRowId ?? null,
    // An application acts like a key that has no row of its own.
    key_name: key?.name ?? applicationOf(caller),
    address: caller.address ?? null,
  };
}

/** Adds rows to the log. */
export async function insertAuditRows(db: Kysely<Tables>, rows: readonly AuditRow[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto('audit_events')
      .values([...rows])
      .execute();
}
