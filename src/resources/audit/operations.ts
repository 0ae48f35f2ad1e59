/** Reading the log of who did what. */
import { AppError } from '#base/errors';
import { parseGlobalId, splitGlobalId } from '#base/global-id';
import type { AuditEvent, AuditFilter } from '#domain/audit-event';
import type { Caller } from '#domain/caller';
import type { Position } from '#domain/page';
import type { Services } from '../slice.ts';
import { listAuditEvents } from './queries.ts';

/** Part of a filter that names objects, as it arrives. @throws AppError `invalid_argument` for ids that are none */
export function toAuditObjects({
  userId,
  objectId,
}: {
  readonly userId: string | null | undefined;
  readonly objectId: string | null | undefined;
}): Pick<AuditFilter, 'userRowId' | 'object'> {
  const userRowId = userId == null ? null : parseGlobalId('User', userId);
  if (userRowId === undefined) throw new AppError('invalid_argument', 'This is not the id of a User.');
  const object = objectId == null ? null : splitGlobalId(objectId);
  if (object === undefined || object?.payload.includes('\0') === true)
    throw new AppError('invalid_argument', 'This is not the id of any type of object.');
  return { userRowId, object: object && { type: object.type, id: object.payload } };
}

/** Where an event stands in the log. */
export function positionOf({ rowId, occurredAtUs }: AuditEvent): Position {
  return { rowId, value: occurredAtUs };
}

/** The chosen part of the log, the latest event first, read a page at a time. */
export async function* readAuditPages(
  caller: Caller,
  read: Services['read'],
  filter: AuditFilter,
): AsyncGenerator<readonly AuditEvent[], void, undefined> {
  for (let after: Position | null = null; ; ) {
    const events: readonly AuditEvent[] = await listAuditEvents(read(caller), filter, { after, limit: PAGE_ROWS });
    const last = events.at(-1);
    if (last === undefined) return;
    yield events;
    if (events.length < PAGE_ROWS) return;
    after = positionOf(last);
  }
}

const PAGE_ROWS = 1000;
