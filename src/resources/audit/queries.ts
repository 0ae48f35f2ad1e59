/** Reads the log of who did what, the latest first. */
import type { Selectable } from 'kysely';
import type { AuditEvent, AuditFilter } from '#domain/audit-event';
import type { Position } from '#domain/page';
import type { AuditEventsTable } from '#store/schema/account-tables';
import type { ReadHandle } from '../slice.ts';

/**
 * The events that come after a position, by descending time. Indexes, each of which ends in the time: audit_events_of_object,
 * audit_events_of_caller, audit_events_of_operation, or else audit_events_by_time.
 */
export async function listAuditEvents(
  { db }: Pick<ReadHandle, 'db'>,
  filter: AuditFilter,
  { after, limit }: { readonly after: Position | null; readonly limit: number },
): Promise<readonly AuditEvent[]> {
  const { operation, outcome, callerName, userRowId, object, startUs, endUs } = filter;
  let query = db.selectFrom('audit_events').selectAll();
  if (operation !== null) query = query.where('operation', '=', operation);
  if (outcome !== null) query = query.where('outcome', '=', outcome);
  if (callerName !== null) query = query.where('caller_name', '=', callerName);
  if (userRowId !== null) query = query.where('caller_kind', '=', 'user').where('caller_row_id', '=', userRowId);
  if (object !== null) query = query.where('object_type', '=', object.type).where('object_id', '=', object.id);
  if (startUs !== null) query = query.where('occurred_at_us', '>=', startUs);
  if (endUs !== null) query = query.where('occurred_at_us', '<', endUs);
  if (after !== null) {
    query = query.where((row) =>
      row(row.refTuple('occurred_at_us', 'id'), '<', row.tuple(after.value ?? 0, after.rowId)),
    );
  }
  const rows = await query.orderBy('occurred_at_us', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return rows.map(toAuditEvent);
}

/** By row id. Index: primary key. */
export async function findAuditEvents(
  { db, dialect }: ReadHandle,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, AuditEvent>> {
  const rows = await db.selectFrom('audit_events').selectAll().where('id', 'in', dialect.numbersOf(rowIds)).execute();
  return new Map(rows.map((row) => [row.id, toAuditEvent(row)]));
}

function toAuditEvent(row: Selectable<AuditEventsTable>): AuditEvent {
  return {
    rowId: row.id,
    occurredAtUs: row.occurred_at_us,
    outcome: row.outcome,
    operation: row.operation,
    count: row.event_count,
    callerKind: row.caller_kind,
    userRowId: row.caller_kind === 'user' ? row.caller_row_id : null,
    callerName: row.caller_name,
    key: row.key_row_id === null || row.key_name === null ? null : { rowId: row.key_row_id, name: row.key_name },
    address: row.address,
    object: row.object_type === null || row.object_id === null ? null : { type: row.object_type, id: row.object_id },
    objectName: row.object_name,
    projectRowId: row.project_row_id,
    changes: row.changes === null ? [] : (JSON.parse(row.changes) as readonly string[]),
  };
}
