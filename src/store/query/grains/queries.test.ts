import { expect, it } from 'vitest';
import { parseFilter } from '#filter/parse-filter';
import type { Condition, FilterGrain } from '#filter/tree';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { countSessionFacets, countTraceFacets } from '../../aggregates/grain-facets.ts';
import { openTestWriter, spansOf } from '../../logs/write/open-writer.fixture.ts';
import { EnvelopeCache } from '../../spans/rows/envelope-cache.ts';
import { TraceTrees } from '../../spans/rows/trace-trees.ts';
import { QUERIES, StatementRecorder } from '../../engine/statement-recorder.fixture.ts';
import { browseSpans } from '../../spans/read/browse-spans.ts';
import { openOwnerVerdicts } from './owner-verdicts.ts';
import { searchSessions } from './search-sessions.ts';
import { searchTraces } from './search-traces.ts';
import { countAllSessions } from './session-steps.ts';
import { countTracesAfter } from './trace-steps.ts';

/** Told by spans and root spans as well as by rows. */
const EVERYTHING = "NUMBER > 0 and len([s for s in spans if s.name == 'a']) == 1 and user.id == 'u'";

const FACETS = [
  {
    dimension: { kind: 'attribute', path: 'user.id', of: null },
    maxValues: 1,
    prefix: null,
    leavesOutOwnTerms: false,
  },
] as const;

const UNLIMITED = { isOver: false, assertNotLost: () => undefined };

function read(grain: FilterGrain, text: string): Condition {
  const { condition, diagnostics } = parseFilter(grain, text);
  if (condition === null) throw new Error(`${text}: ${JSON.stringify(diagnostics)}`);
  return condition;
}

it('the SQL of filters of traces and sessions is the committed text, so that a change of a query shows in review', async () => {
  const statements = new StatementRecorder();
  const engine = await statements.open();
  const { db, dialect, writer, close } = await openTestWriter({ engine });
  const attributes = { 'session.id': 's', 'user.id': 'u' };
  await writer.write([spansOf([{ traceId: traceId(1), spanId: spanId(1), name: 'a', attributes }])]);
  const { id: traceRowId } = await db.selectFrom('traces').select('id').executeTakeFirstOrThrow();
  const scope = { db, dialect, envelopes: new EnvelopeCache(), trees: new TraceTrees() };
  const record = statements.record.bind(statements);
  const range = { projectRowId: 1, startTimeUs: 1, endTimeUs: 1e16 };
  const ofTraces = { ...range, condition: read('trace', EVERYTHING.replace('NUMBER', 'num_spans')) };
  const ofSessions = { ...range, condition: read('session', EVERYTHING.replace('NUMBER', 'num_traces')) };
  const after = { value: 1e16, rowId: 9 };
  const page = { limit: 10, after };

  for (const sort of ['start_time', 'latency', 'total_tokens'] as const) {
    await record(`searchTraces by ${sort}`, async () => {
      const { rows } = await searchTraces(scope, ofTraces, { sort, order: 'desc', ...page }, UNLIMITED);
      expect(rows).toHaveLength(1);
    });
  }
  await record('countTracesAfter', () =>
    countTracesAfter(scope, { ...range, sort: 'start_time', direction: 'desc' }, after),
  );
  for (const sort of ['id', 'cost'] as const) {
    await record(`searchSessions by ${sort}`, async () => {
      const { rows } = await searchSessions(scope, ofSessions, { sort, order: 'desc', ...page }, UNLIMITED);
      expect(rows).toHaveLength(1);
    });
  }
  await record('searchSessions of all projects', () =>
    searchSessions(
      scope,
      { projectRowId: undefined, condition: ofSessions.condition },
      { sort: 'id', order: 'asc', limit: 10, after: null },
      UNLIMITED,
    ),
  );
  await record('countAllSessions', () => countAllSessions(scope, { ...range, sort: 'id', direction: 'desc' }));
  await record('openOwnerVerdicts', async () => {
    const conditions = {
      traceCondition: read('trace', 'num_spans > 0'),
      sessionCondition: read('session', 'num_traces > 0'),
    };
    const owners = openOwnerVerdicts(scope, conditions, { ...range, window: null, assertNotLost: () => undefined });
    await owners?.look([traceRowId]);
    expect(owners?.has(traceRowId)).toBe(true);
  });
  await record('browseSpans by what is below them', async () => {
    const spans = { ...range, rootsOnly: false };
    const { rows } = await browseSpans(scope, spans, { sort: 'cumulative_cost', order: 'desc', ...page });
    expect(rows).toHaveLength(1);
  });
  await record('countTraceFacets', () => countTraceFacets(scope, { ...range, condition: null, facets: FACETS }, 1000));
  await record('countSessionFacets', () =>
    countSessionFacets(scope, { ...range, condition: null, facets: FACETS }, 1000),
  );
  await close();
  await expect(statements.text).toMatchFileSnapshot(QUERIES);
});
