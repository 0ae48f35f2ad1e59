/** The index finds what reading every text of every span finds, whatever was stored, replaced and deleted before. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isFoundIn } from '#derive/search/match';
import { parseSearch } from '#derive/search/query';
import { SEARCH_SCOPES, scopeBits } from '#derive/search/scope';
import { spanId, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import { runsOf } from '../../../test/harness/test-engine.ts';
import { type ListedSpan, selectSpanRows, toSpanRow } from '../spans/rows/span-query.ts';
import { openSearchable, type Searchable, STEP } from './open-searchable.fixture.ts';
import { planIndex } from './plan-index.ts';
import { startSearchRebuild } from '../texts/progress.ts';
import { readTexts } from './read-texts.ts';
import { storeIndex } from './store-index.ts';
import { PART_SPANS, spanOfText } from '../words/text-ids.ts';

const word = fc.constantFrom('alpha', 'beta', 'Gamma', 'getUserName', 'order_7', '東京都', 'café', 'zeta9');
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));

const attributes = fc.record(
  {
    'input.value': fc.oneof(
      text,
      fc.array(text, { maxLength: 3 }).map((texts) =>
        JSON.stringify({
          messages: texts.map((content) => ({ role: 'user', content: `${content} and so on, at some length` })),
        }),
      ),
    ),
    'output.value': text,
    'llm.model_name': text,
    note: text,
  },
  { requiredKeys: [] },
);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('send' as const), trace: fc.nat(2), span: fc.nat(5), attributes }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), trace: fc.nat(2), span: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('index' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rebuild' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const) }) },
);

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
      const store = await openSearchable();
      // Most spans are in one part of the row ids, and some in the next.
      await store.exec(`UPDATE row_ids SET next_id = ${PART_SPANS - 8} WHERE table_name = 'spans'`);
      await store.exec(`UPDATE search_progress SET next_span_row_id = ${PART_SPANS - 8}`);
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

type Step = typeof step extends fc.Arbitrary<infer Taken> ? Taken : never;

async function take(store: Searchable, taken: Step): Promise<void> {
  switch (taken.kind) {
    case 'send':
      return store.send([toSpan(taken)]);
    case 'delete':
      return store.exec(
        `DELETE FROM spans WHERE span_id = '${spanId(taken.span + 1)}'
          AND trace_row_id IN (SELECT id FROM traces WHERE trace_id = '${traceId(taken.trace + 1)}')`,
      );
    case 'rebuild':
      await startSearchRebuild(store.db);
      return;
    case 'index': {
      const plan = await planIndex(store.scope, STEP);
      if (plan !== undefined) await store.writer.change((scope) => storeIndex(scope, plan));
      return;
    }
    case 'fail': {
      // What fails in the middle leaves nothing behind, and what was planned before it is stale or goes on.
      const plan = await planIndex(store.scope, STEP);
      if (plan === undefined) return;
      const failing = store.writer.change(async (scope) => {
        await storeIndex(scope, plan);
        throw new Error('interrupted');
      });
      await expect(failing).rejects.toThrow('interrupted');
    }
  }
}

function toSpan({ trace, span, attributes: sent }: { trace: number; span: number; attributes: object }): TestSpan {
  return {
    traceId: traceId(trace + 1),
    spanId: spanId(span + 1),
    name: `span ${trace} ${span}`,
    attributes: sent as NonNullable<TestSpan['attributes']>,
  };
}

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
