import { expect, it } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { findFirstKept, listProjectsOf } from '../retention/due-traces.ts';
import { QUERIES, StatementRecorder } from '../engine/statement-recorder.fixture.ts';
import { openDeletionStore } from './deletion.fixture.ts';
import { relationalDeletionBrowser } from './relational-deletions.ts';

it('the SQL of deletion is the committed text, so that a change of a query shows in review', async () => {
  const recorder = new StatementRecorder();
  const store = await openDeletionStore(3, await recorder.open());
  const { db, remover } = store;
  const span = { attributes: { 'session.id': 's', 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': 1 } };
  for (const trace of [1, 2, 3, 4, 5]) {
    const spans = [1, 2, 3, 4].map((place) => ({
      ...span,
      traceId: traceId(trace),
      spanId: spanId(trace * 10 + place),
    }));
    await store.send(spans, 'app');
  }
  const app = await store.projectRowId('app');
  const open = { startTimeUs: 1, before: { startTimeUs: 2, rowId: 3 } };
  recorder.restart();
  for (const run of [
    async () => remover.deleteSpan(await store.spanRowId(spanId(11))),
    async () => remover.moveTraces([await store.traceRowId(traceId(1))], await store.projectRowId('default')),
    async () => remover.moveTraces([await store.traceRowId(traceId(3))], await store.projectRowId('default')),
    async () => remover.deleteTraces(app, { traceRowIds: [await store.traceRowId(traceId(2))] }),
    () => remover.deleteTraces(app, { sessionRowIds: [99] }),
    () => remover.deleteTraces(app, open),
    () => remover.deleteProject(app),
  ]) {
    await run();
    await remover.finished();
  }
  await relationalDeletionBrowser(db).listDeletions({ projectRowId: app }, 10);
  await relationalDeletionBrowser(db).listDeletions({ policyRowId: 1 }, 10);
  await listProjectsOf(db, 1, { offset: 0, limit: 10 });
  await findFirstKept(db, 1, { maxDays: 1, maxCount: 2 }, 3);
  // What runs in the background may be first or second.
  const text = recorder.statements
    .map((statement) => `${statement}\n`)
    .toSorted()
    .join('\n');
  await expect(text).toMatchFileSnapshot(QUERIES);
});
