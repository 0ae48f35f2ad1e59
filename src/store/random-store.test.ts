/** Lists, numbers, facets, sums, search and originals say the same as a naive model, whatever was done in whatever order. */
import { expect, it } from 'vitest';
import { parseFilter } from '#filter/parse-filter';
import { joinConditions } from '#filter/check/join';
import type { Condition, FilterGrain } from '#filter/tree';
import { spanId, TEST_START_US, traceId } from '../../test/harness/otlp-json.ts';
import { randomNumbers } from '../../test/traffic/random.ts';
import type { Dimension } from './aggregates/port.ts';
import { findLeftovers } from './deletion/deletion.fixture.ts';
import { quantilesOf } from './aggregates/quantiles.ts';
import { relationalProjectSums } from './projects/relational-project-sums.ts';
import { browseSpans, countSpans } from './spans/read/browse-spans.ts';
import type { StoredRow } from './engine/test-engine.fixture.ts';
import { searchTraces } from './query/grains/search-traces.ts';
import { PINNED } from './sets/pins.fixture.ts';
import { runBulkAction } from './random-bulk.fixture.ts';
import { RandomStore } from './random-store.fixture.ts';
import { readOriginals } from './spans/rows/originals.ts';
import type { SpanTableSort } from './spans/browse-port.ts';
import type { Told, Trace } from './random-world.fixture.ts';
import { HOSTILE, PROJECTS, TRACE_STEP_US, WORDS, World, pick } from './random-world.fixture.ts';
import { seedsOf } from '../../test/harness/test-engine.ts';

interface Question {
  readonly text: string;
  /** Beside what the text says. */
  readonly pinned?: Condition;
  readonly holds: (told: Told, trace: Trace, isPinned: IsPinned) => boolean;
}

/** Whether a span, its trace or its session is pinned. */
type IsPinned = (told: Told, subject: FilterGrain) => boolean;

function pinned(subject: FilterGrain, isNegated = false): Condition {
  return { ...PINNED[subject].leaf({ label: 'any' }), isNegated };
}

const QUESTIONS: readonly Question[] = [
  { text: '', holds: () => true },
  { text: 'tier == 1', holds: ({ tier }) => tier === 1 || tier === '1' },
  { text: "tier == '1'", holds: ({ tier }) => tier === '1' || tier === 1 },
  { text: "'gold' in tier", holds: ({ tier }) => String(tier).toLowerCase() === 'gold' },
  { text: 'tier is None', holds: ({ tier }) => tier === null },
  { text: "tier == '😀' or latency_ms == 4", holds: (told) => told.tier === '😀' || told.latencyUs === 4000 },
  { text: "status_code == 'ERROR'", holds: ({ status }) => status === 'ERROR' },
  { text: "'basalt' in input.value", holds: ({ words }) => words.includes('basalt') },
  {
    text: "'basalt' not in input.value and latency_ms > 1",
    holds: (told) => told.words.length > 0 && !told.words.includes('basalt') && told.latencyUs > 1000,
  },
  {
    text: "span_kind == 'LLM' and llm.token_count.prompt > 20",
    holds: ({ prompt }) => (prompt ?? 0) > 20,
  },
  {
    text: 'parent_span is None',
    holds: ({ parent, span }, { spans }) => parent === null || parent === span || !spans.has(parent),
  },
  { text: 'total_cost >= 0.0001', holds: ({ costNanoUsd }) => (costNanoUsd ?? 0) >= 100_000 },
  { text: `attributes['${HOSTILE}'] == 'LLM "it\\'s" 100%'`, holds: ({ kind }) => kind === 'LLM' },
  { text: '', pinned: pinned('span'), holds: (told, _trace, isPinned) => isPinned(told, 'span') },
  { text: '', pinned: pinned('trace'), holds: (told, _trace, isPinned) => isPinned(told, 'trace') },
  { text: '', pinned: pinned('session', true), holds: (told, _trace, isPinned) => !isPinned(told, 'session') },
  {
    text: "'basalt' in input.value",
    pinned: { kind: 'or', operands: [pinned('span', true), pinned('trace')] },
    holds: (told, _trace, isPinned) =>
      told.words.includes('basalt') && (!isPinned(told, 'span') || isPinned(told, 'trace')),
  },
];

