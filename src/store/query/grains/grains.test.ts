import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conditions } from '#filter/conditions.fixture';
import { parseFilter } from '#filter/parse-filter';
import type { Condition, FilterGrain } from '#filter/tree';
import { spanId, TEST_START_US, type TestSpan, traceId } from '../../../../test/harness/otlp-json.ts';
import { hashNumbers } from '../../../../test/traffic/random.ts';
import { type AggregateStore, openAggregateStore } from '../../aggregates/aggregates.fixture.ts';
import { TestAnnotations } from '../../annotations/annotations.fixture.ts';
import { LABELS, PINNED, type Pins } from '../../sets/pins.fixture.ts';
import type { TraceTableSort } from '../../spans/browse-port.ts';
import { type PlainGrain, plainMatches, plainSessions, plainTraces } from './grains.fixture.ts';
import { countSessions, searchSessions } from './search-sessions.ts';
import { countTraces, searchTraces } from './search-traces.ts';
import { toRootPart, toSpanPart } from './span-part.ts';
import { SpanVerdicts } from './span-verdicts.ts';
import { UNCERTAIN, YES } from '../verdicts.ts';
import { runsOf } from '../../../../test/harness/test-engine.ts';

let store: AggregateStore;
let traces: readonly PlainGrain[];
let sessions: readonly PlainGrain[];
let pins: Pins;

beforeAll(async () => {
  store = await openAggregateStore();
  const spans = Array.from({ length: 60 }, (_, trace) => treeOf(trace)).flat();
  await store.send(spans.slice(0, 200));
  await store.seal();
  await store.send(spans.slice(150));
  pins = await store.createPins();
  await pins.addSome();
  const beside = { pins, annotations: new TestAnnotations(store.scope.db) };
  await beside.annotations.addSome();
  [traces, sessions] = [await plainTraces(store, beside), await plainSessions(store, beside)];
});
afterAll(() => store.close());

const SETS = Object.values(PINNED).flatMap(({ leaf }) => LABELS.map((label) => leaf({ label }).set));

const assertNotLost = () => undefined;
const NEVER = { isOver: false, assertNotLost };
const ALWAYS = { isOver: true, assertNotLost };

