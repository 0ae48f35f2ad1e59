import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { AuthoredAnnotation } from '#domain/annotation';
import { spanId, TEST_START_US, traceId } from '../../../test/harness/otlp-json.ts';
import { openDeletionStore } from '../deletion/deletion.fixture.ts';
import { QUERIES, StatementRecorder } from '../engine/statement-recorder.fixture.ts';
import { beginDeletion } from '../deletion/hide.ts';
import { addItems, findJobLeavingItems, readItems, removeItems, removeSomeItems } from '../jobs/job-items.ts';
import { doingOf } from './act.ts';
import type { Acting } from './doing.ts';

it('the SQL of bulk actions is the committed text, so that a change of a query shows in review', async () => {
  const recorder = new StatementRecorder();
  const store = await openDeletionStore(3, await recorder.open());
  for (const trace of [1, 2, 3, 4]) {
    const span = { traceId: traceId(trace), startUs: TEST_START_US + trace, attributes: { 'session.id': 's' } };
    const spans = [1, 2].map((place) => ({ ...span, spanId: spanId(trace * 10 + place) }));
    await store.send(spans, trace === 4 ? 'other' : 'app');
  }
  const app = await store.projectRowId('app');
  const other = await store.projectRowId('other');
  const [late = 0, third = 0, fifth = 0, sixth = 0] = await Promise.all(
    [12, 21, 31, 32].map((span) => store.spanRowId(spanId(span))),
  );
  const traceRowId = await store.traceRowId(traceId(1));
  const sessionRowId = await store.sessionRowId('s');
  await store.rows(sql`INSERT INTO annotation_queues (name, target, reviews_per_item, is_blind, hold_minutes, created_at_us, updated_at_us)
    VALUES ('queue', 'span', 1, 0, 15, 1, 1)`);
  await store.writer.change(async (scope) => {
    recorder.restart();
    await addItems(scope, 1, []);
    await readItems(scope, 1, 10);
    await removeItems(scope, 1, [1]);
    await removeSomeItems(scope, 1);
    await findJobLeavingItems(scope.db);
    const request = {
      projectRowId: app,
      selection: { traceRowIds: [] },
      reason: 'request',
      policyRowId: null,
    } as const;
    const deletion = (await beginDeletion(scope, request, 1)) ?? null;
    // The second span of the first trace came too late.
    const below = { span: late, trace: 99, session: 99 };
    const acting: Acting = { projectRowId: app, below, most: 9, isAtOnce: false, askedAtUs: 1, deletion };
    const { act: remove } = doingOf({ kind: 'delete' });
    await remove.trace(scope, acting, [traceRowId]);
    await remove.session(scope, acting, [sessionRowId]);
    await remove.span(scope, acting, [third, fifth]);
    await doingOf({ kind: 'move', toProjectRowId: other }).act.span(scope, acting, [sixth]);
    const annotate = doingOf({ kind: 'annotate', said: SAID });
    await annotate.findObstacle(scope, app, 'span');
    await annotate.act.span(scope, { ...acting, projectRowId: other }, [sixth]);
    const queue = doingOf({ kind: 'queue', queueRowId: 1, sample: null, addedByRowId: null });
    await queue.findObstacle(scope, other, 'span');
    await queue.act.span(scope, { ...acting, projectRowId: other }, [sixth]);
  });
  const text = recorder.statements.map((statement) => `${statement}\n`).join('\n');
  await expect(text).toMatchFileSnapshot(QUERIES);
});

const SAID: AuthoredAnnotation = {
  name: 'tone',
  identifier: 'px-app',
  annotatorKind: 'HUMAN',
  label: 'kind',
  score: null,
  explanation: null,
  metadata: '{}',
  source: 'APP',
  userRowId: null,
};
