import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spanId, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import { type AggregateStore, openAggregateStore } from './aggregates.fixture.ts';
import { START_US } from './known-store.fixture.ts';

const SECOND_US = 1_000_000;

let store: AggregateStore;
let sessions: ReadonlyMap<string, number>;

beforeAll(async () => {
  store = await openAggregateStore();
  await store.send([
    ...turns('long', 1, [
      [0, 10],
      [15, 20],
      [18, 19],
      [30, 60],
    ]),
    ...turns('short', 11, [[100, 104]]),
  ]);
  await store.send(turns('elsewhere', 21, [[0, 1000]]), 'other');
  const rows = await store.scope.db.selectFrom('sessions').select(['id', 'session_id']).execute();
  sessions = new Map(rows.map(({ id, session_id }) => [session_id, id]));
});

afterAll(() => store.close());

/** Traces of one span each, from one second to another. */
function turns(session: string, first: number, times: readonly (readonly [number, number])[]): readonly TestSpan[] {
  return times.map(([start, end], index) => ({
    traceId: traceId(first + index),
    spanId: spanId(first + index),
    startUs: START_US + start * SECOND_US,
    endUs: START_US + end * SECOND_US,
    attributes: { 'session.id': session },
  }));
}

describe('sessions', () => {
  it('have a length and a number of turns, those that lie in the range in part', async () => {
    const [project, other] = [store.projectRowId(), store.projectRowId('other')];
    const all = await store.aggregates.readSessionLengths([project, other, 99], {});
    expect(all).toEqual(
      new Map([
        [project, { averageUs: 32 * SECOND_US, averageTraceCount: 2.5 }],
        [other, { averageUs: 1000 * SECOND_US, averageTraceCount: 1 }],
      ]),
    );
    const early = { startTimeUs: START_US + 50 * SECOND_US, endTimeUs: START_US + 90 * SECOND_US };
    expect((await store.aggregates.readSessionLengths([project], early)).get(project)?.averageUs).toBe(60 * SECOND_US);
    const median = await store.aggregates.readSessionQuantiles([project], {}, 0.5);
    expect(median.get(project)).toBe(32 * SECOND_US);
  });

  it('have time between their turns, none where these overlap', async () => {
    const [long = 0, short = 0] = [sessions.get('long'), sessions.get('short')];
    expect(await store.aggregates.readTurnGaps([long, short, 99])).toEqual(
      new Map([[long, { averageUs: 5 * SECOND_US, medianUs: 5 * SECOND_US, longestUs: 10 * SECOND_US }]]),
    );
  });
});
