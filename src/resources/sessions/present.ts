import { z } from 'zod';
import { formatGlobalId } from '#base/global-id';
import { formatTimestamp } from '#domain/timestamp';
import type { SessionRow, SessionTrace } from '#store/spans/port';

/** What paths of a session name. */
export const SESSION_PARAMS = z.object({
  session_identifier: z.string().describe('Id of a session, or the id that its application gave it.'),
});

/** A session as REST answers it. */
export function presentSession(session: SessionRow, traces: readonly SessionTrace[]) {
  return {
    id: formatGlobalId('ProjectSession', session.rowId),
    session_id: session.sessionId,
    project_id: formatGlobalId('Project', session.projectRowId),
    start_time: formatTimestamp(session.startTimeUs),
    end_time: formatTimestamp(session.endTimeUs),
    traces: traces.map((trace) => ({
      id: formatGlobalId('Trace', trace.rowId),
      trace_id: trace.traceId,
      start_time: formatTimestamp(trace.startTimeUs),
      end_time: formatTimestamp(trace.endTimeUs),
    })),
    token_count_prompt: session.promptTokenCount,
    token_count_completion: session.completionTokenCount,
    token_count_total: session.promptTokenCount + session.completionTokenCount,
  };
}
