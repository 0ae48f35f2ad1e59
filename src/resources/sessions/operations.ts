import { AppError } from '#base/errors';
import type { Caller, ForCaller } from '#domain/caller';
import type { Page } from '#domain/page';
import type { PageRequest, SessionRow, SessionTrace, SpanStore } from '#store/spans/port';
import { toSessionRef } from '../traces/operations.ts';

/** A session with all its traces, earliest start first. */
export interface SessionWithTraces {
  readonly session: SessionRow;
  readonly traces: readonly SessionTrace[];
}

/** A page of sessions, of one project or of all; only those that match where there is a condition. */
export async function listSessions(
  caller: Caller,
  spans: ForCaller<SpanStore>,
  filter: Parameters<SpanStore['listSessions']>[0],
  page: PageRequest<'id'>,
): Promise<Page<SessionWithTraces>> {
  const { data, traces, nextCursor } = await spans(caller).listSessions(filter, page);
  return { data: data.map((session) => ({ session, traces: traces.get(session.rowId) ?? [] })), nextCursor };
}

/** The session of an id or text, in one project where that is given. @throws AppError `not_found` */
export async function getSession(
  caller: Caller,
  spans: ForCaller<SpanStore>,
  identifier: string,
  projectRowId: number | undefined,
): Promise<SessionWithTraces> {
  const session = await spans(caller).findSession(toSessionRef(identifier), projectRowId);
  if (session === undefined) throw new AppError('not_found', `There is no session ${identifier}.`);
  const traces = await spans(caller).listSessionTraces([session.rowId]);
  return { session, traces: traces.get(session.rowId) ?? [] };
}