function conditionOf(text: string): Condition | undefined {
  const { condition, diagnostics } = parseFilter('span', text);
  if (diagnostics.some(({ severity }) => severity === 'error')) throw new Error(JSON.stringify(diagnostics));
  return condition ?? undefined;
}

const CONDITIONS = new Map(
  QUESTIONS.map((question) => {
    const operands = [conditionOf(question.text), question.pinned].filter((operand) => operand !== undefined);
    return [question, operands.length === 0 ? undefined : joinConditions('and', operands)];
  }),
);

const SORT_VALUES: Readonly<Partial<Record<SpanTableSort, (told: Told) => number | null>>> = {
  id: () => null,
  start_time: ({ startUs }) => startUs,
  latency: ({ latencyUs }) => latencyUs,
  prompt_tokens: ({ prompt }) => prompt,
  cost: ({ costNanoUsd }) => costNanoUsd,
};

const OWN_ROW_IDS = { span: 'id', trace: 'trace_row_id', session: 'session_row_id' } as const;

/** Compares everything that is said of a project with the model. */
async function checkProject(world: World, project: (typeof PROJECTS)[number], isIndexed: boolean): Promise<void> {
  const { store, random } = world;
  const projectRowId = await store.projectRowId(project);
  const traces = [...world.traces].filter(([, trace]) => trace.project === project);
  if (projectRowId === undefined) {
    expect(traces, project).toEqual([]);
    return;
  }
  const rows = await store.rows(
    'SELECT spans.id, trace_id, span_id, trace_row_id, traces.session_row_id FROM spans JOIN traces ON traces.id = trace_row_id ORDER BY spans.id',
  );
  const stored = new Map(rows.map((row) => [`${String(row['trace_id'])} ${String(row['span_id'])}`, row]));
  const rowOf = ({ trace, span }: Told) => stored.get(`${traceId(trace)} ${spanId(span)}`);
  const rowIdOf = (told: Told) => Number(rowOf(told)?.['id'] ?? 0);
  const isPinned: IsPinned = (told, subject) => {
    const rowId = rowOf(told)?.[OWN_ROW_IDS[subject]] ?? null;
    return rowId !== null && store.pins.holds(PINNED[subject].leaf({ label: 'any' }).set, Number(rowId));
  };
  const beingMoved = await world.tracesBeingMoved();
  const listed = traces.filter(([number]) => !beingMoved.has(traceId(number))).map(([, trace]) => trace);
  const matching = ({ holds }: Question) =>
    listed.flatMap((trace) => [...trace.spans.values()].filter((told) => holds(told, trace, isPinned)));
  const scopeOf = (question: Question) => ({ projectRowId, rootsOnly: false, condition: CONDITIONS.get(question) });

  for (let asked = 0; asked < 4; asked++) {
    const question = pick(QUESTIONS, random);
    const [sort, valueOf] = pick(
      Object.entries(SORT_VALUES) as [SpanTableSort, (told: Told) => number | null][],
      random,
    );
    const order = pick(['asc', 'desc'] as const, random);
    const sign = order === 'asc' ? 1 : -1;
    const expected = matching(question)
      .map((told) => ({ value: valueOf(told), rowId: rowIdOf(told) }))
      .sort((a, b) => {
        if (a.value === b.value) return sign * (a.rowId - b.rowId);
        if (a.value === null || b.value === null) return a.value === null ? 1 : -1;
        return sign * (a.value - b.value);
      });
    const found: number[] = [];
    for (let after: { value: number | null; rowId: number } | null = null; ; ) {
      const page: Awaited<ReturnType<typeof browseSpans>> = await browseSpans(store.scope, scopeOf(question), {
        sort,
        order,
        limit: 1 + random(9),
        after,
      });
      found.push(...page.rows.map(({ rowId }) => rowId));
      after = page.next;
      if (after === null) break;
    }
    expect(found, `${project}: ${question.text} by ${sort} ${order}`).toEqual(expected.map(({ rowId }) => rowId));
    const count = await countSpans(store.scope, scopeOf(question), 60_000);
    expect(count, `${project}: number of ${question.text}`).toEqual({
      count: expected.length,
      isExact: true,
      share: 1,
    });
  }
  await checkAggregates(world, projectRowId, pick(QUESTIONS, random), matching);
  await checkSearch(
    world,
    projectRowId,
    listed.flatMap((trace) => [...trace.spans.values()]),
    rowIdOf,
    isIndexed,
  );
  await checkSums(world, project, projectRowId);
  await checkFigures(
    world,
    projectRowId,
    traces.map(([, { spans }]) => [...spans.values()]),
    listed.flatMap((trace) => [...trace.spans.values()]),
  );
  await checkPinnedTraces(
    world,
    projectRowId,
    traces.map(([, { spans }]) => [...spans.values()]),
    { isPinned, rowOf },
  );
}

