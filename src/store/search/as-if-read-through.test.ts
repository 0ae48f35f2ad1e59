/** The index finds what reading every text of every span finds, whatever was stored, replaced and deleted before. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isFoundIn } from '#derive/search/match';
import { parseSearch } from '#derive/search/query';
import { SEARCH_SCOPES, scopeBits } from '#derive/search/scope';
import { runsOf } from '../../../test/harness/test-engine.ts';
import { type ListedSpan, selectSpanRows, toSpanRow } from '../spans/rows/span-query.ts';
import { openInTwoParts, type Searchable } from './open-searchable.fixture.ts';
import { readTexts } from './read-texts.ts';
import { step, take } from './search-steps.fixture.ts';
import { spanOfText } from '../words/text-ids.ts';

const search = fc.constantFrom(
  'alpha',
  'alpha beta',
  '"alpha beta"',
  'alpha -beta',
  'beta OR gamma',
  'gam*',
  'user',
  'getUserName',
  'order_7',
  '京都',
  '東',
  'cafe zeta9',
  '"role user"',
  'length -"so on" OR alpha',
  'zeta* OR 東 -gamma',
);

it('finds what reading through finds', { timeout: 60_000 }, async () => {
  const run = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: 25 }),
    fc.array(search, { minLength: 3, maxLength: 5 }),
    async (steps, searches) => {
      const store = await openInTwoParts();
      for (const taken of steps) await take(store, taken);
      await store.index();
      const stored = await readAll(store);
      for (const wanted of searches) await compare(store, stored, wanted);
      expect(await textsWithoutSpan(store)).toEqual([]);
      await store.close();
    },
  );
  await fc.assert(run, { numRuns: runsOf(12) });
});

type Stored = Awaited<ReturnType<typeof readAll>>;

async function readAll(store: Searchable) {
  const rows = (await selectSpanRows(store.db).orderBy('spans.id', 'desc').execute()).map(toSpanRow);
  const stored: { readonly row: ListedSpan; readonly texts: ReadonlyMap<string, number> }[] = [];
  for (const row of rows) for await (const { texts } of readTexts(store.scope, [row])) stored.push({ row, texts });
  return stored;
}

async function compare(store: Searchable, stored: Stored, wanted: string): Promise<void> {
  const query = parseSearch(wanted);
  for (const scope of SEARCH_SCOPES) {
    const expected = stored.filter(({ texts }) => {
      const inScope = [...texts].filter(([, places]) => (places & scopeBits(scope)) !== 0);
      return isFoundIn(
        query,
        inScope.map(([text]) => text),
      );
    });
    const names = expected.map(({ row }) => row.name);
    expect([scope, wanted, await store.find(wanted, { scope })]).toEqual([scope, wanted, names]);
    const traceRowId = stored[0]?.row.traceRowId ?? 0;
    const ofTrace = expected.filter(({ row }) => row.traceRowId === traceRowId).map(({ row }) => row.name);
    expect(await store.find(wanted, { scope, spans: { traceRowId } })).toEqual(ofTrace);
  }
}

/** Texts that are indexed and that nothing leads to. */
async function textsWithoutSpan(store: Searchable): Promise<readonly unknown[]> {
  const spans = new Set((await store.rows('SELECT span_row_id AS id FROM search_spans')).map(({ id }) => id));
  return (await store.indexedTexts()).filter((id) => !spans.has(spanOfText(id)));
}
