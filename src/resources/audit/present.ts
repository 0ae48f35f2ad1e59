/** Events of the log as clients are told them. */
import { formatGlobalId, type GlobalIdType } from '#base/global-id';
import type { AuditEvent } from '#domain/audit-event';
import { formatTimestamp } from '#domain/timestamp';

/** The id of what it was done to, whether that is still there or not; `null` where it was nothing. */
export function objectIdOf({ object }: AuditEvent): string | null {
  // Whatever type it had then.
  return object && formatGlobalId(object.type as GlobalIdType, object.id);
}

/** The id of the account that did it, whether that is still there or not; `null` where it was none. */
export function userIdOf({ userRowId }: AuditEvent): string | null {
  return userRowId === null ? null : formatGlobalId('User', userRowId);
}

/** The id of the key that the account did it by, whether that is still there or not; `null` where it was none. */
export function keyIdOf({ key }: AuditEvent): string | null {
  return key && formatGlobalId('UserApiKey', key.rowId);
}

/** An event as REST answers it. */
export function presentAuditEvent(event: AuditEvent) {
  return {
    id: formatGlobalId('AuditEvent', event.rowId),
    occurred_at: formatTimestamp(event.occurredAtUs),
    outcome: event.outcome,
    operation: event.operation,
    count: event.count,
    caller_kind: event.callerKind,
    caller_name: event.callerName,
    user_id: userIdOf(event),
    key_id: keyIdOf(event),
    key_name: event.key?.name ?? null,
    address: event.address,
    object_type: event.object?.type ?? null,
    object_id: objectIdOf(event),
    object_name: event.objectName,
    project_id: event.projectRowId === null ? null : formatGlobalId('Project', event.projectRowId),
    changes: event.changes,
  };
}

type Presented = ReturnType<typeof presentAuditEvent>;

/** The columns of a CSV file, in their order. */
const COLUMNS = [
  'id',
  'occurred_at',
  'outcome',
  'operation',
  'count',
  'caller_kind',
  'caller_name',
  'user_id',
  'key_id',
  'key_name',
  'address',
  'object_type',
  'object_id',
  'object_name',
  'project_id',
  'changes',
] as const satisfies readonly (keyof Presented)[];

/** The first line of a CSV file. @see https://www.rfc-editor.org/rfc/rfc4180 */
export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

/** An event as a line of a CSV file. */
export function toCsvLine(event: AuditEvent): string {
  const presented = presentAuditEvent(event);
  return `${COLUMNS.map((column) => toCell(presented[column])).join(',')}\r\n`;
}

/** An event as a line of a file of JSON lines. */
export function toJsonLine(event: AuditEvent): string {
  return `${JSON.stringify(presentAuditEvent(event))}\n`;
}

function toCell(value: string | number | readonly string[] | null): string {
  if (value === null) return '';
  const text = typeof value === 'object' ? value.join('; ') : String(value);
  // A spreadsheet would run a cell that begins like a formula; somebody may have called something so.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