/** Filters of traces, by the sets that they, their sessions and their spans are in. */
async function checkPinnedTraces(
  { store, random }: World,
  projectRowId: number,
  traces: readonly (readonly Told[])[],
  { isPinned, rowOf }: { readonly isPinned: IsPinned; readonly rowOf: (told: Told) => StoredRow | undefined },
): Promise<void> {
  const over = { collection: 'spans', of: null, variable: 's', where: null } as const;
  const test = PINNED.span.leaf({ label: 'any' }, 's');
  const anySpan: Condition = { kind: 'quantifier', quantifier: 'any', isNegated: false, over, test };
  const asked: readonly (readonly [Condition, (spans: readonly Told[]) => boolean])[] = [
    [pinned('trace'), ([first]) => first !== undefined && isPinned(first, 'trace')],
    [pinned('session', true), ([first]) => first !== undefined && !isPinned(first, 'session')],
    [anySpan, (spans) => spans.some((told) => isPinned(told, 'span'))],
  ];
  const [condition, holds] = pick(asked, random);
  const page = { sort: 'start_time', order: 'desc', limit: 1000, after: null } as const;
  const { rows } = await searchTraces(store.scope, { projectRowId, condition }, page);
  const expected = traces.filter(holds).map(([first]) => first && Number(rowOf(first)?.['trace_row_id']));
  expect(new Set(rows.map(({ rowId }) => rowId)), JSON.stringify(condition)).toEqual(new Set(expected));
}

const TIER: Dimension = { kind: 'attribute', path: 'tier', of: null };
const STATUS: Dimension = { kind: 'field', name: 'status_code', of: null, isOfParent: false };

async function checkAggregates(
  { store }: World,
  projectRowId: number,
  question: Question,
  matching: (question: Question) => readonly Told[],
): Promise<void> {
  const condition = CONDITIONS.get(question) ?? null;
  const told = matching(question);
  const { groups } = await store.aggregates.aggregate({
    projectRowId,
    condition,
    bucket: null,
    groupBy: [],
    maxGroups: 10,
    measures: [
      { kind: 'count', status: null },
      { kind: 'count', status: 'ERROR' },
      { kind: 'tokens', of: 'prompt' },
      { kind: 'cost', of: 'total' },
      { kind: 'distinct', of: 'traces' },
    ],
  });
  const values = groups[0]?.values.map(([value]) => value);
  const cost = told.reduce((sum, { costNanoUsd }) => sum + (costNanoUsd ?? 0), 0) / 1e9;
  const sums = [
    told.length,
    told.filter(({ status }) => status === 'ERROR').length,
    told.reduce((sum, { prompt }) => sum + (prompt ?? 0), 0),
    expect.closeTo(cost, 10),
    new Set(told.map(({ trace }) => trace)).size,
  ];
  if (told.length > 0) expect(values, `sums of ${question.text}`).toEqual(sums);
  else expect(values?.[0] ?? 0).toBe(0);
  const facetOf = (dimension: Dimension) => ({ dimension, maxValues: 100, prefix: null, leavesOutOwnTerms: false });
  const { facets } = await store.aggregates.countFacets({
    projectRowId,
    condition,
    facets: [facetOf(TIER), facetOf(STATUS)],
  });
  const countsOf = (values: readonly (string | number | boolean | null)[]) =>
    [...Map.groupBy(values, (value) => value)]
      .map(([value, { length }]) => `${JSON.stringify(value)}: ${length}`)
      .sort();
  const saidOf = (place: number) =>
    facets[place]?.values.map(({ value, count }) => `${JSON.stringify(value)}: ${count}`).sort();
  const tiers = told.map(({ tier }) => tier).filter((tier) => tier !== null);
  expect(saidOf(0), `tiers of ${question.text}`).toEqual(countsOf(tiers));
  expect(facets[0]?.missingCount).toBe(told.length - tiers.length);
  expect(saidOf(1), `statuses of ${question.text}`).toEqual(countsOf(told.map(({ status }) => status)));
}

