import { expect, it } from 'vitest';
import { openTestEngine } from '../../engine/open-test-engine.fixture.ts';
import { EnvelopeCache } from '../rows/envelope-cache.ts';
import { TraceTrees } from '../rows/trace-trees.ts';
import { listSessionTraces } from './list-sessions.ts';

/** By session. */
const TRACE_COUNTS = [2, 0, 5, 3, 1, 0, 9, 4, 1, 1];

it('lists the first traces of each session, however many a statement may read', async () => {
  const { db, dialect, bulkInsert } = await openTestEngine();
  const scope = { db, dialect, envelopes: new EnvelopeCache(), trees: new TraceTrees() };
  const traces = TRACE_COUNTS.flatMap((count, session) =>
    Array.from({ length: count }, (_, place) => ({ session, startUs: 1000 - 10 * place })),
  ).map((trace, index) => ({ ...trace, id: index + 1 }));
  await bulkInsert(
    'traces',
    traces.map(({ id, session, startUs }) => ({
      id,
      trace_id: `trace ${id}`,
      project_id: 1,
      session_row_id: session,
      start_us: startUs,
      end_us: startUs + 1,
      span_count: 1,
      error_count: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      cost_nanousd: 0,
    })),
  );
  const asked = [7, 0, 1, 2, 3, 4, 6, 9, 99];
  for (const most of [1, 2, 3, 4, 5, 8, 9, 26, 100]) {
    const found = await listSessionTraces(scope, asked, most);
    const expected = asked.flatMap((session) => {
      const ofSession = traces.filter((trace) => trace.session === session).sort((a, b) => a.startUs - b.startUs);
      const listed = ofSession.slice(0, most);
      return listed.length === 0 ? [] : ([[session, listed.map(({ id }) => id)]] as const);
    });
    expect(new Map([...found].map(([session, rows]) => [session, rows.map(({ rowId }) => rowId)]))).toEqual(
      new Map(expected),
    );
  }
});
