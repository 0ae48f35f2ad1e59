import { expect, it } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import type { SqliteConnection } from '../sqlite/connection.ts';
import { openSqliteTestEngine } from '../sqlite/open-test-engine.fixture.ts';
import { openSearchable } from './open-searchable.fixture.ts';
import { noteTokenizer, startSearchRebuild } from './progress.ts';

it('the SQL of searches is the committed text, so that a change of a query shows in review', async () => {
  const statements = new Map<string, string>();
  const watch = (connection: SqliteConnection): SqliteConnection => ({
    ...connection,
    prepare(text) {
      if (text.includes('search_') && !statements.has(text)) statements.set(text, plan(connection, text));
      return connection.prepare(text);
    },
  });
  const store = await openSearchable(await openSqliteTestEngine(watch));
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
  const text = [...statements].map(([statement, steps]) => `${statement};\n${steps}\n`).join('\n');
  await expect(text).toMatchFileSnapshot('./queries.sqlite.sql');
});

function plan(connection: SqliteConnection, statement: string): string {
  const parameters = Array.from(statement.matchAll(/\?/g), () => null);
  const steps = connection.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(parameters) as { detail: string }[];
  return steps.map(({ detail }) => `--   ${detail}`).join('\n');
}
