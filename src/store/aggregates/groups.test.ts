import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runsOf } from '../../../test/harness/test-engine.ts';
import type { KnownSpan } from './aggregates.fixture.ts';
import { groupTraces } from './group-traces.ts';
import { CONDITIONS, conditionOf, DIMENSIONS, HOUR_US, KnownStore, START_US, UNLISTED } from './known-store.fixture.ts';
import {
  type Dimension,
  GROUP_FIGURES,
  type GroupAnswer,
  type GroupFigure,
  type GroupQuestion,
  type SpanRange,
} from './port.ts';

let known: KnownStore;

beforeAll(async () => {
  known = await KnownStore.open(false);
});

afterAll(() => known.store.close());

/** A span or a trace, as a table lists it. */
interface KnownRow {
  /** {@link UNLISTED} where it is in no group of its own. */
  readonly key: unknown;
  readonly startUs: number;
  readonly latencyUs: number | null;
  readonly isError: boolean;
  readonly spans: readonly KnownSpan[];
}

function figuresOf(rows: readonly KnownRow[]): Record<GroupFigure, number> {
  const counted = rows.flatMap(({ spans }) => spans).map((span) => span.counted);
  const sum = (column: string) => counted.reduce((all, row) => all + (row[column] ?? 0), 0);
  const latencies = rows.flatMap(({ latencyUs }) => latencyUs ?? []);
  return {
    count: rows.length,
    error_rate: rows.filter(({ isError }) => isError).length / rows.length,
    latency_p50: quantile(latencies, 0.5),
    latency_p95: quantile(latencies, 0.95),
    tokens: sum('counted_prompt_tokens') + sum('counted_completion_tokens'),
    cost: sum('counted_cost_nanousd') / 1e9,
    first_start: Math.min(...rows.map(({ startUs }) => startUs)),
    last_start: Math.max(...rows.map(({ startUs }) => startUs)),
  };
}

function quantile(values: readonly number[], probability: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = probability * (sorted.length - 1);
  const [below = Number.NaN, above = Number.NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place % 1);
}

/** That the answer has the groups of the rows, in the order that was asked for, and the rest. */
function expectGroups(
  answer: GroupAnswer,
  rows: readonly KnownRow[],
  asked: Pick<GroupQuestion, 'order' | 'maxGroups'>,
): void {
  const groups = Map.groupBy(rows, ({ key }) => key);
  groups.delete(UNLISTED);
  const named = answer.groups.flatMap(({ key, ...figures }) => (key === null ? [] : [{ value: key.value, figures }]));
  expect(named).toHaveLength(Math.min(groups.size, asked.maxGroups));
  expect(answer.otherGroupCount).toBe(groups.size - named.length);
  for (const { value, figures } of named) {
    expect(rounded(figures)).toEqual(rounded(figuresOf(groups.get(value as unknown) ?? [])));
  }
  const { by, direction } = asked.order;
  const sign = direction === 'asc' ? 1 : -1;
  const values = [...groups.values()].map((ofGroup) => round(figuresOf(ofGroup)[by]));
  const order = values
    .filter((value) => !Number.isNaN(value))
    .toSorted((a, b) => sign * (a - b))
    .concat(values.filter(Number.isNaN));
  expect(named.map(({ figures }) => round(figures[by]))).toEqual(order.slice(0, named.length));
  const names = new Set<unknown>(named.map(({ value }) => value));
  const rest = rows.filter(({ key }) => key === UNLISTED || !names.has(key));
  const answered = answer.groups.flatMap(({ key, ...figures }) => (key === null ? [rounded(figures)] : []));
  expect(answered).toEqual(rest.length === 0 ? [] : [rounded(figuresOf(rest))]);
  expect(answer).toMatchObject({ isPartial: false, share: 1 });
}

function rounded(figures: Readonly<Record<GroupFigure, number>>) {
  return GROUP_FIGURES.map((figure) => [figure, round(figures[figure])]);
}

/** Sums of fractions depend on their order. */
function round(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}

const hours = (min: number, max: number) =>
  fc.option(
    fc.integer({ min, max }).map((hour) => START_US + hour * HOUR_US),
    { nil: undefined },
  );

const COMMON = {
  startTimeUs: hours(-5, 30),
  endTimeUs: hours(30, 80),
  dimension: fc.constantFrom(...DIMENSIONS),
  order: fc.record({
    by: fc.constantFrom(...GROUP_FIGURES),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  }),
  maxGroups: fc.constantFrom(1, 2, 4, 200),
};

describe('groups of spans', () => {
  it('have the figures of the decoded spans, in any order', async () => {
    const question = fc.record({ ...COMMON, condition: fc.constantFrom(...CONDITIONS).map(conditionOf) });
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const answer = await known.store.aggregates.groupSpans({ ...asked, projectRowId: known.store.projectRowId() });
        const rows = known.matchesOf(asked).map((span) => ({
          key: known.valueOf(asked.dimension, span),
          startUs: span.row.startTimeUs,
          latencyUs: span.span.isOpen ? null : span.row.endTimeUs - span.row.startTimeUs,
          isError: span.row.statusCode === 'ERROR',
          spans: [span],
        }));
        expectGroups(answer, rows, asked);
      }),
      { numRuns: runsOf(40) },
    );
  });
});

