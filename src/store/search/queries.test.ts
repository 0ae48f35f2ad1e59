import { expect, it } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { QUERIES, StatementRecorder } from '../engine/statement-recorder.fixture.ts';
import { openSearchable } from './open-searchable.fixture.ts';
import { noteTokenizer, startSearchRebuild } from '../texts/progress.ts';

it('the SQL of searches is the committed text, so that a change of a query shows in review', async () => {
  const recorder = new StatementRecorder();
  const store = await openSearchable(await recorder.open());
  const span = (number: number) => ({
    traceId: traceId(1),
    spanId: spanId(number),
    name: 'common',
    attributes: { note: `n${number}` },
  });
  await store.send([span(1), span(2)]);
  await store.index();
  await store.send([{ ...span(1), name: 'again' }]);
  await noteTokenizer(store.db);
  await startSearchRebuild(store.db);
  await store.index();
  const bounds = { projectRowId: 1, startTimeUs: 1, endTimeUs: Number.MAX_SAFE_INTEGER };
  const page = { limit: 10, after: null };
  await store.search.searchTexts(bounds, { text: 'common co*', scope: 'everything' }, { order: 'best', ...page });
  await store.search.searchTexts({ traceRowId: 1 }, { text: 'common', scope: 'names' }, { order: 'newest', ...page });
  await store.send(Array.from({ length: 200 }, (_, index) => ({ ...span(index + 10), traceId: traceId(index + 10) })));
  await store.index();
  await store.search.searchTexts(
    { projectRowId: 1 },
    { text: 'common', scope: 'everything' },
    { order: 'newest', ...page },
  );
  await store.search.readSearchCurrency();
  await store.close();
  const statements = recorder.statements.filter((statement) => statement.includes('search_'));
  const text = statements.map((statement) => `${statement}\n`).join('\n');
  await expect(text).toMatchFileSnapshot(QUERIES);
});
