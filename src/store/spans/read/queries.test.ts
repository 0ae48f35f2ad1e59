import { describe, expect, it } from 'vitest';
import { QUERIES, StatementRecorder } from '../../engine/statement-recorder.fixture.ts';
import type { PageRequest } from '../port.ts';
import { recordBrowsing } from './browse.fixture.ts';
import { EnvelopeCache } from '../rows/envelope-cache.ts';
import { findStoredSpanIds } from './find-stored-span-ids.ts';
import { forgetSpans } from '../write/forget-spans.ts';
import { findSession, listSessions, listSessionTraces } from './list-sessions.ts';
import { listSpans } from './list-spans.ts';
import { listTraces } from './list-traces.ts';
import { listBlocks, readOriginals } from '../rows/originals.ts';
import { readSpanOriginal, readTraceOriginal } from './read-original.ts';
import { ResponseKeys } from '../write/response-keys.ts';
import { loadCallsAround, loadLeastDistances } from '../write/stored-calls.ts';
import {
  loadSpansById,
  loadTraces,
  loadTracesByRow,
  readTraceRoots,
  readTraceSessions,
  readTraceTimes,
} from '../write/stored-trace.ts';
import { TraceTrees } from '../rows/trace-trees.ts';

describe('the SQL of spans', () => {
  it('is the committed text, so that a change of a query shows in review', async () => {
    const statements = new StatementRecorder('all');
    const record = statements.record.bind(statements);
    const { db, dialect, run, bulkUpdate, close } = await statements.open();
    const scope = { db, dialect, run, bulkUpdate, envelopes: new EnvelopeCache(), trees: new TraceTrees() };
    const filter = { projectRowId: 1 };
    const byRow: PageRequest<'id'> = { sort: 'id', order: 'desc', limit: 10, cursor: null };
    const whole = {
      ...filter,
      startTimeUs: 1,
      endTimeUs: 2,
      traceIds: ['a'],
      spanIds: ['b'],
      parentSpanId: null,
      names: ['c'],
      kinds: ['LLM'] as const,
      statusCodes: ['OK'] as const,
      attributes: [
        { path: 'user.id', json: '"d"' },
        { path: 'documents.0.id', json: '1' },
      ],
    };
    await record('listSpans by arrival', () => listSpans(scope, filter, byRow));
    await record('listSpans by start, from a cursor', () =>
      listSpans(scope, filter, { ...byRow, sort: 'start_time', cursor: btoa('1:DATETIME:2') }),
    );
    await record('listSpans of traces', () => listSpans(scope, { ...filter, startTimeUs: 1, traceIds: ['a'] }, byRow));
    await record('listSpans by their ids', () => listSpans(scope, { ...filter, spanIds: ['b'] }, byRow));
    await record('findStoredSpanIds', () => findStoredSpanIds(scope, ['b']));
    await record('listSpans by their ids, with every filter', () => listSpans(scope, whole, byRow));
    const { traceIds: _traceIds, spanIds: _spanIds, ...filters } = whole;
    await record('listSpans with every other filter', () => listSpans(scope, filters, byRow));
    const byStart: PageRequest<'start_time'> = { ...byRow, sort: 'start_time' };
    await record('listTraces by start', () => listTraces(scope, filter, byStart, true));
    await record('listTraces by latency, of sessions, from a cursor', () =>
      listTraces(
        scope,
        { ...filter, startTimeUs: 1, endTimeUs: 2, sessions: [{ rowId: 1 }, { sessionId: 's' }] },
        { ...byRow, sort: 'latency_ms', cursor: btoa('1:FLOAT:0.5') },
        false,
      ),
    );
    await record('listSessions', () => listSessions(scope, filter, { ...byRow, cursor: btoa('ProjectSession:1') }));
    await record('findSession', () => findSession(scope, { sessionId: 's' }, 1));
    await record('listSessionTraces', () => listSessionTraces(scope, [1]));
    await record('readTraceOriginal', () => readTraceOriginal(scope, { otelId: 'a' }, 'protobuf'));
    await record('readSpanOriginal', () => readSpanOriginal(scope, { otelId: 'b' }, 'protobuf'));
    await record('readOriginals', () => readOriginals(db, dialect, [1]));
    await record('listBlocks', () => listBlocks(db, dialect, [1]));
    await recordBrowsing(scope, record);
    await record('loadTraces', () => loadTraces(scope, ['a']));
    await record('loadSpansById', () => loadSpansById(scope, new Map([[1, new Set(['b'])]])));
    await record('loadTracesByRow', () => loadTracesByRow(scope, [1]));
    await record('loadLeastDistances', () => loadLeastDistances(scope, new Map([[1, new Set(['b'])]]), [2]));
    await record('loadCallsAround', () =>
      loadCallsAround(scope, [{ projectId: 1, responseKey: 3, startUs: 1, rowId: 2 }], [2]),
    );
    await record('ResponseKeys', () => new ResponseKeys().load(scope, new Set([1])));
    await record('readTraceTimes', () => readTraceTimes(scope, [1]));
    await record('readTraceRoots', () => readTraceRoots(scope, [1]));
    await record('readTraceSessions', () => readTraceSessions(scope, [1]));
    await record('forgetSpans', () => forgetSpans(scope, [1]));
    await close();
    await expect(statements.text).toMatchFileSnapshot(QUERIES);
  });
});