describe('groups of traces', () => {
  function knownTraces(asked: Partial<SpanRange> & { readonly dimension: Dimension }): readonly KnownRow[] {
    const ids = new Set(known.spans.map(({ row }) => `${row.traceId} ${row.spanId}`));
    return [...Map.groupBy(known.spans, ({ row }) => row.traceRowId).values()]
      .map((spans) => {
        const [root] = spans
          .filter(({ row }) => row.parentSpanId === null || !ids.has(`${row.traceId} ${row.parentSpanId}`))
          .toSorted((a, b) => a.row.startTimeUs - b.row.startTimeUs || a.row.rowId - b.row.rowId);
        const startUs = Math.min(...spans.map(({ row }) => row.startTimeUs));
        return {
          key: root === undefined ? null : known.valueOf(asked.dimension, root),
          startUs,
          latencyUs: Math.max(...spans.map(({ row }) => row.endTimeUs)) - startUs,
          isError: spans.some(({ row }) => row.statusCode === 'ERROR'),
          spans,
        };
      })
      .filter(({ startUs }) => startUs >= (asked.startTimeUs ?? 0) && startUs < (asked.endTimeUs ?? Infinity));
  }

  it('have the figures of their decoded spans by what the root spans say, in any order', async () => {
    const question = fc.record({ ...COMMON, condition: fc.constant(null) });
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const answer = await known.store.aggregates.groupTraces({ ...asked, projectRowId: known.store.projectRowId() });
        expectGroups(answer, knownTraces(asked), asked);
      }),
      { numRuns: runsOf(40) },
    );
  });

  it('by the models of all of their spans count a trace for each of them', async () => {
    const projectRowId = known.store.projectRowId();
    const asked = {
      dimension: { kind: 'field', name: 'model_name', of: null, isOfParent: false },
      ofSpans: 'all',
      order: { by: 'count', direction: 'desc' },
    } as const;
    const traces = knownTraces(asked);
    const modelsOf = ({ spans }: KnownRow) => new Set(spans.flatMap(({ span }) => span.modelName ?? []));
    const several = traces.filter((trace) => modelsOf(trace).size > 1);
    expect(several).not.toEqual([]);
    const answer = await known.store.aggregates.groupTraces({
      ...asked,
      condition: null,
      projectRowId,
      maxGroups: 200,
    });
    for (const { key, ...figures } of answer.groups) {
      const own = traces.filter((trace) => {
        const models = modelsOf(trace);
        return key?.value === null ? models.size === 0 : models.has(String(key?.value));
      });
      expect(rounded(figures)).toEqual(rounded(figuresOf(own)));
    }
    const models = new Set(traces.flatMap((trace) => [...modelsOf(trace)]));
    expect(new Set(answer.groups.flatMap(({ key }) => key?.value ?? []))).toEqual(models);
    // Of those that are not named, a trace with several is one row.
    const one = await known.store.aggregates.groupTraces({ ...asked, condition: null, projectRowId, maxGroups: 1 });
    const [named, rest] = one.groups;
    const others = traces.filter((trace) => {
      const own = modelsOf(trace);
      return own.size === 0 ? named?.key?.value !== null : [...own].some((model) => model !== named?.key?.value);
    });
    expect(rest?.count).toBe(others.length);
    expect(one.otherGroupCount).toBe(answer.groups.length - 1);
  });

  const dimension = { kind: 'field', name: 'name', of: null, isOfParent: false } as const;
  const asked = { condition: null, dimension, order: { by: 'count', direction: 'desc' }, maxGroups: 10 } as const;

  it('are all of the traces, and none where there are none', async () => {
    const nothing = await groupTraces(known.store.scope, { ...asked, projectRowId: 99 }, 5000);
    expect(nothing).toEqual({ groups: [], otherGroupCount: 0, isPartial: false, share: 1 });
    const projectRowId = known.store.projectRowId();
    const { groups } = await groupTraces(known.store.scope, { ...asked, projectRowId }, 5000);
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(knownTraces(asked).length);
  });

  it('are told apart by their sessions, with those of none together', async () => {
    const traces = await known.store.scope.db.selectFrom('traces').select(['id', 'session_row_id']).execute();
    const sessionOf = new Map(traces.map(({ id, session_row_id: session }) => [id, session]));
    const rows = knownTraces({ dimension }).map((row) => ({
      ...row,
      key: sessionOf.get(row.spans[0]?.row.traceRowId ?? 0) ?? null,
    }));
    expect(new Set(rows.map(({ key }) => key)).size).toBeGreaterThan(3);
    for (const by of ['cost', 'first_start'] as const) {
      const question = { ...asked, dimension: { kind: 'session' }, order: { by, direction: 'asc' } } as const;
      const projectRowId = known.store.projectRowId();
      expectGroups(await known.store.aggregates.groupTraces({ ...question, projectRowId }), rows, question);
    }
    const ofSpans = known.store.aggregates.groupSpans({ ...asked, dimension: { kind: 'session' }, projectRowId: 1 });
    await expect(ofSpans).rejects.toThrow(/Only traces/);
  });

  it('are refused with a filter of spans, and with more groups than an answer has', async () => {
    const question = { ...asked, projectRowId: known.store.projectRowId() };
    const condition = conditionOf("span_kind == 'LLM'");
    const group = (more: Partial<GroupQuestion>) => known.store.aggregates.groupTraces({ ...question, ...more });
    await expect(group({ condition })).rejects.toThrow(/filter of traces/);
    await expect(group({ maxGroups: 201 })).rejects.toThrow(/1 to 200/);
  });
});
