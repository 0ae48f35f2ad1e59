import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { AuthoredAnnotation } from '#domain/annotation';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { beginBulkAction } from './begin.ts';
import type { BulkAction, BulkRequest } from './bulk-action.ts';
import { type BulkStore, openBulkStore, runJob } from './bulk-store.fixture.ts';

const SAID: AuthoredAnnotation = {
  name: 'tone',
  identifier: 'px-app:VXNlcjox',
  annotatorKind: 'HUMAN',
  label: 'kind',
  score: 0.5,
  explanation: 'Says please.',
  metadata: '{"a":1.0}',
  source: 'APP',
  userRowId: 1,
};

async function annotate(
  { store }: BulkStore,
  request: BulkRequest,
  said: AuthoredAnnotation = SAID,
  nowUs = 10,
): Promise<BulkAction> {
  const begun = await store.writer.change((scope) =>
    beginBulkAction(scope, request, { kind: 'annotate', said }, nowUs),
  );
  return begun.action;
}

const labels = async ({ store }: BulkStore) =>
  (await store.rows(sql`SELECT target, label FROM annotations ORDER BY target, target_row_id`)).map(
    ({ target, label }) => `${String(target)} ${String(label)}`,
  );

it('rows of all kinds get what its author says, in place of what that author said before', async () => {
  const bulk = await openBulkStore();
  const { store, projectRowId } = bulk;
  const span = await store.spanRowId(spanId(1));
  const trace = await store.traceRowId(traceId(1));
  const session = await store.sessionRowId('s');
  const request = { projectRowId, rows: 'span', chosen: { rowIds: [span, 999] } } as const;
  expect(await annotate(bulk, request)).toMatchObject({ state: 'done', doneCount: 1, goneCount: 1 });
  const [before] = await store.rows(sql`SELECT * FROM annotations`);
  expect(before).toMatchObject({
    target: 'span',
    target_row_id: span,
    document_position: -1,
    project_id: projectRowId,
    name: 'tone',
    identifier: SAID.identifier,
    annotator_kind: 'HUMAN',
    label: 'kind',
    score: 0.5,
    explanation: 'Says please.',
    metadata: '{"a":1.0}',
    source: 'APP',
    user_id: 1,
    created_at_us: 10,
    updated_at_us: 10,
  });
  await annotate(bulk, request, { ...SAID, label: 'rude' }, 20);
  const [after] = await store.rows(sql`SELECT * FROM annotations`);
  expect(after).toEqual({ ...before, label: 'rude', updated_at_us: 20 });
  await annotate(bulk, { projectRowId, rows: 'trace', chosen: { rowIds: [trace] } });
  await annotate(bulk, { projectRowId, rows: 'session', chosen: { rowIds: [session] } });
  expect(await labels(bulk)).toEqual(['session kind', 'span rude', 'trace kind']);
});

it('rows of another project are left alone', async () => {
  const bulk = await openBulkStore();
  await bulk.store.send([{ traceId: traceId(9), spanId: spanId(9) }], 'other');
  const foreign = await bulk.store.traceRowId(traceId(9));
  const request = { projectRowId: bulk.projectRowId, rows: 'trace', chosen: { rowIds: [foreign] } } as const;
  expect(await annotate(bulk, request)).toMatchObject({ doneCount: 0, goneCount: 1 });
  expect(await labels(bulk)).toEqual([]);
});

it('a strict config refuses before anything begins, and ends a job that has begun', async () => {
  const bulk = await openBulkStore();
  const { store, projectRowId } = bulk;
  const everything = { projectRowId, rows: 'span', chosen: { matching: bulk.everything } } as const;
  const begun = await annotate(bulk, everything);
  await store.rows(sql`INSERT INTO annotation_configs (name, kind, optimization_direction, content, is_strict)
    VALUES ('tone', 'CATEGORICAL', 'NONE', ${JSON.stringify({ values: [{ label: 'rude', score: null }] })}, 1)`);
  await expect(annotate(bulk, everything)).rejects.toThrow('kind');
  expect(await runJob(bulk, begun.rowId)).toMatchObject({
    state: 'failed',
    doneCount: 0,
    refusedCount: 3,
    totalCount: 3,
  });
  expect(await labels(bulk)).toEqual([]);
});

it('a job stores as of when it was asked for, and ends where its author was deleted', async () => {
  const bulk = await openBulkStore();
  const { store, projectRowId } = bulk;
  const span = await store.spanRowId(spanId(1));
  const everything = { projectRowId, rows: 'span', chosen: { matching: bulk.everything } } as const;
  const first = await annotate(bulk, everything, SAID, 10);
  await annotate(bulk, { projectRowId, rows: 'span', chosen: { rowIds: [span] } }, { ...SAID, label: 'later' }, 20);
  expect(await runJob(bulk, first.rowId)).toMatchObject({ state: 'done', doneCount: 3 });
  expect(await labels(bulk)).toEqual(['span later', 'span kind', 'span kind']);
  const second = await annotate(bulk, everything, { ...SAID, label: 'last' }, 30);
  await store.rows(sql`DELETE FROM users WHERE id = 1`);
  expect(await runJob(bulk, second.rowId)).toMatchObject({
    state: 'failed',
    error: 'The account that these annotations are by was deleted.',
    doneCount: 0,
    refusedCount: 3,
  });
  expect(await labels(bulk)).toEqual(['span later', 'span kind', 'span kind']);
});

it('what is long is stored for few rows at a time', async () => {
  const bulk = await openBulkStore();
  const { store, projectRowId } = bulk;
  const spans = Array.from({ length: 100 }, (_, place) => ({ traceId: traceId(50), spanId: spanId(100 + place) }));
  await store.send(spans, 'app');
  const rowIds = (await store.rows(sql`SELECT id FROM spans`)).map(({ id }) => Number(id));
  const said = { ...SAID, explanation: 'x'.repeat(65_000) };
  const begun = await annotate(bulk, { projectRowId, rows: 'span', chosen: { rowIds } }, said);
  expect(begun.state).toBe('running');
  expect(await bulk.act(begun.rowId, 1000)).toMatchObject({ doneCount: 64 });
  expect(await runJob(bulk, begun.rowId)).toMatchObject({ state: 'done', doneCount: 103 });
});
