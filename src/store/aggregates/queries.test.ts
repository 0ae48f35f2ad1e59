import { expect, it } from 'vitest';
import { EnvelopeCache } from '../spans/rows/envelope-cache.ts';
import { TraceTrees } from '../spans/rows/trace-trees.ts';
import { QUERIES, StatementRecorder } from '../engine/statement-recorder.fixture.ts';
import { relationalAggregates } from './aggregates.ts';

it('the SQL of aggregates is the committed text, so that a change of a query shows in review', async () => {
  const statements = new StatementRecorder();
  const { db, dialect, close } = await statements.open();
  const aggregates = relationalAggregates({
    db,
    dialect,
    envelopes: new EnvelopeCache(),
    trees: new TraceTrees(),
  });
  const record = statements.record.bind(statements);
  const all = { projectRowId: 1, condition: null };
  const range = { startTimeUs: 1, endTimeUs: 2 };
  const measures = [{ kind: 'latency', probability: 0.5 }] as const;
  await record('aggregate', () => aggregates.aggregate({ ...all, bucket: null, groupBy: [], maxGroups: 1, measures }));
  await record('aggregateTraces', () =>
    aggregates.aggregateTraces({ ...all, ...range, bucket: null, probabilities: [], hasTokenDetails: false }),
  );
  await record('aggregateTraces without an end', () =>
    aggregates.aggregateTraces({ ...all, startTimeUs: 1, bucket: null, probabilities: [], hasTokenDetails: false }),
  );
  await record('aggregateSessions', () => aggregates.aggregateSessions({ ...all, bucket: null, probabilities: [] }));
  await record('aggregateSessions of a range', () =>
    aggregates.aggregateSessions({ ...all, ...range, bucket: null, probabilities: [] }),
  );
  await record('groupTraces', () =>
    aggregates.groupTraces({
      ...all,
      ...range,
      dimension: { kind: 'field', name: 'name', of: null, isOfParent: false },
      order: { by: 'count', direction: 'desc' },
      maxGroups: 10,
    }),
  );
  await record('listUsers', () =>
    aggregates.listUsers({
      ...all,
      ...range,
      search: '',
      order: { by: 'cost', direction: 'desc' },
      offset: 0,
      limit: 10,
    }),
  );
  await record('listAttributePaths', () =>
    aggregates.listAttributePaths({ projectRowId: 1, ...range, prefix: '', limit: 10 }),
  );
  await record('readSessionLengths', () => aggregates.readSessionLengths([1], range));
  await record('readSessionQuantiles', () => aggregates.readSessionQuantiles([1], range, 0.5));
  await record('readTurnGaps', () => aggregates.readTurnGaps([1]));
  await close();
  await expect(statements.text).toMatchFileSnapshot(QUERIES);
});
