import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SPAN_KINDS, type SpanKind } from '#domain/span';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { type CountingStore, openCountingStore, type PlainSpan, whatCounts } from './count-calls.fixture.ts';

const BASE: PlainSpan = {
  trace: 1,
  id: 1,
  parent: null,
  kind: 'CHAIN',
  tokens: 0,
  startUs: 1,
  endUs: 2,
  scope: 'a',
  responseId: null,
  session: null,
};

let store: CountingStore;

beforeEach(async () => {
  store = await openCountingStore();
});

afterEach(() => store.connection.close());

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
    expect(traceTokens()).toEqual([5, 5]);
  });

  it.each<SpanKind>(['TOOL', 'RETRIEVER', 'RERANKER', 'GUARDRAIL', 'EVALUATOR', 'EMBEDDING'])(
    'is both where a %s between them asks a model for itself',
    async (kind) => {
      await store.send(wrapperOver(['CHAIN', kind, 'CHAIN']));
      expect(traceTokens()).toEqual([12]);
    },
  );

  it('is never what other kinds claim', async () => {
    const others = SPAN_KINDS.filter((kind) => kind !== 'LLM');
    await store.send(others.map((kind, id) => ({ ...BASE, id: id + 1, kind, tokens: 9 })));
    expect(traceTokens()).toEqual([0]);
  });

  it('is the wrapper where the call below says nothing, and follows what is sent again', async () => {
    const [wrapper, step, call] = wrapperOver(['CHAIN']) as [PlainSpan, PlainSpan, PlainSpan];
    await store.send([wrapper, step, { ...call, tokens: 0 }]);
    expect(traceTokens()).toEqual([7]);
    await store.send([call]);
    expect(traceTokens()).toEqual([5]);
    await store.send([{ ...step, kind: 'TOOL' }]);
    expect(traceTokens()).toEqual([12]);
    await store.send([{ ...call, parent: wrapper.id }]);
    expect(traceTokens()).toEqual([5]);
  });

  it('looks past sixteen spans between, and no further', async () => {
    const between = (count: number) => new Array<SpanKind>(count).fill('CHAIN');
    await store.send(wrapperOver(between(16)));
    await store.send(wrapperOver(between(17)).map((span) => ({ ...span, trace: 2 })));
    expect(traceTokens()).toEqual([5, 12]);
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
      store.connection.close();
      store = await openCountingStore();
      await store.send([first]);
      await store.send([second]);
      expect(sumOf(traceTokens())).toBe(5);
      expect(spanTokens()).toEqual({ [spanId(1)]: 5, [spanId(2)]: 0 });
    }
  });

  it('count once in the session that names the first', async () => {
    await store.send([{ ...other, trace: 2, session: 'second' }]);
    await store.send([{ ...one, session: 'first' }]);
    expect(sessionTokens()).toEqual({ first: 5, second: 0 });
  });

  it.each<[string, Partial<PlainSpan>]>([
    ['come from one instrumentation', { scope: 'a' }],
    ['have other ids', { responseId: 's' }],
    ['do not overlap', { startUs: 30, endUs: 40 }],
  ])('count both where they %s', async (_what, difference) => {
    await store.send([one, { ...other, ...difference }]);
    expect(traceTokens()).toEqual([10]);
  });

  it('count once where one of them wraps a call of its own', async () => {
    await store.send([{ ...one, tokens: 9 }, { ...one, id: 3, parent: 1, startUs: 11 }, other]);
    expect(spanTokens()).toEqual({ [spanId(1)]: 0, [spanId(2)]: 0, [spanId(3)]: 5 });
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
        expectPlain([...spans.values()]);
      }),
      { numRuns: 300 },
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
        expectPlain(spans);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the work that a span makes', () => {
  it.each(['deep', 'wide'])('does not grow with a %s trace', async (shape) => {
    const small = await workInTrace(shape, 400);
    const large = await workInTrace(shape, 4000);
    expect(large).toEqual(small);
    for (const { statements, rows } of large) {
      expect(statements).toBeLessThan(80);
      expect(rows).toBeLessThan(120);
    }
  });

  it('is one read more than none where a model call arrives in a trace that is stored', async () => {
    await store.send([{ ...BASE, id: 1, parent: 9 }]);
    await store.send([{ ...BASE, id: 2, parent: 9, kind: 'TOOL' }]);
    store.takeWork();
    await store.send([{ ...BASE, id: 3, parent: 9, kind: 'TOOL' }]);
    const { statements } = store.takeWork();
    await store.send([{ ...BASE, id: 4, parent: 9, kind: 'LLM', tokens: 3 }]);
    expect(store.takeWork().statements).toBe(statements + 1);
  });

  it('is no read at all where a response id is new among those of its time', async () => {
    const call = { ...BASE, kind: 'LLM' as const, tokens: 3 };
    await store.send([{ ...call, trace: 1, responseId: 'a' }]);
    store.takeWork();
    await store.send([{ ...call, trace: 2 }]);
    const { statements } = store.takeWork();
    await store.send([{ ...call, trace: 3, responseId: 'b' }]);
    expect(store.takeWork().statements).toBe(statements);
    await store.send([{ ...call, trace: 4, responseId: 'b', scope: 'b' }]);
    expect(store.takeWork().statements).toBeGreaterThan(statements);
  });
});