describe('filters of traces', () => {
  it('say what the evaluator says of all originals', async () => {
    await fc.assert(
      fc.asyncProperty(conditions('trace', 2, SETS), async (condition) => {
        expect(await tracesOf(condition)).toEqual(plainMatches(traces, condition));
      }),
      { seed: 20_261_122, numRuns: runsOf(60) },
    );
  });

  it('are decided by columns where those tell', async () => {
    let [certain, asked] = [0, 0];
    const atom = fc.constantFrom(...OF_SPANS);
    const filter = fc
      .tuple(
        fc.constantFrom('any', 'not any', 'all', 'not all'),
        atom,
        fc.constantFrom('and', 'or'),
        atom,
        fc.option(atom),
      )
      .map(
        ([ask, a, join, b, which]) => `${ask}(${a} ${join} ${b} for s in spans${which === null ? '' : ` if ${which}`})`,
      );
    await fc.assert(
      fc.asyncProperty(filter, async (text) => {
        const condition = read('trace', text);
        const part = toSpanPart(condition);
        if (part === undefined) throw new Error(`${text} is not of single spans`);
        const verdicts = new SpanVerdicts(store.scope, store.projectRowId(), [part]);
        await verdicts.cover({ startUs: -Infinity, endUs: Infinity }, assertNotLost);
        const matches = new Set(plainMatches(traces, condition));
        for (const { rowId } of traces) {
          asked++;
          const verdict = verdicts.verdictOf(part, { id: rowId, root_span_row_id: null });
          if (verdict === UNCERTAIN) continue;
          certain++;
          expect(verdict === YES, text).toBe(matches.has(rowId));
        }
      }),
      { seed: 20_261_122, numRuns: runsOf(80) },
    );
    expect(asked).toBeGreaterThan(traces.length);
    expect(certain / asked).toBeGreaterThan(0.6);
  });

  it('are decided by columns and sets where their spans are asked to be in those', async () => {
    const name: Condition = read('trace', "any(s.name == 'a' for s in spans)");
    if (name.kind !== 'quantifier') throw new Error('no quantifier');
    for (const { set } of Object.values(PINNED).map(({ leaf }) => leaf({ label: 'some' }, 's'))) {
      const leaf: Condition = { kind: 'inSet', isNegated: false, set, of: 's' };
      const tests: readonly Condition[] = [leaf, { kind: 'or', operands: [{ ...leaf, isNegated: true }, name.test] }];
      for (const quantifier of ['any', 'all'] as const) {
        for (const [test, where] of [
          [tests[0], null],
          [tests[1], leaf],
          [name.test, tests[1]],
        ] as const) {
          if (test === undefined || where === undefined) throw new Error('no test');
          const condition: Condition = { ...name, quantifier, test, over: { ...name.over, where } };
          const part = toSpanPart(condition);
          if (part === undefined) throw new Error('not of single spans');
          const verdicts = new SpanVerdicts(store.scope, store.projectRowId(), [part]);
          await verdicts.cover({ startUs: -Infinity, endUs: Infinity }, assertNotLost);
          const matches = new Set(plainMatches(traces, condition));
          const decided = traces.filter(({ rowId }) => {
            const verdict = verdicts.verdictOf(part, { id: rowId, root_span_row_id: null });
            if (verdict !== UNCERTAIN) expect(verdict === YES, JSON.stringify(condition)).toBe(matches.has(rowId));
            return verdict !== UNCERTAIN;
          });
          expect(decided.length).toBeGreaterThan(traces.length / 2);
        }
      }
    }
  });

  it('are decided by columns of root spans where those tell', async () => {
    const paths = new Map([
      ['input', 'input.value'],
      ['output', 'output.value'],
    ]);
    let [certain, asked] = [0, 0];
    for (const text of OF_ROOTS) {
      const condition = read('trace', text);
      const part = toRootPart(condition, paths);
      if (part === undefined) throw new Error(`${text} is not of the root span`);
      const verdicts = new SpanVerdicts(store.scope, store.projectRowId(), [part]);
      await verdicts.cover({ startUs: -Infinity, endUs: Infinity }, assertNotLost);
      const matches = new Set(plainMatches(traces, condition));
      const rows = await store.scope.db.selectFrom('traces').select(['id', 'root_span_row_id']).execute();
      for (const row of rows) {
        asked++;
        const verdict = verdicts.verdictOf(part, row);
        if (verdict === UNCERTAIN) continue;
        certain++;
        expect(verdict === YES, text).toBe(matches.has(row.id));
      }
    }
    expect(certain / asked).toBeGreaterThan(0.6);
    for (const text of ['num_spans > 1', "any(s.name == 'a' for s in spans)", "input == 'a' or num_spans > 1"]) {
      expect(toRootPart(read('trace', text), paths), text).toBeUndefined();
    }
  });

  it.each([
    'error_count > 0',
    'num_spans >= 4 and latency_ms > 3',
    "any(s.span_kind == 'TOOL' and s.latency_ms > 2 for s in spans)",
    "all(s.status_code != 'ERROR' for s in spans if s.span_kind == 'LLM')",
    "not any(s.name == 'needle' for s in spans) and error_count == 0",
    "any(any(c.status_code == 'ERROR' for c in s.children) for s in spans)",
    "any(s.parent_span.span_kind == 'LLM' and s.span_kind == 'TOOL' for s in spans)",
    'any(len([t for t in s.siblings]) == 2 for s in spans)',
    'any(s.parent_span is None and s.parent_id is not None for s in spans)',
    'sum(d.cost for d in span_cost_details if d.is_prompt) > 0',
    'total_cost > 0',
    "len([s for s in spans if s.span_kind == 'LLM']) > 1",
    'max(s.cumulative_llm_token_count_total for s in spans) > 40',
    "'needle' in input",
    "output is None and 'needle' not in input",
    "metadata['tier'] == 'gold'",
    "user.id == 'u1'",
    `any(s.name == '${'n'.repeat(1499)}b' for s in spans)`,
    'llm_span_count == 1 or tool_span_count > 2',
    "trace_annotations['quality'].score >= 1 and trace_annotations['quality'].label is not None",
    "not trace_annotations['quality']",
    "trace_annotations['quality'].annotator_kind == 'LLM' and error_count > 0",
    "trace_annotations['quality'].score < latency_ms",
    'trace_annotations["quality"].score > trace_annotations["it\'s"].score',
    "any(a.name == 'quality' and a.score > 12 for a in span_annotations)",
    "not all(a.score > -3 for a in trace_annotations if a.name == 'quality')",
    "len([a for a in span_annotations if a.name == 'quality' and a.label == 'a']) > 1",
    'max(a.score for a in trace_annotations) > 1',
    'any(len([a for a in s.annotations]) > 4 for s in spans)',
    'any(any(a.score > s.latency_ms for a in s.annotations) for s in spans)',
    "any(all(a.score > 0 for a in s.document_annotations) and s.name == 'a' for s in spans)",
  ])('%s', async (text) => {
    const condition = read('trace', text);
    const expected = plainMatches(traces, condition);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(traces.length);
    expect(await tracesOf(condition)).toEqual(expected);
    const selection = { projectRowId: store.projectRowId(), condition };
    expect(await countTraces(store.scope, selection, 10_000)).toEqual({
      count: expected.length,
      isExact: true,
      share: 1,
    });
  });

  it.each([
    ['start_time', 'asc'],
    ['start_time', 'desc'],
    ['latency', 'asc'],
    ['latency', 'desc'],
    ['total_tokens', 'asc'],
    ['cost', 'desc'],
  ] as const)('come by %s %s, each once, whether pages are whole or not', async (sort, order) => {
    const condition = read('trace', "any(s.span_kind == 'TOOL' for s in spans) and latency_ms >= 1");
    const expected = inOrder(plainMatches(traces, condition), sort, order);
    expect(await pagesOf(condition, sort, order, 7, NEVER)).toEqual(expected);
    expect(await pagesOf(condition, sort, order, 7, ALWAYS)).toEqual(expected);
  });

  it('tell how far a page has looked', async () => {
    const condition = read('trace', 'num_spans > 1000');
    const request = { sort: 'start_time', order: 'desc', limit: 3, after: null } as const;
    const scope = { projectRowId: store.projectRowId(), condition };
    const page = await searchTraces(store.scope, scope, request, ALWAYS);
    expect(page.rows).toEqual([]);
    expect(page.next).not.toBeNull();
    expect(page.looked).toEqual({ isWhole: false, untilTimeUs: page.next?.value, share: 4 / traces.length });
    expect(await countTraces(store.scope, scope, -1)).toEqual({ count: 0, isExact: true, share: 1 });
  });
});

