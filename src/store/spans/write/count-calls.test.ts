import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { SPAN_KINDS, type SpanKind } from '#domain/span';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { runsOf } from '../../../../test/harness/test-engine.ts';
import { BASE, type CountingStore, openCountingStore, type PlainSpan, whatCounts } from './count-calls.fixture.ts';

let store: CountingStore;

beforeEach(async () => {
  store = await openCountingStore();
});

describe('what counts of model calls', () => {
  it.each<[string, readonly SpanKind[]]>([
    ['directly below it', []],
    ['a step below it', ['CHAIN']],
    ['an agent and its steps below it', ['AGENT', 'CHAIN', 'UNKNOWN', 'LLM', 'PROMPT', 'DECISION']],
  ])('is the call and not the span that repeats it from %s, whichever comes first', async (_what, between) => {
    const path = wrapperOver(between);
    for (const order of [path, path.toReversed()]) {
      for (const span of order) await store.send([{ ...span, trace: order === path ? 1 : 2 }]);
    }
    expect(await traceTokens()).toEqual([5, 5]);
  });

  it.each<SpanKind>(['TOOL', 'RETRIEVER', 'RERANKER', 'GUARDRAIL', 'EVALUATOR', 'EMBEDDING'])(
    'is both where a %s between them asks a model for itself',
    async (kind) => {
      await store.send(wrapperOver(['CHAIN', kind, 'CHAIN']));
      expect(await traceTokens()).toEqual([12]);
    },
  );

  it('is never what other kinds claim', async () => {
    const others = SPAN_KINDS.filter((kind) => kind !== 'LLM');
    await store.send(others.map((kind, id) => ({ ...BASE, id: id + 1, kind, tokens: 9 })));
    expect(await traceTokens()).toEqual([0]);
  });

  it('is the wrapper where the call below says nothing, and follows what is sent again', async () => {
    const [wrapper, step, call] = wrapperOver(['CHAIN']) as [PlainSpan, PlainSpan, PlainSpan];
    await store.send([wrapper, step, { ...call, tokens: 0 }]);
    expect(await traceTokens()).toEqual([7]);
    await store.send([call]);
    expect(await traceTokens()).toEqual([5]);
    await store.send([{ ...step, kind: 'TOOL' }]);
    expect(await traceTokens()).toEqual([12]);
    await store.send([{ ...call, parent: wrapper.id }]);
    expect(await traceTokens()).toEqual([5]);
  });

  it('looks past sixteen spans between, and no further', async () => {
    const between = (count: number) => new Array<SpanKind>(count).fill('CHAIN');
    await store.send(wrapperOver(between(16)));
    await store.send(wrapperOver(between(17)).map((span) => ({ ...span, trace: 2 })));
    expect(await traceTokens()).toEqual([5, 12]);
  });
});

describe('two instrumentations that describe one answer', () => {
  const one = { ...BASE, kind: 'LLM' as const, tokens: 5, startUs: 10, endUs: 30, responseId: 'r' };
  const other = { ...one, id: 2, startUs: 12, endUs: 28, scope: 'b' };

  it.each([1, 2])('count once beside each other, also in trace %i, whichever comes first', async (trace) => {
    for (const [first, second] of [
      [one, { ...other, trace }],
      [{ ...other, trace }, one],
    ] as const) {
      await store.engine.close();
      store = await openCountingStore();
      await store.send([first]);
      await store.send([second]);
      expect(sumOf(await traceTokens())).toBe(5);
      expect(await spanTokens()).toEqual({ [spanId(1)]: 5, [spanId(2)]: 0 });
    }
  });

  it('count once in the session that names the first', async () => {
    await store.send([{ ...other, trace: 2, session: 'second' }]);
    await store.send([{ ...one, session: 'first' }]);
    expect(await sessionTokens()).toEqual({ first: 5, second: 0 });
  });

  it.each<[string, Partial<PlainSpan>]>([
    ['come from one instrumentation', { scope: 'a' }],
    ['have other ids', { responseId: 's' }],
    ['do not overlap', { startUs: 30, endUs: 40 }],
  ])('count both where they %s', async (_what, difference) => {
    await store.send([one, { ...other, ...difference }]);
    expect(await traceTokens()).toEqual([10]);
  });

  it('count once where one of them wraps a call of its own', async () => {
    await store.send([{ ...one, tokens: 9 }, { ...one, id: 3, parent: 1, startUs: 11 }, other]);
    expect(await spanTokens()).toEqual({ [spanId(1)]: 0, [spanId(2)]: 0, [spanId(3)]: 5 });
  });
});