describe('response ids', () => {
  it('of what is stored are known again after a start, and those of busy moments are always looked up', async () => {
    const call = { ...BASE, kind: 'LLM' as const, tokens: 3, endUs: 100, responseId: 'a' };
    await store.send([call]);
    const { connection } = store;
    const other = await openCountingStore(connection);
    await other.send([{ ...call, trace: 2, startUs: 2, scope: 'b' }]);
    expect(traceTokens()).toEqual([3, 0]);
    connection.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT 30000)
      INSERT INTO spans (id, project_id, trace_row_id, span_id, name, kind, status, start_us, response_key, call_distance,
        counted_prompt_tokens, counted_completion_tokens, counted_cost_nanousd, otel_resource_id,
        instrumentation_scope_id, attributes, attributes_cut)
      SELECT 1000000 + n, 1, 1000 + n, 'x' || n, '', 0, 0, 1, n, 0, 0, 0, 0, 1, 1, '{}', 0 FROM numbers`);
    const busy = await openCountingStore(connection);
    await busy.send([{ ...call, trace: 3, startUs: 3, scope: 'c' }]);
    expect(traceTokens()).toEqual([3, 0, 0]);
  });
});

/** What the awkward spans cost: the call at the end comes, changes, goes; a wrapper and a step in the middle come late. */
async function workInTrace(shape: string, size: number): Promise<readonly { statements: number; rows: number }[]> {
  const under = await openCountingStore();
  try {
    const chain = Array.from({ length: size }, (_, place) => ({
      ...BASE,
      id: place + 2,
      parent: shape === 'deep' ? place + 1 : 1,
      ...(shape === 'wide' && place > 0 && { kind: 'LLM' as const, tokens: 1, scope: `${place % 2}`, responseId: 'r' }),
    }));
    for (let at = 0; at < chain.length; at += 100) await under.send(chain.slice(at, at + 100));
    const call: PlainSpan = { ...BASE, id: size + 2, parent: size + 1, kind: 'LLM', tokens: 5, responseId: 'r' };
    const work: { statements: number; rows: number }[] = [];
    for (const span of [
      call,
      { ...call, tokens: 6 },
      { ...call, tokens: 0 },
      call,
      { ...BASE, id: size - 5, parent: size - 6, kind: 'LLM' as const, tokens: 7 },
      { ...BASE, id: size - 5, parent: size - 6 },
      { ...BASE, id: 1, kind: 'LLM' as const, tokens: 8 },
      { ...BASE, id: 1 },
    ]) {
      under.takeWork();
      await under.send([span]);
      work.push(under.takeWork());
    }
    return work;
  } finally {
    under.connection.close();
  }
}

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
function expectPlain(spans: readonly PlainSpan[]): void {
  const { connection } = store;
  const counting = whatCounts(spans);
  const traceIds = JSON.stringify([...new Set(spans.map(({ trace }) => traceId(trace)))]);
  const stored = connection
    .prepare(
      `SELECT traces.trace_id || spans.span_id AS id, counted_prompt_tokens AS tokens, counted_completion_tokens AS more
        FROM spans JOIN traces ON traces.id = spans.trace_row_id
        WHERE traces.trace_id IN (SELECT value FROM json_each(?)) ORDER BY 1`,
    )
    .all([traceIds]);
  const expected = spans.map((span) => ({
    id: `${traceId(span.trace)}${spanId(span.id)}`,
    tokens: counting.has(span) ? span.tokens : 0,
    more: counting.has(span) ? 2 * span.tokens : 0,
  }));
  expect(stored).toEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  expect(wrongSums(traceIds)).toEqual([]);
}

/** Of the traces and their sessions those that are not the sums of what counts in them. */
function wrongSums(traceIds: string): unknown[] {
  return store.connection
    .prepare(
      `WITH own AS (SELECT * FROM traces WHERE trace_id IN (SELECT value FROM json_each(?)))
        SELECT 'trace' AS what, own.id, own.prompt_tokens, sum(counted_prompt_tokens) AS counted
          FROM own JOIN spans ON spans.trace_row_id = own.id GROUP BY own.id
          HAVING own.prompt_tokens <> sum(counted_prompt_tokens)
            OR own.completion_tokens <> sum(counted_completion_tokens)
        UNION ALL
        SELECT 'session', sessions.id, sessions.prompt_tokens, sum(own.prompt_tokens)
          FROM own JOIN sessions ON sessions.id = own.session_row_id GROUP BY sessions.id
          HAVING sessions.prompt_tokens <> sum(own.prompt_tokens)
            OR sessions.completion_tokens <> sum(own.completion_tokens)`,
    )
    .all([traceIds]);
}

function traceTokens(): number[] {
  const rows = store.connection.prepare('SELECT prompt_tokens AS tokens FROM traces ORDER BY trace_id').all([]);
  return (rows as { tokens: number }[]).map(({ tokens }) => tokens);
}

function spanTokens(): Record<string, number> {
  const rows = store.connection.prepare('SELECT span_id AS id, counted_prompt_tokens AS tokens FROM spans').all([]);
  return Object.fromEntries((rows as { id: string; tokens: number }[]).map(({ id, tokens }) => [id, tokens]));
}

function sessionTokens(): Record<string, number> {
  const rows = store.connection.prepare('SELECT session_id AS id, prompt_tokens AS tokens FROM sessions').all([]);
  return Object.fromEntries((rows as { id: string; tokens: number }[]).map(({ id, tokens }) => [id, tokens]));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