describe('filters of sessions', () => {
  it('say what the evaluator says of all originals', async () => {
    await fc.assert(
      fc.asyncProperty(conditions('session', 2, SETS), async (condition) => {
        expect(await sessionsOf(condition)).toEqual(plainMatches(sessions, condition));
      }),
      { seed: 20_261_122, numRuns: runsOf(60) },
    );
  });

  it.each([
    'num_traces > 4',
    'num_traces_with_error / num_traces > 0.4',
    "'needle' in any_input",
    "'needle' in first_input or 'needle' in last_output",
    "any(len([s for s in t.spans if s.span_kind == 'TOOL']) > 2 for t in traces)",
    "any(s.status_code == 'ERROR' and s.latency_ms > 3 for s in spans)",
    'total_cost > 0.0005',
    "metadata['tier'] == 'gold'",
    "session_annotations['quality'].score >= 1",
    "not session_annotations['quality'] or 'a' in session_annotations['quality'].label",
    "session_annotations['quality'].score < num_traces",
    "any(a.name == 'quality' and a.score >= 1 for a in session_annotations)",
    "any(a.name == 'a b' for a in span_annotations)",
    'sum(a.score for a in session_annotations) > 10',
    "any(any(any(a.score == 20 and a.label == 'LLM' for a in s.annotations) for s in t.spans) for t in traces)",
  ])('%s', async (text) => {
    const condition = read('session', text);
    const expected = plainMatches(sessions, condition);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(sessions.length);
    expect(await sessionsOf(condition)).toEqual(expected);
    const selection = { projectRowId: store.projectRowId(), condition };
    const counted = await countSessions(store.scope, selection, 10_000);
    expect(counted).toEqual({ count: expected.length, isExact: true, share: 1 });
  });
});

/** Of the root span alone. */
const OF_ROOTS = [
  "user.id == 'u1'",
  "user.id != 'u1'",
  'user.id is None',
  "input == 'hello' or output is not None",
  "'NEEDLE' in input and user.id in ['u1', 'u2']",
  "metadata['tier'] == 'gold'",
  "float(metadata['tier']) + 1 > 3",
  "attributes['llm.model_name'] == 'gpt-4o'",
];

/** Of a span alone. */
const OF_SPANS = [
  "s.span_kind == 'TOOL'",
  "s.status_code in ['ERROR', 'OK']",
  's.latency_ms > 2',
  's.latency_ms is None',
  's.start_time < s.end_time',
  "s.name == 'needle'",
  "'N' in s.name",
  `s.name != '${'n'.repeat(1499)}b'`,
  's.parent_span is None',
  's.parent_id is not None',
  "s.user_id == 'u1'",
  "s.user_id is None or s.session_id == 'session 3'",
  's.llm_token_count_total > 30',
  's.llm_token_count_prompt - s.llm_token_count_completion < 10',
  'any(d.is_prompt for d in s.cost_details)',
  'sum(d.cost for d in s.cost_details) > 0.00001',
];

