import { expect, it } from 'vitest';
import { StatementRecorder } from '#store/engine/statement-recorder.fixture';
import { TEST_ENGINE } from '../../../test/harness/test-engine.ts';
import { listAuditEvents } from './queries.ts';

const ALL = {
  operation: null,
  outcome: null,
  callerName: null,
  userRowId: null,
  object: null,
  startUs: null,
  endUs: null,
};

// The plans of SQLite, which needs no statistics for them.
it.skipIf(TEST_ENGINE === 'postgres').each([
  ['audit_events_by_time', {}],
  ['audit_events_by_time', { startUs: 1, endUs: 2 }],
  ['audit_events_by_time', { outcome: 'refused' as const }],
  ['audit_events_of_operation', { operation: 'x', startUs: 1 }],
  ['audit_events_of_caller', { userRowId: 1, endUs: 2 }],
  ['audit_events_of_object', { object: { type: 'Secret', id: 'x' } }],
])('a page is read in order from %s: %j', async (index, filter) => {
  const recorder = new StatementRecorder();
  const engine = await recorder.open();
  await recorder.record('page', () =>
    listAuditEvents(engine, { ...ALL, ...filter }, { after: { value: 5, rowId: 5 }, limit: 10 }),
  );
  const plan = recorder.statements.join('\n');
  expect(plan).toContain(`USING INDEX ${index}`);
  expect(plan).not.toMatch(/TEMP B-TREE|SCAN/);
});
