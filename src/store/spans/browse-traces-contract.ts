/** What every span store promises to those who browse traces and sessions: pages in every order, and what is shown beside rows. */
import { describe, expect, it } from 'vitest';
import { spanId, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import { allRows, type StoreUnderTest, tokens, useStore } from './contract-store.fixture.ts';

/** Runs the suite against a store. */
export function describeTraceBrowser(engine: string, open: () => Promise<StoreUnderTest>): void {
  const under = useStore(open);
  const { send, rowOf, idOf, traceRow } = under;

  describe(`${engine}: traces and sessions`, () => {
    const turn = (number: number, session: string, more: Partial<TestSpan> = {}) => ({
      traceId: traceId(number),
      spanId: spanId(number),
      startUs: 100 * number,
      endUs: 100 * number + 10 * number,
      ...more,
      attributes: { 'session.id': session, ...more.attributes },
    });

    it('of traces, kinds are counted and the first user is found', async () => {
      await send([
        { spanId: spanId(1), startUs: 1 },
        { spanId: spanId(2), startUs: 3, attributes: { 'user.id': 'late' } },
        { spanId: spanId(3), startUs: 2, attributes: { 'user.id': 'early', ...tokens(1, 1) } },
        { traceId: traceId(2), spanId: spanId(4) },
      ]);
      const [one, two] = [(await traceRow(1)).rowId, (await traceRow(2)).rowId];
      const counts = await under.store.countSpansByKind([one, two]);
      expect(Object.fromEntries(counts.get(one) ?? [])).toEqual({ UNKNOWN: 2, LLM: 1 });
      expect(await under.store.findTraceUsers([one, two])).toEqual(new Map([[one, 'early']]));
    });

    it('are linked by the links of their spans, whichever end comes first', async () => {
      const link = (number: number) => ({ traceId: traceId(number), spanId: spanId(number) });
      await send([{ spanId: spanId(1), links: [link(2), link(2), link(9), { traceId: traceId(2), spanId: '' }] }]);
      await send([{ traceId: traceId(2), spanId: spanId(2), links: [{ traceId: traceId(2), spanId: spanId(20) }] }]);
      await send([{ traceId: traceId(2), spanId: spanId(20) }]);
      await send([{ traceId: traceId(3), spanId: spanId(3), links: [link(2), link(1)] }]);
      const [one, two, three] = [await traceRow(1), await traceRow(2), await traceRow(3)].map(({ rowId }) => rowId);
      const linked = async () => under.store.findLinkedTraces([one, two, three].map(Number));
      expect(await linked()).toEqual(
        new Map([
          [one, { to: [two], from: [three] }],
          [two, { to: [], from: [one, three] }],
          [three, { to: [two, one].toSorted((a = 0, b = 0) => a - b), from: [] }],
        ]),
      );
      const linking = async (number: number) =>
        (await under.store.findLinkingSpans([await idOf(spanId(number))]))
          .get(await idOf(spanId(number)))
          ?.map(({ spanId }) => spanId);
      expect(await linking(2)).toEqual([spanId(1), spanId(3)]);
      expect(await linking(20)).toEqual([spanId(2)]);
      expect(await linking(3)).toBeUndefined();
      await send([{ traceId: traceId(3), spanId: spanId(3), links: [link(1)] }]);
      expect((await linked()).get(Number(three))).toEqual({ to: [one], from: [] });
      expect(await linking(2)).toEqual([spanId(1)]);
    });

    it('are paged in every order, of a project, in bounds and of a session', async () => {
      await send([
        turn(1, 's', { attributes: tokens(3, 4) }),
        turn(4, 's', { attributes: tokens(1, 1) }),
        turn(2, 't', { attributes: { ...tokens(1, 1), 'llm.cost.total': 0.5 } }),
        turn(3, 's', { attributes: tokens(9, 0) }),
      ]);
      const project = { projectRowId: await rowOf() };
      const traces = async (
        scope: Parameters<typeof under.store.browseTraces>[0],
        sort: 'start_time' | 'latency' | 'total_tokens' | 'cost',
        order: 'asc' | 'desc',
      ) =>
        (await allRows((after) => under.store.browseTraces(scope, { sort, order, limit: 1, after })))
          .map((row) => row.startTimeUs / 100)
          .join('');
      expect(await traces(project, 'start_time', 'asc')).toBe('1234');
      expect(await traces(project, 'latency', 'desc')).toBe('4321');
      expect(await traces({ ...project, startTimeUs: 200, endTimeUs: 400 }, 'latency', 'asc')).toBe('23');
      expect(await traces({ ...project, startTimeUs: 200, endTimeUs: 400 }, 'start_time', 'desc')).toBe('32');
      // Among equals the row that arrived first comes first upwards.
      expect(await traces(project, 'total_tokens', 'asc')).toBe('4213');
      expect(await traces({ ...project, startTimeUs: 200, endTimeUs: 500 }, 'total_tokens', 'desc')).toBe('324');
      expect(await traces(project, 'cost', 'desc')).toBe('2341');
      const session = await under.store.findSession({ sessionId: 's' });
      expect(await traces({ sessionRowId: session?.rowId ?? 0 }, 'start_time', 'asc')).toBe('134');
      expect(await traces({ sessionRowId: session?.rowId ?? 0 }, 'total_tokens', 'desc')).toBe('314');
      expect([...(await under.store.findTraces([(await traceRow(4)).rowId, 99])).values()]).toEqual([
        await traceRow(4),
      ]);
    });

    it('of sessions, any order has all of those that overlap the bounds', async () => {
      await send([
        turn(1, 'a', { endUs: 5000 }),
        turn(2, 'b'),
        turn(3, 'b', { attributes: tokens(5, 5) }),
        turn(4, 'c'),
      ]);
      const project = { projectRowId: await rowOf() };
      const sessions = async (sort: 'id' | 'start_time' | 'end_time' | 'total_tokens' | 'trace_count', bounds = {}) =>
        (
          await allRows((after) =>
            under.store.browseSessions({ ...project, ...bounds }, { sort, order: 'desc', limit: 1, after }),
          )
        )
          .map((row) => row.sessionId)
          .join('');
      expect(await sessions('id')).toBe('cba');
      expect(await sessions('start_time')).toBe('cba');
      expect(await sessions('end_time')).toBe('acb');
      expect(await sessions('total_tokens')).toBe('bca');
      expect(await sessions('trace_count')).toBe('bca');
      expect(await sessions('start_time', { startTimeUs: 331 })).toBe('ca');
      expect(await sessions('start_time', { endTimeUs: 200 })).toBe('a');
    });

    it('of a session, its first input, its last output and its user are those of roots', async () => {
      await send([
        turn(1, 's', { attributes: { 'user.id': 'u' } }),
        turn(2, 's', { status: 'ERROR', attributes: { 'input.value': 'hello', 'output.value': 'x'.repeat(500) } }),
        {
          ...turn(2, 's', { attributes: { 'input.value': 'inside' } }),
          spanId: spanId(22),
          parentSpanId: spanId(2),
          startUs: 201,
        },
        turn(3, 's', { attributes: { 'input.value': 'later' } }),
      ]);
      const rowId = (await under.store.findSession({ sessionId: 's' }))?.rowId ?? 0;
      expect((await under.store.summarizeSessions([rowId])).get(rowId)).toEqual({
        errorTraceCount: 1,
        firstInputSpanRowId: await idOf(spanId(2)),
        lastOutputSpanRowId: await idOf(spanId(2)),
        userId: 'u',
      });
      await send(
        Array.from({ length: 120 }, (_, place) =>
          turn(1000 + place, 's', {
            status: place % 2 === 0 ? 'OK' : 'ERROR',
            attributes: place === 70 ? { 'output.value': 'late' } : {},
          }),
        ),
      );
      expect((await under.store.summarizeSessions([rowId])).get(rowId)).toMatchObject({
        errorTraceCount: 61,
        firstInputSpanRowId: await idOf(spanId(2)),
        lastOutputSpanRowId: await idOf(spanId(1070)),
        userId: 'u',
      });
    });

    it('of a session, the latency that a share of its traces does not exceed', async () => {
      await send([turn(1, 's'), turn(2, 's'), turn(3, 's')]);
      const rowId = (await under.store.findSession({ sessionId: 's' }))?.rowId ?? 0;
      const quantile = async (probability: number) =>
        (await under.store.readSessionLatencyQuantiles([rowId], probability)).get(rowId);
      expect([await quantile(0), await quantile(0.5), await quantile(0.75), await quantile(1)]).toEqual([
        0.01, 0.02, 0.025, 0.03,
      ]);
      expect(await under.store.readSessionLatencyQuantiles([99], 0.5)).toEqual(new Map());
    });
  });
}
