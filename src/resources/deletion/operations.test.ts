/** Who deleted and moved what is in the log, under the operations of the policy. */
import { beforeEach, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { systemCaller } from '#domain/caller';
import { userCaller } from '#domain/callers.fixture';
import { type DeletionStore, openDeletionStore } from '#store/deletion/deletion.fixture';
import { relationalProjectStore } from '#store/projects/relational-projects';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import {
  deleteProject,
  deleteProjectTraces,
  deleteSession,
  deleteSpan,
  deleteTrace,
  deleteTraces,
  type RemovalParts,
  transferTraces,
} from './operations.ts';
import { deletionPolicy } from './policy.ts';

const ADA = { ...userCaller('member', 7), address: '192.0.2.1' };
const ALWAYS = { startTimeUs: null, endTimeUs: null };

let store: DeletionStore;
let parts: RemovalParts;
let app: number;

beforeEach(async () => {
  store = await openDeletionStore();
  for (const number of [1, 2, 3, 4]) {
    const span = { traceId: traceId(number), spanId: spanId(number), attributes: { 'session.id': 'what I said' } };
    await store.send([span, { ...span, spanId: spanId(number + 10), parentSpanId: span.spanId }], 'app');
  }
  app = await store.projectRowId('app');
  parts = {
    projects: () => relationalProjectStore(store.db, store.dialect),
    spans: () => store.store,
    remover: (caller) => store.remover.for(caller),
  };
});

/** Operations, objects and their names, and what changed. */
async function audited() {
  const rows = await store.rows('SELECT * FROM audit_events ORDER BY id');
  for (const row of rows) {
    expect(row).toMatchObject({ caller_kind: 'user', caller_row_id: 7, address: '192.0.2.1', outcome: 'done' });
  }
  const known: readonly string[] = Object.values(deletionPolicy).map(({ operation }) => operation);
  for (const row of rows) expect(known).toContain(row['operation']);
  return rows.map((row) => [
    row['operation'],
    `${String(row['object_type'])}:${String(row['object_id'])}`,
    row['object_name'],
    row['project_row_id'],
    row['changes'],
  ]);
}

it('a trace, by its id', async () => {
  const rowId = await store.traceRowId(traceId(1));
  await deleteTrace(ADA, parts, traceId(1));
  expect(await audited()).toEqual([['deletion.deleteTraces', `Trace:${rowId}`, traceId(1), app, '["deleted"]']]);
});

it('several traces, each of them', async () => {
  const rowIds = [await store.traceRowId(traceId(1)), await store.traceRowId(traceId(2))];
  await deleteTraces(ADA, parts, rowIds);
  expect(await audited()).toEqual(
    rowIds.map((rowId, index) => ['deletion.deleteTraces', `Trace:${rowId}`, traceId(index + 1), app, '["deleted"]']),
  );
});

it('a span, also the last of its trace, under the id that its application gave it', async () => {
  const rowIds = [await store.spanRowId(spanId(11)), await store.spanRowId(spanId(1))];
  for (const number of [11, 1]) await deleteSpan(ADA, parts, spanId(number));
  expect(await audited()).toEqual([
    ['deletion.deleteSpan', `Span:${rowIds[0]}`, spanId(11), app, '["deleted"]'],
    ['deletion.deleteSpan', `Span:${rowIds[1]}`, spanId(1), app, '["deleted"]'],
  ]);
});

it('a session, without what it was called', async () => {
  const rowId = await store.sessionRowId('what I said');
  await deleteSession(ADA, parts, 'what I said', undefined);
  expect(await audited()).toEqual([['deletion.deleteSessions', `ProjectSession:${rowId}`, null, app, '["deleted"]']]);
});

it('the traces of a project, and the project', async () => {
  await deleteProjectTraces(ADA, parts, app, ALWAYS);
  await deleteProject(ADA, parts, app);
  expect(await audited()).toEqual([
    ['deletion.clearProject', `Project:${app}`, 'app', app, '["traces"]'],
    ['deletion.deleteProject', `Project:${app}`, 'app', app, '["deleted"]'],
  ]);
});

it('traces that were moved, with where they are now', async () => {
  const rowId = await store.traceRowId(traceId(1));
  const to = await store.projectRowId('default');
  // What is moved follows in the background; nobody waits for it here.
  await transferTraces(ADA, parts, [traceId(1)], 'default');
  expect(await audited()).toEqual([['deletion.transferTraces', `Trace:${rowId}`, traceId(1), to, '["project"]']]);
});

it('nothing where nothing was there, or nothing may be deleted', async () => {
  const attempts = [
    () => deleteTrace(ADA, parts, traceId(99)),
    () => deleteSpan(ADA, parts, spanId(99)),
    () => deleteProject(ADA, parts, 999),
    () => deleteProject(ADA, parts, 1),
    () => transferTraces(ADA, parts, [traceId(1), traceId(99)], 'default'),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toThrow(AppError);
  expect(await audited()).toEqual([]);
});

it('nothing that retention deletes, which its policy tells', async () => {
  await store.remover.for(systemCaller('retention')).delete({
    projectRowId: app,
    selection: { startTimeUs: null, before: null },
    reason: 'retention',
    policyRowId: null,
  });
  expect(await audited()).toEqual([]);
  expect(await store.rows('SELECT id FROM traces')).toEqual([]);
});