async function checkSearch(
  { store, random }: World,
  projectRowId: number,
  listed: readonly Told[],
  rowIdOf: (told: Told) => number,
  isIndexed: boolean,
): Promise<void> {
  const [wanted, other] = [pick(WORDS, random), pick(WORDS, random)];
  const holds = (told: Told, word: string) => told.words.includes(word);
  const searches: readonly (readonly [text: string, finds: (told: Told) => boolean])[] = [
    [wanted, (told) => holds(told, wanted)],
    [`${wanted.slice(0, 3)}* ${other}`, (told) => holds(told, wanted) && holds(told, other)],
    [`${wanted} -${other}`, (told) => holds(told, wanted) && !holds(told, other)],
    [`${wanted} OR ${other}`, (told) => holds(told, wanted) || holds(told, other)],
  ];
  const [text, finds] = pick(searches, random);
  const request = { text, scope: pick(['everything', 'input'] as const, random) };
  const { hits } = await store.search.searchTexts({ projectRowId }, request, {
    order: 'newest',
    limit: 1000,
    after: null,
  });
  const found = hits.map(({ spanRowId }) => spanRowId);
  const there = new Set(listed.map(rowIdOf));
  expect(
    found.filter((rowId) => !there.has(rowId)),
    `deleted, or of another project: ${text}`,
  ).toEqual([]);
  if (!isIndexed) return;
  const expected = listed.filter(finds).map(rowIdOf);
  expect(found, `search ${text}`).toEqual(expected.sort((a, b) => b - a));
}

