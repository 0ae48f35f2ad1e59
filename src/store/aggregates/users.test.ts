import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runsOf } from '../../../test/harness/test-engine.ts';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import type { KnownSpan } from './aggregates.fixture.ts';
import { HOUR_US, KnownStore, START_US } from './known-store.fixture.ts';
import { USER_FIGURES, type UserFigure, type UserQuestion } from './port.ts';
import { listUsers } from './users.ts';

let known: KnownStore;
let sessionOf: ReadonlyMap<number, number | null>;

beforeAll(async () => {
  known = await KnownStore.open(false);
  const traces = await known.store.scope.db.selectFrom('traces').select(['id', 'session_row_id']).execute();
  sessionOf = new Map(traces.map(({ id, session_row_id: session }) => [id, session]));
});

afterAll(() => known.store.close());

const ALL: Omit<UserQuestion, 'projectRowId'> = {
  search: '',
  order: { by: 'count', direction: 'desc' },
  offset: 0,
  limit: 100,
};

/** By user, the traces in which any span names the user. */
function knownUsers({ startTimeUs = 0, endTimeUs = Infinity, search }: Partial<UserQuestion>) {
  const traces = [...Map.groupBy(known.spans, ({ row }) => row.traceRowId).values()].filter((spans) => {
    const startUs = Math.min(...spans.map(({ row }) => row.startTimeUs));
    return startUs >= startTimeUs && startUs < endTimeUs;
  });
  const users = new Map<string, KnownSpan[][]>();
  for (const spans of traces) {
    for (const userId of new Set(spans.flatMap(({ span }) => span.userId ?? []))) {
      if (userId.includes((search ?? '').toLowerCase())) users.set(userId, [...(users.get(userId) ?? []), spans]);
    }
  }
  return users;
}

function figuresOf(traces: readonly (readonly KnownSpan[])[]): Record<UserFigure, number> {
  const starts = traces.map((spans) => Math.min(...spans.map(({ row }) => row.startTimeUs)));
  const latencies = traces.map(
    (spans, place) => Math.max(...spans.map(({ row }) => row.endTimeUs)) - (starts[place] ?? 0),
  );
  const counted = traces.flat().map((span) => span.counted);
  const sum = (column: string) => counted.reduce((all, row) => all + (row[column] ?? 0), 0);
  return {
    count: traces.length,
    error_rate: traces.filter((spans) => spans.some(({ row }) => row.statusCode === 'ERROR')).length / traces.length,
    latency_p50: quantile(latencies, 0.5),
    latency_p95: quantile(latencies, 0.95),
    tokens: sum('counted_prompt_tokens') + sum('counted_completion_tokens'),
    cost: sum('counted_cost_nanousd') / 1e9,
    first_start: Math.min(...starts),
    last_start: Math.max(...starts),
    sessions: new Set(traces.flatMap(([span]) => sessionOf.get(span?.row.traceRowId ?? 0) ?? [])).size,
  };
}

function quantile(values: readonly number[], probability: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = probability * (sorted.length - 1);
  const [below = Number.NaN, above = Number.NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place % 1);
}

function rounded(figures: Readonly<Record<UserFigure, number>>) {
  return USER_FIGURES.map((figure) => [figure, Math.round(figures[figure] * 1e9) / 1e9]);
}

it('lists the users of a range with the figures of the decoded traces that name them, in any order, page by page', async () => {
  const hours = (min: number, max: number) =>
    fc.option(
      fc.integer({ min, max }).map((hour) => START_US + hour * HOUR_US),
      { nil: undefined },
    );
  const question = fc.record({
    startTimeUs: hours(-5, 30),
    endTimeUs: hours(30, 80),
    search: fc.constantFrom('', 'user', 'R 3', 'nobody'),
    order: fc.record({
      by: fc.constantFrom(...USER_FIGURES),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
    }),
  });
  await fc.assert(
    fc.asyncProperty(question, async (asked) => {
      const projectRowId = known.store.projectRowId();
      const ask = (offset: number, limit: number) =>
        known.store.aggregates.listUsers({ ...asked, projectRowId, offset, limit });
      const pages = [await ask(0, 2), await ask(2, 100)];
      const found = pages.flatMap(({ users }) => users);
      const expected = knownUsers(asked);
      expect(found.map(({ userId }) => userId).toSorted()).toEqual([...expected.keys()].toSorted());
      for (const { userId, ...figures } of found) {
        expect(rounded(figures), userId).toEqual(rounded(figuresOf(expected.get(userId) ?? [])));
      }
      const { by, direction } = asked.order;
      const values = found.map((user) => Math.round(user[by] * 1e9));
      expect(values).toEqual(values.toSorted((a, b) => (direction === 'asc' ? a - b : b - a)));
      for (const page of pages) expect(page).toMatchObject({ total: expected.size, isPartial: false, share: 1 });
    }),
    { numRuns: runsOf(40) },
  );
});

it('finds nobody where there is nothing, and refuses more than an answer has', async () => {
  expect(await known.store.aggregates.listUsers({ ...ALL, projectRowId: 99 })).toEqual({
    users: [],
    total: 0,
    isPartial: false,
    share: 1,
  });
  await expect(known.store.aggregates.listUsers({ ...ALL, projectRowId: 1, limit: 1001 })).rejects.toThrow(/1000/);
  await expect(known.store.aggregates.listUsers({ ...ALL, projectRowId: 1, offset: -1 })).rejects.toThrow(/1000/);
});

it('says that it is in part where time runs out', async () => {
  const { isPartial } = await listUsers(known.store.scope, { ...ALL, projectRowId: known.store.projectRowId() }, -1);
  expect(isPartial).toBe(true);
});

it('takes ids of any letters as they are', async () => {
  const ids = ['../../etc', 'a/b?c#d%2F', '"; DROP TABLE users; --', '𓀀 ثلاثة', '<script>', '.'];
  await known.store.send(
    ids.map((id, place) => ({
      traceId: traceId(900 + place),
      spanId: spanId(90_000 + place),
      startUs: START_US,
      endUs: START_US + 1000,
      attributes: { 'user.id': id },
    })),
    'hostile',
  );
  const { users } = await known.store.aggregates.listUsers({
    ...ALL,
    projectRowId: known.store.projectRowId('hostile'),
  });
  expect(users.map(({ userId }) => userId).toSorted()).toEqual(ids.toSorted());
});
