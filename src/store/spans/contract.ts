/** What every span store promises, whatever the engine. */
import { describe, expect, it } from 'vitest';
import { Double, spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { type StoreUnderTest, useStore } from './contract-store.fixture.ts';
import type { PresentedPage, SpanFilter, TraceRow } from './port.ts';

/** Runs the suite against a store. */
export function describeSpanStore(engine: string, open: () => Promise<StoreUnderTest>): void {
  const under = useStore(open);
  const { send, rowOf } = under;
  const newest = { sort: 'id', order: 'desc', limit: 100, cursor: null } as const;
  const names = async (filter: Omit<SpanFilter, 'projectRowId'> = {}) =>
    (await under.store.listSpans({ projectRowId: await rowOf(), ...filter }, newest)).data.map((row) => row.name);
  const traces = async (): Promise<readonly TraceRow[]> => {
    const page = { sort: 'start_time', order: 'asc', limit: 100, cursor: null } as const;
    return (await under.store.listTraces({ projectRowId: await rowOf() }, page, false)).data;
  };
  const rootName = async () => {
    const [row] = await traces();
    const { data } = await under.store.listSpans({ projectRowId: await rowOf() }, newest);
    return data.find((one) => one.rowId === row?.rootSpanRowId)?.name;
  };

  describe(`${engine}: what arrives again`, () => {
    const one = { spanId: spanId(1), name: 'first', attributes: { 'session.id': 's' } };

    it('is a duplicate when it is the same to the byte, and changes nothing', async () => {
      expect(await send([one])).toMatchObject({ stored: 1, replaced: 0, duplicate: 0 });
      const before = await traces();
      expect(await send([one])).toMatchObject({ stored: 0, replaced: 0, duplicate: 1 });
      expect(await send([one, one])).toMatchObject({ stored: 0, replaced: 0, duplicate: 2 });
      expect(await traces()).toEqual(before);
    });

    it('replaces what is stored when it differs, keeping the row, and sums follow', async () => {
      await send([{ ...one, status: 'ERROR' }]);
      const [old] = (await under.store.listSpans({ projectRowId: await rowOf() }, newest)).data;
      expect(await send([{ ...one, name: 'second', status: 'OK' }])).toMatchObject({ replaced: 1 });
      const { data } = await under.store.listSpans({ projectRowId: await rowOf() }, newest);
      expect(data).toMatchObject([{ rowId: old?.rowId, name: 'second', statusCode: 'OK' }]);
      expect(await traces()).toMatchObject([{ spanCount: 1, errorCount: 0 }]);
      const original = await under.store.readSpanOriginal({ otelId: spanId(1) }, 'protobuf');
      expect(Buffer.from(original?.body ?? []).toString('latin1')).toContain('second');
    });

    it('replaces within one request too, the later span winning', async () => {
      expect(await send([one, { ...one, name: 'later' }])).toMatchObject({ stored: 1, replaced: 1 });
      expect(await names()).toEqual(['later']);
    });

    it('is another span in another trace', async () => {
      await send([one, { ...one, traceId: traceId(2) }]);
      expect(await names()).toHaveLength(2);
      const found = await under.store.readSpanOriginal({ otelId: spanId(1) }, 'protobuf');
      expect(found?.spanCount).toBe(1);
    });
  });

  describe(`${engine}: projects`, () => {
    it('come into being with their first trace, which keeps its project', async () => {
      await send([{ spanId: spanId(1) }], 'one');
      await send([{ spanId: spanId(2) }], 'two');
      expect(await under.projectRowId('two')).toBeUndefined();
      const { data } = await under.store.listSpans({ projectRowId: await rowOf('one') }, newest);
      expect(data).toHaveLength(2);
    });

    it('do not see each other', async () => {
      await send([{ spanId: spanId(1), traceId: traceId(1) }], 'one');
      await send([{ spanId: spanId(2), traceId: traceId(2) }], 'two');
      const { data } = await under.store.listSpans({ projectRowId: await rowOf('two') }, newest);
      expect(data.map((row) => row.spanId)).toEqual([spanId(2)]);
    });
  });

  describe(`${engine}: traces`, () => {
    it('span the times of their spans in any order of arrival', async () => {
      await send([{ spanId: spanId(2), startUs: 500, endUs: 900 }]);
      await send([{ spanId: spanId(1), startUs: 100, endUs: 1000 }]);
      await send([{ spanId: spanId(3), startUs: 700, endUs: 600 }]);
      expect(await traces()).toMatchObject([{ startTimeUs: 100, endTimeUs: 1000, spanCount: 3 }]);
    });

    it('follow when a replaced span had decided their times', async () => {
      await send([{ spanId: spanId(1), startUs: 100, endUs: 1000 }]);
      await send([{ spanId: spanId(2), startUs: 200, endUs: 300 }]);
      await send([{ spanId: spanId(1), startUs: 250, endUs: 260 }]);
      expect(await traces()).toMatchObject([{ startTimeUs: 200, endTimeUs: 300 }]);
    });

    it('have an orphan as their root only until its parent arrives', async () => {
      await send([{ spanId: spanId(2), parentSpanId: spanId(1), name: 'child', startUs: 5 }]);
      expect(await rootName()).toBe('child');
      await send([{ spanId: spanId(1), name: 'parent', startUs: 6 }]);
      expect(await rootName()).toBe('parent');
    });

    it('count a model call once when a wrapper repeats its tokens, whichever comes first', async () => {
      const usage = { 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': 10, 'llm.token_count.completion': 2 };
      await send([{ spanId: spanId(2), parentSpanId: spanId(1), attributes: usage }]);
      await send([{ spanId: spanId(1), attributes: usage }]);
      expect(await traces()).toMatchObject([{ promptTokenCount: 10, completionTokenCount: 2 }]);
    });

    it.each([
      ['its own parent', [[1, 1]]],
      [
        'the parent of its parent',
        [
          [1, 2],
          [2, 1],
        ],
      ],
    ])('store a span that is %s and what comes after it', async (_what, edges) => {
      const usage = { 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': 1 };
      for (const [id, parent] of edges as [number, number][]) {
        await send([{ spanId: spanId(id), parentSpanId: spanId(parent), status: 'ERROR', attributes: usage }]);
      }
      await send([{ spanId: spanId(9), name: 'after' }]);
      expect(await names()).toContain('after');
      expect(await rootName()).toBe(edges.length === 1 ? `span ${spanId(1)}` : 'after');
    });

    it('are paged by start and by latency without a gap or a repetition', async () => {
      for (let number = 1; number <= 7; number++) {
        await send([{ traceId: traceId(number), spanId: spanId(number), startUs: 10 + (number % 3), endUs: 20 }]);
      }
      for (const sort of ['start_time', 'latency_ms'] as const) {
        for (const order of ['asc', 'desc'] as const) {
          const seen: TraceRow[] = [];
          let cursor: string | null = null;
          do {
            const page = await under.store.listTraces(
              { projectRowId: await rowOf() },
              { sort, order, limit: 2, cursor },
              false,
            );
            seen.push(...page.data);
            cursor = page.nextCursor;
          } while (cursor !== null);
          const value = (row: TraceRow) => (sort === 'start_time' ? row.startTimeUs : row.endTimeUs - row.startTimeUs);
          const sign = order === 'asc' ? 1 : -1;
          const expected = (await traces()).toSorted((a, b) => sign * (value(a) - value(b) || a.rowId - b.rowId));
          expect(seen).toEqual(expected);
        }
      }
    });

    it('narrow by errors and by latency', async () => {
      await send([{ traceId: traceId(1), status: 'ERROR', startUs: 10, endUs: 20 }]);
      await send([{ traceId: traceId(2), startUs: 10, endUs: 40 }]);
      const page = { sort: 'start_time', order: 'asc', limit: 10, cursor: null } as const;
      const found = async (filter: object) =>
        (await under.store.listTraces({ projectRowId: await rowOf(), ...filter }, page, false)).data.map(
          (row) => row.traceId,
        );
      expect(await found({ hasErrors: true })).toEqual([traceId(1)]);
      expect(await found({ hasErrors: false })).toEqual([traceId(2)]);
      expect(await found({ minLatencyUs: 30 })).toEqual([traceId(2)]);
      expect(await found({ maxLatencyUs: 10, minLatencyUs: 10 })).toEqual([traceId(1)]);
    });

    it('come with their spans, earliest first, where asked', async () => {
      await send([
        { spanId: spanId(2), startUs: 20 },
        { spanId: spanId(1), startUs: 10 },
      ]);
      const page = { sort: 'start_time', order: 'desc', limit: 1, cursor: null } as const;
      const { data, spans } = await under.store.listTraces({ projectRowId: await rowOf() }, page, true);
      expect(spans.get(data[0]?.rowId ?? 0)?.map((row) => row.spanId)).toEqual([spanId(1), spanId(2)]);
    });
  });

  describe(`${engine}: sessions`, () => {
    const inSession = (number: number, session: string, startUs = 10 * number) => ({
      traceId: traceId(number),
      spanId: spanId(number),
      startUs,
      endUs: startUs + 5,
      attributes: { 'session.id': session },
    });
    const listed = () => under.store.listSessions({}, { sort: 'id', order: 'asc', limit: 100, cursor: null });
    const sessions = async () => (await listed()).data;

    it('add up their traces', async () => {
      await send([inSession(1, 's')]);
      await send([inSession(2, 's'), inSession(3, 't')]);
      expect(await sessions()).toMatchObject([
        { sessionId: 's', traceCount: 2, startTimeUs: 10, endTimeUs: 25 },
        { sessionId: 't', traceCount: 1 },
      ]);
      const [first] = await sessions();
      const ofSession = await under.store.listSessionTraces([first?.rowId ?? 0]);
      expect(ofSession.get(first?.rowId ?? 0)?.map((row) => row.traceId)).toEqual([traceId(1), traceId(2)]);
      const { traces } = await listed();
      expect([...traces.values()].map((rows) => rows.map((row) => row.traceId))).toEqual([
        [traceId(1), traceId(2)],
        [traceId(3)],
      ]);
    });

    it('are decided by the earliest span that names one, whichever arrives first; an emptied one goes', async () => {
      await send([inSession(1, 'late', 90)]);
      await send([{ ...inSession(1, 'early', 10), spanId: spanId(5) }]);
      expect(await sessions()).toMatchObject([{ sessionId: 'early', traceCount: 1, startTimeUs: 10, endTimeUs: 95 }]);
    });

    it('are apart in each project, and found by text as the newest', async () => {
      await send([inSession(1, 's')], 'one');
      await send([inSession(2, 's')], 'two');
      const [one, two] = [await rowOf('one'), await rowOf('two')];
      expect(await under.store.findSession({ sessionId: 's' })).toMatchObject({ projectRowId: two });
      expect(await under.store.findSession({ sessionId: 's' }, one)).toMatchObject({ projectRowId: one });
      expect(await under.store.findSession({ sessionId: 'unknown' })).toBeUndefined();
    });

    it('narrow a list of traces, by row or by text', async () => {
      await send([inSession(1, 's'), inSession(2, 't'), inSession(3, 'u')]);
      const rows = await sessions();
      const page = { sort: 'start_time', order: 'asc', limit: 10, cursor: null } as const;
      const filter = { projectRowId: await rowOf(), sessions: [{ rowId: rows[0]?.rowId ?? 0 }, { sessionId: 'u' }] };
      const found = await under.store.listTraces(filter, page, false);
      expect(found.data.map((row) => row.sessionId)).toEqual(['s', 'u']);
      const none = await under.store.listTraces({ ...filter, sessions: [] }, page, false);
      expect(none.data).toEqual([]);
    });
  });

  describe(`${engine}: lists of spans`, () => {
    it('narrow by each field, values of one field being alternatives', async () => {
      const kind = 'openinference.span.kind';
      await send([
        { spanId: spanId(1), name: 'a', startUs: 1, attributes: { [kind]: 'LLM' } },
        {
          spanId: spanId(2),
          name: 'b',
          startUs: 2,
          parentSpanId: spanId(1),
          attributes: { [kind]: 'TOOL' },
          status: 'ERROR',
        },
        { spanId: spanId(3), name: 'c', startUs: 3, traceId: traceId(3), parentSpanId: spanId(99), status: 'OK' },
      ]);
      expect(await names({ names: ['a', 'c'] })).toEqual(['c', 'a']);
      expect(await names({ kinds: ['LLM', 'TOOL'] })).toEqual(['b', 'a']);
      expect(await names({ statusCodes: ['ERROR', 'OK'], kinds: ['TOOL'] })).toEqual(['b']);
      expect(await names({ traceIds: [traceId(3), traceId(9)] })).toEqual(['c']);
      expect(await names({ spanIds: [spanId(1), spanId(2)] })).toEqual(['b', 'a']);
      expect(await names({ parentSpanId: null })).toEqual(['a']);
      expect(await names({ parentSpanId: spanId(99) })).toEqual(['c']);
      expect(await names({ startTimeUs: 2, endTimeUs: 3 })).toEqual(['b']);
      expect(await names({ names: ['nobody'] })).toEqual([]);
    });

    it('tell which ids of spans are taken, in any project', async () => {
      await send([{}]);
      await send([{ traceId: traceId(2), spanId: spanId(2) }], 'other');
      const many = Array.from({ length: 600 }, (_none, index) => spanId(100 + index));
      const stored = await under.store.findStoredSpanIds([spanId(1), ...many, spanId(2)]);
      expect([...stored].toSorted()).toEqual([spanId(1), spanId(2)]);
    });

    it('tell an attribute by its value and its type', async () => {
      await send([
        { spanId: spanId(1), name: 'text', attributes: { 'user.id': '12345' } },
        { spanId: spanId(2), name: 'number', attributes: { 'user.id': 12345 } },
        { spanId: spanId(3), name: 'fraction', attributes: { 'user.id': 0.5, flag: true } },
        { spanId: spanId(4), name: 'list', attributes: { 'user.id': ['12345'] } },
        { spanId: spanId(5), name: 'whole', attributes: { ratio: new Double(1) } },
        { spanId: spanId(6), name: 'integer', attributes: { ratio: 1 } },
        { spanId: spanId(7), name: 'wide', attributes: { ratio: 9_007_199_254_740_993n } },
        { spanId: spanId(8), name: 'huge', attributes: { ratio: new Double(9.3e18) } },
      ]);
      const equal = (path: string, value: unknown) => names({ attributes: [{ path, json: JSON.stringify(value) }] });
      expect(await equal('user.id', '12345')).toEqual(['text']);
      expect(await equal('user.id', 12345)).toEqual(['number']);
      expect(await equal('user.id', 0.5)).toEqual(['fraction']);
      expect(await equal('flag', true)).toEqual(['fraction']);
      expect(await equal('flag', 'true')).toEqual([]);
      expect(await names({ attributes: [{ path: 'ratio', json: '1' }] })).toEqual(['integer', 'whole']);
      expect(await names({ attributes: [{ path: 'ratio', json: '1.0' }] })).toEqual(['whole']);
      expect(await names({ attributes: [{ path: 'ratio', json: '9007199254740993' }] })).toEqual(['wide']);
      expect(await names({ attributes: [{ path: 'ratio', json: '9300000000000000000' }] })).toEqual(['huge']);
      expect(await names({ attributes: [{ path: 'ratio', json: '9'.repeat(400) }] })).toEqual([]);
      expect(await equal('a\0b', 'x')).toEqual([]);
      expect(
        await names({
          attributes: [
            { path: 'flag', json: 'true' },
            { path: 'user.id', json: '1' },
          ],
        }),
      ).toEqual([]);
    });

    it('find values that the narrow row does not hold', async () => {
      const long = 'x'.repeat(5000);
      const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`key.${index}x`, index]));
      await send([
        { spanId: spanId(1), name: 'long', attributes: { text: long } },
        { spanId: spanId(2), name: 'other', attributes: { text: `${long}y` } },
        { spanId: spanId(3), name: 'many', attributes: many },
      ]);
      expect(await names({ attributes: [{ path: 'text', json: JSON.stringify(long) }] })).toEqual(['long']);
      expect(await names({ attributes: [{ path: 'key.599x', json: '599' }] })).toEqual(['many']);
    });

    it('are paged in both orders and by both sorts without a gap or a repetition, also while spans arrive', async () => {
      for (let number = 1; number <= 9; number++) await send([{ spanId: spanId(number), startUs: 10 + (number % 3) }]);
      for (const sort of ['id', 'start_time'] as const) {
        for (const order of ['asc', 'desc'] as const) {
          const projectRowId = await rowOf();
          const all = await under.store.listSpans({ projectRowId }, { sort, order, limit: 100, cursor: null });
          const seen: string[] = [];
          let cursor: string | null = null;
          do {
            const page = await under.store.listSpans({ projectRowId }, { sort, order, limit: 4, cursor });
            seen.push(...page.data.map((row) => row.spanId));
            cursor = page.nextCursor;
          } while (cursor !== null);
          expect(seen).toEqual(all.data.map((row) => row.spanId));
        }
      }
    });

    it('find what lies behind tens of thousands of rows that do not match, in both sorts', async () => {
      await send([{ spanId: spanId(1), name: 'needle', startUs: 5 }]);
      for (let batch = 0; batch < 14; batch++) {
        await send(
          Array.from({ length: 2500 }, (_, n) => ({
            traceId: traceId(2 + batch),
            spanId: spanId(10 + batch * 2500 + n),
            name: 'hay',
            startUs: 10,
          })),
        );
      }
      const filter = { projectRowId: await rowOf(), names: ['needle'] };
      for (const sort of ['id', 'start_time'] as const) {
        const seen: string[] = [];
        // A page that looked for as long as it may ends early.
        for (let cursor: string | null = null; ; ) {
          const page: Awaited<ReturnType<typeof under.store.listSpans>> = await under.store.listSpans(filter, {
            ...newest,
            sort,
            cursor,
          });
          seen.push(...page.data.map((row) => row.spanId));
          if (page.nextCursor === null) break;
          cursor = page.nextCursor;
        }
        expect(seen).toEqual([spanId(1)]);
      }
      expect(await names({ endTimeUs: 6 })).toEqual(['needle']);
      expect(await names({ spanIds: [spanId(1)] }), 'an id among more than one part of its index').toEqual(['needle']);
    });

    it('refuse a cursor of another order', async () => {
      await send([{ spanId: spanId(1) }, { spanId: spanId(2) }]);
      const projectRowId = await rowOf();
      const { nextCursor } = await under.store.listSpans({ projectRowId }, { ...newest, limit: 1 });
      const other = under.store.listSpans({ projectRowId }, { ...newest, sort: 'start_time', cursor: nextCursor });
      await expect(other).rejects.toMatchObject({ code: 'invalid_argument' });
    });

    it('present each span from its original', async () => {
      await send([
        { spanId: spanId(1), name: 'one' },
        { spanId: spanId(2), name: 'two' },
      ]);
      const page = await under.store.presentSpans({ projectRowId: await rowOf() }, newest, 'span');
      expect(namesOn(page)).toEqual(['two', 'one']);
    });

    it('end a page early, in either order, that would be far too long a text', async () => {
      const long = 'x'.repeat(7 * 1024 * 1024);
      for (const id of [1, 2, 3]) await send([{ spanId: spanId(id), name: `${id}${long}`, startUs: id }]);
      const projectRowId = await rowOf();
      for (const sort of ['id', 'start_time'] as const) {
        const pages: string[][] = [];
        let cursor: string | null = null;
        do {
          const page = await under.store.presentSpans({ projectRowId }, { ...newest, sort, cursor }, 'span');
          pages.push(namesOn(page).map((name) => name.charAt(0)));
          cursor = page.nextCursor;
        } while (cursor !== null);
        expect(pages, sort).toEqual([['3', '2'], ['1']]);
      }
    });
  });

  describe(`${engine}: originals`, () => {
    it('are found by row and by id; nothing is found of what is not there', async () => {
      await send([{ spanId: spanId(1) }, { spanId: spanId(2) }]);
      const [row] = await traces();
      expect(await under.store.readTraceOriginal({ otelId: traceId(1) }, 'protobuf')).toMatchObject({ spanCount: 2 });
      expect(await under.store.readTraceOriginal({ rowId: row?.rowId ?? 0 }, 'json')).toMatchObject({ spanCount: 2 });
      expect(await under.store.readTraceOriginal({ otelId: traceId(7) }, 'protobuf')).toBeUndefined();
      expect(await under.store.readSpanOriginal({ otelId: spanId(7) }, 'protobuf')).toBeUndefined();
    });

    it('are read page by page, those of a page in one message', async () => {
      await send([{ spanId: spanId(1) }, { spanId: spanId(2) }]);
      await send([{ spanId: spanId(3), traceId: traceId(2) }]);
      const projectRowId = await rowOf();
      const read = (cursor: string | null, filter: Partial<SpanFilter> = {}) =>
        under.store.listOriginals({ projectRowId, ...filter }, { sort: 'id', order: 'asc', limit: 2, cursor }, 'json');
      const first = await read(null);
      expect(spanIdsIn(first.body)).toEqual([spanId(1), spanId(2)]);
      const second = await read(first.nextCursor);
      expect([spanIdsIn(second.body), second.nextCursor]).toEqual([[spanId(3)], null]);
      expect(spanIdsIn((await read(null, { traceIds: [traceId(2)] })).body)).toEqual([spanId(3)]);
      expect(await read(null, { traceIds: [traceId(9)] })).toMatchObject({ spanCount: 0, nextCursor: null });
    });
  });
}

function namesOn({ body }: PresentedPage): readonly string[] {
  const spans = JSON.parse(`[${Buffer.from(body).toString()}]`) as { readonly name: string }[];
  return spans.map(({ name }) => name);
}

function spanIdsIn(body: Uint8Array): readonly string[] {
  return [
    ...Buffer.from(body)
      .toString()
      .matchAll(/"spanId":"(\w+)"/g),
  ].map(([, id]) => id ?? '');
}
