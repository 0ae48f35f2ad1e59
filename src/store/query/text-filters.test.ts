/** Filters on texts find what reading every original finds, however far the search index has come. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runsOf } from '../../../test/harness/test-engine.ts';
import { evaluate } from '#filter/evaluate';
import { parseFilter } from '#filter/parse-filter';
import type { Condition, FilterGrain } from '#filter/tree';
import { countStatements } from '../sets/count-statements.fixture.ts';
import { noteTokenizer } from '../texts/progress.ts';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { openInTwoParts, openSearchable, type Searchable } from '../search/open-searchable.fixture.ts';
import { step, take } from '../search/search-steps.fixture.ts';
import { readKnownSpans } from '../aggregates/aggregates.fixture.ts';
import { browseSpans } from '../spans/read/browse-spans.ts';
import { browseTraces } from '../spans/read/browse-traces.ts';
import { prepareFilter } from './prepare-filter.ts';
import { subjectsOf } from './queried-store.fixture.ts';
import { ofProject } from './spans/batch-source.ts';
import { decideBatches } from './spans/search-spans.ts';
import { UNCERTAIN } from './verdicts.ts';

const FILTERS = [
  "'alpha beta' in output.value",
  "'ALPHA' in output.value",
  "'usernam' in output.value",
  "'lpha' in input.value and 'bet' in input.value",
  "'gamma' in output.value or 'zeta9' in input.value",
  "'alpha' not in output.value",
  "'so on, at some' in input.value",
  '\'content": "a\' in input.value',
  "output.value == 'alpha beta'",
  "output.value in ['alpha', 'beta', 'Gamma beta']",
  "'7' in output.value",
  "'xxxx' in output.value",
  "'caf' in output.value",
  "'nowhere at all' in output.value",
  "'alpha' in note",
  "'so on, at' in note",
  "'so on, at' not in note and span_kind == 'UNKNOWN'",
  "'alpha' not in note.beside",
  "'u0007' in note",
  "'beta' in note or 'xxxx' not in note.beside",
  "'true' in note",
  "'alpha' in note.part",
  "'so on' in llm.prompt_template.variables",
  "'zeta9 and' not in input.value",
  "output.value != 'alpha beta'",
  "output.value not in ['alpha', 'beta', 'Gamma beta']",
  "note != 'alpha'",
  "note == 'alpha' or output.value == 'beta'",
  "note.beside not in ['alpha', 'Gamma beta'] and note != 'so on'",
];

function read(text: string, grain: FilterGrain): Condition {
  const { condition, diagnostics } = parseFilter(grain, text);
  if (condition === null) throw new Error(`${text}: ${JSON.stringify(diagnostics)}`);
  return condition;
}

it('find what reading through finds', { timeout: 60_000 }, async () => {
  const run = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: 25 }),
    fc.boolean(),
    async (steps, isWhole) => {
      const store = await openInTwoParts();
      for (const taken of steps) await take(store, taken);
      if (isWhole) await store.index();
      const spans = await readKnownSpans(store.scope, 1);
      const subjects = await subjectsOf(store.scope, spans);
      for (const text of FILTERS) {
        const condition = read(text, 'span');
        const expected = spans.filter((span) => evaluate(condition, subjects.get(span) ?? expect.fail()));
        const found = await listSpans(store, condition);
        expect([text, found]).toEqual([text, expected.map(({ row }) => row.rowId).sort((a, b) => b - a)]);
      }
      await store.close();
    },
  );
  await fc.assert(run, { numRuns: runsOf(12) });
});

describe('spans whose words the index does not know', () => {
  it.each([
    ['because it was built by an earlier version', 'UPDATE search_progress SET tokenizer_version = 0'],
    ['because they changed', 'INSERT INTO search_queue (span_row_id) SELECT id FROM spans'],
  ])('are read, %s', async (_reason, statement) => {
    const store = await openSearchable();
    await store.send([{ traceId: traceId(1), spanId: spanId(1), name: 'x', attributes: { 'output.value': LONG } }]);
    await store.index();
    await store.exec('DELETE FROM search_segments');
    await store.exec('DELETE FROM search_leaves');
    await store.exec(statement);
    await noteTokenizer(store.db);
    const condition = read("'so on' in output.value", 'span');
    expect(await listSpans(store, condition)).toHaveLength(1);
    await store.index();
    expect(await listSpans(store, condition)).toHaveLength(1);
    await store.close();
  });
});

it('spans of a part whose lists of words are damaged are read', async () => {
  const store = await openSearchable();
  await store.send([{ traceId: traceId(1), spanId: spanId(1), name: 'x', attributes: { 'output.value': LONG } }]);
  await store.index();
  await store.db
    .updateTable('search_leaves')
    .set({ lists: Uint8Array.of(0) })
    .execute();
  expect(await listSpans(store, read("'some length and' in output.value", 'span'))).toHaveLength(1);
  await store.close();
});

const LONG = 'and so on, at some length '.repeat(15);

describe('a filter on texts', () => {
  let store: Searchable;

  beforeAll(async () => {
    store = await openSearchable();
    const answers = [
      `we parse it recursively, ${LONG}`,
      `we read it, ${LONG}`,
      `{"said":"\\u00e9t\\u00e9", "more": "${LONG}"}`,
    ];
    await store.send(
      Array.from({ length: 300 }, (_, index) => ({
        traceId: traceId(index + 1),
        spanId: spanId(index + 1),
        name: `span ${index}`,
        attributes: {
          'output.value': answers[index === 17 ? 0 : index % 100 === 3 ? 2 : 1] ?? '',
          'app.kind': index % 2 === 0 ? 'plain' : 'other',
        },
      })),
    );
    await store.index();
  });

  afterAll(() => store.close());

  it.each([
    // Its words are nowhere.
    ["'a word that is nowhere' in output.value", 0, 0],
    ["'recursively' in output.value", 1, 1],
    ["'RECURSIVE' in output.value and latency_ms >= 0", 1, 1],
    // What begins as the number of a character may, in JSON, be one.
    ["'decisive' in output.value", 0, 3],
    ["'recursively' in input.value", 0, 0],
  ])('%s finds %i and leaves %i to their originals', async (text, count, uncertain) => {
    const condition = read(text, 'span');
    expect((await listSpans(store, condition)).length).toBe(count);
    const filter = await prepareFilter(store.scope, condition);
    let left = 0;
    for await (const { verdicts } of decideBatches(store.scope, ofProject({ projectRowId: 1 }), filter, BY_ARRIVAL))
      left += verdicts.filter((verdict) => verdict === UNCERTAIN).length;
    expect(left).toBe(uncertain);
  });

  it.each([
    ["app.kind == 'plain'", 150],
    ["app.kind != 'plain'", 150],
    ["app.kind in ['plain', 'odd']", 150],
    ["app.kind not in ['plain', 'odd']", 150],
  ])('%s does not ask the index, since columns hold short texts', async (text, count) => {
    const counted = countStatements(store.scope.db);
    const ask = async (filter: string) => {
      const condition = read(filter, 'span');
      const scope = { projectRowId: 1, rootsOnly: false, condition };
      const { rows } = await browseSpans({ ...store.scope, db: counted.db }, scope, PAGE);
      return { count: rows.length, statements: counted.take().statementCount };
    };
    const plain = await ask('latency_ms >= 0 or app.kind == 1');
    expect(plain.count).toBe(300);
    expect(await ask(text)).toEqual({ count, statements: plain.statements });
  });

  it.each([
    ["tool.name == 'plain'", false],
    ["'plain' in tool.name", true],
  ])('%s asks the index before columns of a range are read: %s', async (text, isAsked) => {
    const counted = countStatements(store.scope.db);
    const filter = await prepareFilter({ ...store.scope, db: counted.db }, read(text, 'span'));
    counted.take();
    await filter.rows?.mayHold({ from: 1, end: 4096 });
    expect(counted.take().statementCount > 0).toBe(isAsked);
  });

  it('is asked of many roots together', async () => {
    const condition = read("'recursively' in attributes['output.value']", 'trace');
    const page = await browseTraces(store.scope, { projectRowId: 1, condition }, PAGE);
    expect(page.rows.map(({ traceId: found }) => found)).toEqual([traceId(18)]);
  });
});

const BY_ARRIVAL = { column: null, direction: 'asc', after: null } as const;
const PAGE = { sort: 'start_time', order: 'desc', limit: 1000, after: null } as const;

async function listSpans(store: Searchable, condition: Condition): Promise<readonly number[]> {
  const page = await browseSpans(store.scope, { projectRowId: 1, rootsOnly: false, condition }, PAGE);
  expect(page.next).toBe(null);
  return page.rows.map(({ rowId }) => rowId).sort((a, b) => b - a);
}