/** Traces and sessions are summed up as their spans say. */
async function checkSums({ store, traces }: World, project: string, projectRowId: number): Promise<void> {
  const own = [...traces].filter(([, trace]) => trace.project === project);
  const sumsOf = (told: readonly Told[]) => ({
    errors: told.filter(({ status }) => status === 'ERROR').length,
    tokens: told.reduce((sum, { prompt }) => sum + (prompt === null ? 0 : prompt + 1), 0),
    cost: told.reduce((sum, { costNanoUsd }) => sum + (costNanoUsd ?? 0), 0),
    start: Math.min(...told.map(({ startUs }) => startUs)),
    end: Math.max(...told.map(({ startUs, latencyUs }) => startUs + latencyUs)),
  });
  const columns = `error_count AS errors, prompt_tokens + completion_tokens AS tokens, cost_nanousd AS cost,
    start_us AS start, end_us AS "end"`;
  expect(
    await store.rows(`SELECT trace_id AS id, span_count AS count, ${columns} FROM traces WHERE project_id = ${projectRowId}
      ORDER BY trace_id`),
    `traces of ${project}`,
  ).toEqual(
    own
      .map(([number, { spans }]) => ({ id: traceId(number), count: spans.size, ...sumsOf([...spans.values()]) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  const sessions = Map.groupBy(own, ([, { spans }]) => [...spans.values()][0]?.session ?? null);
  sessions.delete(null);
  expect(
    await store.rows(`SELECT session_id AS id, trace_count AS count, ${columns} FROM sessions WHERE project_id = ${projectRowId}
      ORDER BY session_id`),
    `sessions of ${project}`,
  ).toEqual(
    [...sessions]
      .map(([id, ofSession]) => {
        const told = ofSession.flatMap(([, { spans }]) => [...spans.values()]);
        return { id: String(id), count: ofSession.length, ...sumsOf(told) };
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
}

/** Figures of a range are those of what started in it. */
async function checkFigures(
  { store, random }: World,
  projectRowId: number,
  traces: readonly (readonly Told[])[],
  listed: readonly Told[],
): Promise<void> {
  const sums = relationalProjectSums(store.scope.db, store.scope.dialect);
  const timeOf = () => TEST_START_US + random(10) * TRACE_STEP_US + random(4) * 450_000_000 - random(2);
  const range = { startUs: random(4) === 0 ? null : timeOf(), endUs: random(4) === 0 ? null : timeOf() };
  const isIn = (us: number) => us >= (range.startUs ?? -Infinity) && us < (range.endUs ?? Infinity);
  const own = traces
    .map((told) => ({
      startUs: Math.min(...told.map(({ startUs }) => startUs)),
      endUs: Math.max(...told.map(({ startUs, latencyUs }) => startUs + latencyUs)),
      prompt: told.reduce((sum, { prompt }) => sum + (prompt ?? 0), 0),
      cost: told.reduce((sum, { costNanoUsd }) => sum + (costNanoUsd ?? 0), 0),
    }))
    .filter(({ startUs }) => isIn(startUs));
  const probability = pick([0, 0.25, 0.5, 0.99, 1], random);
  const latencies = own.map(({ startUs, endUs }) => endUs - startUs);
  const summed = (await sums.sumTraces([projectRowId], range)).get(projectRowId);
  const found = (await sums.traceLatencyQuantiles([projectRowId], range, [probability, 0.75])).get(projectRowId);
  const said = {
    spans: (await sums.countSpans([projectRowId], range)).get(projectRowId) ?? 0,
    traces: summed?.traceCount ?? 0,
    prompt: summed?.promptTokenCount ?? 0,
    cost: summed?.costNanoUsd ?? 0,
    latencies: found ?? null,
  };
  expect(said, JSON.stringify(range)).toEqual({
    spans: listed.filter(({ startUs }) => isIn(startUs)).length,
    traces: own.length,
    prompt: own.reduce((sum, { prompt }) => sum + prompt, 0),
    cost: own.reduce((sum, { cost }) => sum + cost, 0),
    latencies:
      own.length === 0
        ? null
        : quantilesOf(Float64Array.from(latencies), [probability, 0.75]).map((us) => expect.closeTo(us, 2) as unknown),
  });
}

/** Each span has its original, and today's rules read it as they did. */
async function checkOriginals({ store, spans }: World): Promise<void> {
  const rowIds = await Promise.all(spans.map(({ trace, span }) => store.spanRowId(traceId(trace), spanId(span))));
  const originals = await readOriginals(store.scope.db, store.scope.dialect, rowIds);
  expect([...originals.keys()].sort((a, b) => a - b)).toEqual(rowIds.sort((a, b) => a - b));
  expect(await store.changedByReading()).toEqual([]);
}

it.each(seedsOf([2, 1]))('everything agrees with a naive model (%i)', async (seed) => {
  const random = randomNumbers(seed);
  const world = new World(await RandomStore.open(), random);
  for (let step = 1; step <= 60; step++) {
    await (random(10) === 0 ? runBulkAction(world) : world.step());
    if (step % 6 !== 0) continue;
    for (const project of PROJECTS) await checkProject(world, project, false);
    if (step % 30 !== 0) continue;
    await checkOriginals(world);
    await world.store.settle();
    for (const project of PROJECTS) await checkProject(world, project, true);
    expect(await findLeftovers(world.store.memory)).toEqual([]);
  }
  for (const project of PROJECTS) {
    const projectRowId = await world.store.projectRowId(project);
    if (projectRowId !== undefined) await world.store.deleteProject(projectRowId);
  }
  await world.store.settle();
  expect(await findLeftovers(world.store.memory)).toEqual([]);
  for (const table of EMPTY_AT_LAST) expect(await world.store.rows(`SELECT * FROM ${table}`), table).toEqual([]);
});

/** Where nothing is left when everything is deleted. */
const EMPTY_AT_LAST = [
  'job_items',
  'spans',
  'traces',
  'sessions',
  'span_sums',
  'trace_sums',
  'trace_latencies',
  'blocks',
  'block_dictionaries',
  'block_pieces',
  'span_locations',
  'span_segment_changes',
  'span_segment_columns',
  'search_spans',
  'search_queue',
  'search_segments',
  'search_leaves',
];