async function tracesOf(condition: Condition): Promise<readonly number[]> {
  return (await pagesOf(condition, 'start_time', 'desc', 1000, NEVER)).toSorted((a, b) => a - b);
}

async function pagesOf(
  condition: Condition,
  sort: TraceTableSort,
  order: 'asc' | 'desc',
  limit: number,
  budget: typeof NEVER,
): Promise<readonly number[]> {
  const found: number[] = [];
  const scope = { projectRowId: store.projectRowId(), condition };
  for (let after = null; ; ) {
    const page = await searchTraces(store.scope, scope, { sort, order, limit, after }, budget);
    found.push(...page.rows.map(({ rowId }) => rowId));
    if (page.next === null) return found;
    after = page.next as never;
  }
}

async function sessionsOf(condition: Condition): Promise<readonly number[]> {
  const found: number[] = [];
  const scope = { projectRowId: store.projectRowId(), condition };
  for (let after = null; ; ) {
    const page = await searchSessions(
      store.scope,
      scope,
      { sort: 'trace_count', order: 'desc', limit: 3, after },
      ALWAYS,
    );
    found.push(...page.rows.map(({ rowId }) => rowId));
    if (page.next === null) return found.toSorted((a, b) => a - b);
    after = page.next as never;
  }
}

const FIELDS: Readonly<Record<TraceTableSort, string>> = {
  start_time: 'start_time',
  latency: 'latency_ms',
  total_tokens: 'token_count_total',
  cost: 'total_cost',
};

function inOrder(rowIds: readonly number[], sort: TraceTableSort, order: 'asc' | 'desc'): readonly number[] {
  const name = FIELDS[sort];
  const values = new Map(traces.map(({ rowId, row }) => [rowId, Number(row.fields?.[name])]));
  const sign = order === 'asc' ? 1 : -1;
  return rowIds.toSorted((a, b) => sign * ((values.get(a) ?? 0) - (values.get(b) ?? 0) || a - b));
}

function read(grain: FilterGrain, text: string): Condition {
  const { condition, diagnostics } = parseFilter(grain, text);
  if (condition === null) throw new Error(`${text}: ${JSON.stringify(diagnostics)}`);
  return condition;
}

const LONG = 'x'.repeat(3000);

/** A tree of up to seven spans; some of their parents are not stored. */
function treeOf(trace: number): readonly TestSpan[] {
  const random = (salt: number) => hashNumbers(trace, salt);
  return Array.from({ length: 1 + (random(1) % 7) }, (_, place): TestSpan => {
    const of = (salt: number) => random(place * 40 + salt);
    const pick = <Item>(items: readonly Item[], salt: number): Item => items[of(salt) % items.length] as Item;
    const startUs = TEST_START_US + trace * 3000 + (of(2) % 4) * 1000;
    const parent = place === 0 ? (random(3) % 9 === 0 ? 5000 : null) : of(4) % 8 === 0 ? 6000 : of(5) % place;
    return {
      traceId: traceId(trace + 1),
      spanId: spanId(trace * 10 + place + 1),
      ...(parent !== null && { parentSpanId: spanId(parent >= 5000 ? parent : trace * 10 + parent + 1) }),
      name: pick(['a', 'needle', `${'n'.repeat(1499)}${pick(['a', 'b'], 6)}`, 'step'], 7),
      startUs,
      endUs: of(8) % 11 === 0 ? startUs - 1 : startUs + (of(9) % 5) * 1000,
      status: pick(['UNSET', 'OK', 'ERROR', 'OK', 'OK'] as const, 10),
      attributes: {
        'openinference.span.kind': pick(['LLM', 'TOOL', 'CHAIN', 'AGENT'], 11),
        ...(random(12) % 5 > 0 && { 'session.id': `session ${random(13) % 9}` }),
        ...(of(14) % 2 === 0 && { 'input.value': pick(['hello', `${LONG}needle`, LONG, '12', 'a Needle'], 15) }),
        ...(of(16) % 3 === 0 && { 'output.value': pick(['fine', `${LONG} needle`, '{"a": 1}'], 17) }),
        ...(of(18) % 2 === 0 && { metadata: pick(['{"tier": "gold"}', '{"tier": 3}', '{"k": [1]}'], 19) }),
        ...(of(20) % 3 === 0 && { 'user.id': pick(['u1', 'u2', LONG], 21) }),
        ...(of(22) % 2 === 0 && {
          'llm.model_name': 'gpt-4o',
          'llm.token_count.prompt': of(23) % 50,
          'llm.token_count.completion': of(24) % 20,
        }),
      },
    };
  });
}