describe('any spans in any order, replaced or not', () => {
  it('count as they do when all are looked at together', { timeout: 60_000 }, async () => {
    const anyCommits = fc.array(fc.array(anySpan(7), { maxLength: 5 }), { maxLength: 14 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(anyCommits, async (commits) => {
        run++;
        const spans = new Map<string, PlainSpan>();
        for (const commit of commits) {
          const own = commit.map((span) => inRun(span, run));
          for (const span of own) spans.set(`${span.trace} ${span.id}`, span);
          await store.send(own);
        }
        await expectPlain([...spans.values()]);
      }),
      { numRuns: runsOf(300) },
    );
  });

  it('count so in deep trees, too', { timeout: 60_000 }, async () => {
    const anyTree = fc
      .tuple(
        fc.array(fc.tuple(anySpan(1), fc.nat({ max: 3 })), { minLength: 20, maxLength: 60 }),
        fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
      )
      .map(([nodes, order]) => {
        const tree = nodes.map(([span, back], place) => ({
          ...span,
          trace: 1,
          id: place + 1,
          startUs: span.startUs + 10 * place,
          endUs: span.endUs + 10 * place,
          parent: place === 0 ? null : Math.max(place - back, 1),
          kind: place % 11 === 0 ? ('LLM' as const) : place % 23 === 22 ? ('TOOL' as const) : ('CHAIN' as const),
        }));
        return tree.toSorted((a, b) => (order[a.id - 1] ?? 0) - (order[b.id - 1] ?? 0));
      });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(anyTree, fc.integer({ min: 1, max: 9 }), async (tree, size) => {
        run++;
        const spans = tree.map((span) => inRun(span, run));
        for (let at = 0; at < spans.length; at += size) await store.send(spans.slice(at, at + size));
        await expectPlain(spans);
      }),
      { numRuns: runsOf(100) },
    );
  });
});

describe('response ids', () => {
  it('of what is stored are known again after a start, and those of busy moments are always looked up', async () => {
    const call = { ...BASE, kind: 'LLM' as const, tokens: 3, endUs: 100, responseId: 'a' };
    await store.send([call]);
    const { engine } = store;
    const other = await openCountingStore(engine);
    await other.send([{ ...call, trace: 2, startUs: 2, scope: 'b' }]);
    expect(await traceTokens()).toEqual([3, 0]);
    await engine.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 30000)
      INSERT INTO spans (id, project_id, trace_row_id, span_id, name, kind, status, start_us, response_key, call_distance,
        counted_prompt_tokens, counted_completion_tokens, counted_cost_nanousd, otel_resource_id,
        instrumentation_scope_id, attributes, attributes_cut)
      SELECT 1000000 + n, 1, 1000 + n, 'x' || n, '', 0, 0, 1, n, 0, 0, 0, 0, 1, 1, '{}', 0 FROM numbers`);
    const busy = await openCountingStore(engine);
    await busy.send([{ ...call, trace: 3, startUs: 3, scope: 'c' }]);
    expect(await traceTokens()).toEqual([3, 0, 0]);
  });
});

/** A wrapper that claims 7, spans of these kinds one below the other, and a call that claims 5. */
function wrapperOver(between: readonly SpanKind[]): readonly PlainSpan[] {
  return [
    { ...BASE, kind: 'LLM', tokens: 7 },
    ...between.map((kind, place) => ({ ...BASE, id: place + 2, parent: place + 1, kind })),
    { ...BASE, id: between.length + 2, parent: between.length + 1, kind: 'LLM', tokens: 5 },
  ];
}

function anySpan(ids: number): fc.Arbitrary<PlainSpan> {
  return fc
    .record({
      trace: fc.integer({ min: 1, max: 2 }),
      id: fc.integer({ min: 1, max: ids }),
      parent: fc.option(fc.integer({ min: 1, max: ids })),
      kind: fc.constantFrom<SpanKind>('LLM', 'LLM', 'LLM', 'CHAIN', 'CHAIN', 'AGENT', 'TOOL', 'UNKNOWN'),
      tokens: fc.constantFrom(0, 1, 2, 5),
      startUs: fc.constantFrom(1000, 2000, 3000, 2 ** 22 - 2000, 2 ** 22 + 1000, 2 ** 22 + 4000, 2 ** 23 + 500),
      lengthUs: fc.constantFrom(0, 1500, 3000, 2 ** 22, 2 ** 33),
      scope: fc.constantFrom('a', 'b'),
      responseId: fc.option(fc.constantFrom('r', 's')),
      session: fc.option(fc.constantFrom('x', 'y')),
    })
    .map(({ lengthUs, ...span }) => ({
      ...span,
      // No two start together: which of them is first would depend on the order of arrival.
      startUs: span.startUs + 10 * span.id + span.trace,
      endUs: span.startUs + 10 * span.id + span.trace + lengthUs,
    }));
}

/** The span in traces, sessions and answers that no other run has. */
function inRun(span: PlainSpan, run: number): PlainSpan {
  const of = (name: string | null) => (name === null ? null : `${name} of ${run}`);
  return { ...span, trace: 10 * run + span.trace, responseId: of(span.responseId), session: of(span.session) };
}

/** Asserts that what is stored of the spans' traces counts as it does when all of them are looked at. */
async function expectPlain(spans: readonly PlainSpan[]): Promise<void> {
  const { dialect, rows } = store.engine;
  const counting = whatCounts(spans);
  const traceIds = dialect.textsOf([...new Set(spans.map(({ trace }) => traceId(trace)))]);
  const stored = await rows(sql`
    SELECT traces.trace_id || spans.span_id AS id, counted_prompt_tokens AS tokens, counted_completion_tokens AS more
      FROM spans JOIN traces ON traces.id = spans.trace_row_id WHERE traces.trace_id IN ${traceIds} ORDER BY 1`);
  const expected = spans.map((span) => ({
    id: `${traceId(span.trace)}${spanId(span.id)}`,
    tokens: counting.has(span) ? span.tokens : 0,
    more: counting.has(span) ? 2 * span.tokens : 0,
  }));
  expect(stored).toEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  expect(await wrongSums(traceIds)).toEqual([]);
}

/** Of the traces and their sessions those that are not the sums of what counts in them. */
function wrongSums(traceIds: RawBuilder<string>): Promise<readonly unknown[]> {
  return store.engine.rows(sql`
    WITH own AS (SELECT * FROM traces WHERE trace_id IN ${traceIds})
      SELECT 'trace' AS what, own.id, own.prompt_tokens, sum(counted_prompt_tokens) AS counted
        FROM own JOIN spans ON spans.trace_row_id = own.id GROUP BY own.id, own.prompt_tokens, own.completion_tokens
        HAVING own.prompt_tokens <> sum(counted_prompt_tokens)
          OR own.completion_tokens <> sum(counted_completion_tokens)
      UNION ALL
      SELECT 'session', sessions.id, sessions.prompt_tokens, sum(own.prompt_tokens)
        FROM own JOIN sessions ON sessions.id = own.session_row_id GROUP BY sessions.id
        HAVING sessions.prompt_tokens <> sum(own.prompt_tokens)
          OR sessions.completion_tokens <> sum(own.completion_tokens)`);
}

async function traceTokens(): Promise<unknown[]> {
  const rows = await store.engine.rows('SELECT prompt_tokens AS tokens FROM traces ORDER BY trace_id');
  return rows.map(({ tokens }) => tokens);
}

async function spanTokens(): Promise<Record<string, unknown>> {
  const rows = await store.engine.rows('SELECT span_id AS id, counted_prompt_tokens AS tokens FROM spans');
  return Object.fromEntries(rows.map(({ id, tokens }) => [id, tokens]));
}

async function sessionTokens(): Promise<Record<string, unknown>> {
  const rows = await store.engine.rows('SELECT session_id AS id, prompt_tokens AS tokens FROM sessions');
  return Object.fromEntries(rows.map(({ id, tokens }) => [id, tokens]));
}

function sumOf(numbers: readonly unknown[]): number {
  return numbers.reduce<number>((sum, number) => sum + Number(number), 0);
}
