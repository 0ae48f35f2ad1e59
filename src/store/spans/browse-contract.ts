/** What every span store promises to those who browse spans: pages in every order, and what is shown beside rows. */
import { beforeEach, describe, expect, it } from 'vitest';
import { spanId, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import type { CumulativeSort, SkeletonPosition, SpanScope, SpanTableRow, SpanTableSort } from './browse-port.ts';
import { allRows, type StoreUnderTest, tokens, useStore } from './contract-store.fixture.ts';

/** Runs the suite against a store. */
export function describeSpanBrowser(engine: string, open: () => Promise<StoreUnderTest>): void {
  const under = useStore(open);
  const { send, rowOf, idOf, traceRow } = under;

  const spansBy = (spans: SpanScope, sort: SpanTableSort, order: 'asc' | 'desc', limit = 3) =>
    allRows((after) => under.store.browseSpans(spans, { sort, order, limit, after }));

  /** Orders by what rows tell themselves. */
  type OwnSort = Exclude<SpanTableSort, CumulativeSort>;

  const VALUES: Readonly<Record<OwnSort, (row: SpanTableRow) => number | null>> = {
    id: (row) => row.rowId,
    start_time: (row) => row.startTimeUs,
    end_time: (row) => (row.isOpen ? null : row.endTimeUs),
    latency: (row) => (row.isOpen ? null : row.endTimeUs - row.startTimeUs),
    prompt_tokens: (row) => row.promptTokenCount,
    completion_tokens: (row) => row.completionTokenCount,
    cost: (row) => row.cost.totalNanoUsd,
    total_tokens: ({ promptTokenCount: prompt, completionTokenCount: completion }) =>
      prompt === null && completion === null ? null : (prompt ?? 0) + (completion ?? 0),
  };

  function sorted(rows: readonly SpanTableRow[], sort: OwnSort, order: 'asc' | 'desc'): SpanTableRow[] {
    const sign = order === 'asc' ? 1 : -1;
    return rows.toSorted((a, b) => {
      const [left, right] = [VALUES[sort](a), VALUES[sort](b)];
      if ((left === null) !== (right === null)) return left === null ? 1 : -1;
      return sign * ((left ?? 0) - (right ?? 0) || a.rowId - b.rowId);
    });
  }

  describe(`${engine}: pages of spans`, () => {
    const LATENCIES = [0, 7, 9, 10, 95, 99, 100, 101, 1234, 1234, 99_999, 100_000, 5_000_000, -1, -5];

    beforeEach(async () => {
      await send(
        LATENCIES.map((latencyUs, place) => ({
          traceId: traceId(place < 10 ? 1 : 2),
          spanId: spanId(place + 1),
          ...(place % 3 !== 0 && { parentSpanId: spanId(1) }),
          startUs: 1_000_000 + (place % 5),
          endUs: 1_000_000 + (place % 5) + latencyUs,
          attributes: place % 2 === 0 ? tokens(place * 37, place === 4 ? null : place) : {},
        })),
      );
      await send([{ traceId: traceId(9), spanId: spanId(99) }], 'other');
    });

    const SORTS = Object.keys(VALUES) as OwnSort[];

    it.each(SORTS)('by %s have no gap and no repetition, and end with those that have no value', async (sort) => {
      const project = { projectRowId: await rowOf(), rootsOnly: false };
      const rows = await spansBy(project, 'id', 'asc', 100);
      expect(rows).toHaveLength(LATENCIES.length);
      for (const order of ['asc', 'desc'] as const) {
        expect(await spansBy(project, sort, order)).toEqual(sorted(rows, sort, order));
        const inBounds = { ...project, startTimeUs: 1_000_001, endTimeUs: 1_000_004 };
        const within = rows.filter((row) => row.startTimeUs >= 1_000_001 && row.startTimeUs < 1_000_004);
        expect(await spansBy(inBounds, sort, order)).toEqual(sorted(within, sort, order));
        const roots = rows.filter((row) => row.parentSpanId === null);
        expect(await spansBy({ ...project, rootsOnly: true }, sort, order)).toEqual(sorted(roots, sort, order));
        const ofTrace = rows.filter((row) => row.traceId === traceId(2));
        const { rowId: traceRowId } = await traceRow(2);
        expect(await spansBy({ traceRowId }, sort, order)).toEqual(sorted(ofTrace, sort, order));
      }
    });
  });

  describe(`${engine}: rows of spans`, () => {
    it('show what the span says, and nothing where it says nothing', async () => {
      const long = '😀'.repeat(300);
      await send([
        {
          spanId: spanId(1),
          startUs: 10,
          endUs: 30,
          attributes: {
            ...tokens(12, 3),
            'llm.token_count.prompt_details.cache_read': 4,
            'llm.token_count.prompt_details.cache_write': 5,
            'llm.token_count.prompt_details.audio': 6,
            'llm.model_name': 'm',
            'llm.provider': 'p',
            'user.id': 'u',
            'session.id': 's',
            'input.value': long,
            'output.value': '{"a":1}',
            'output.mime_type': 'application/json',
          },
        },
        { spanId: spanId(2), parentSpanId: spanId(1), startUs: 30, endUs: 0 },
      ]);
      const [first, second] = await spansBy({ traceRowId: (await traceRow(1)).rowId }, 'start_time', 'asc');
      expect(first).toMatchObject({
        projectRowId: await rowOf(),
        isOpen: false,
        userId: 'u',
        sessionId: 's',
        modelName: 'm',
        provider: 'p',
        promptTokenCount: 12,
        completionTokenCount: 3,
        cacheReadTokenCount: 4,
        cacheWriteTokenCount: 5,
        promptAudioTokenCount: 6,
        output: { start: '{"a":1}', whole: '{"a":1}', isJson: true },
      });
      expect(first?.input).toEqual({ start: '😀'.repeat(100), whole: null, isJson: false });
      expect(second).toMatchObject({ isOpen: true, endTimeUs: 30, promptTokenCount: null, input: null, output: null });
    });

    it('are found by row, by both ids and, newest first, by the id alone', async () => {
      await send([{ traceId: traceId(1), name: 'old' }]);
      await send([{ traceId: traceId(2), name: 'new' }]);
      const newest = await under.store.findSpanByOtelId(spanId(1));
      expect(newest?.name).toBe('new');
      const rows = await under.store.findSpans([newest?.rowId ?? 0, 99]);
      expect([...rows.values()]).toEqual([newest]);
      const found = await under.store.findSpansByIdentity([
        { traceId: traceId(1), spanId: spanId(1) },
        { traceId: traceId(1), spanId: spanId(9) },
        { traceId: traceId(2), spanId: spanId(1) },
      ]);
      expect(found.map((row) => row?.name)).toEqual(['old', undefined, 'new']);
      expect(await under.store.findSpanByOtelId(spanId(9))).toBeUndefined();
    });

    it('are found by the beginning of an id, as their traces and sessions are', async () => {
      const named = { attributes: { 'session.id': 'chat/42' } };
      await send([
        { traceId: `abcdef01${'0'.repeat(24)}`, spanId: 'abcd000000000001', name: 'one', ...named },
        { traceId: `abcdef02${'0'.repeat(24)}`, spanId: 'abcd000000000002', name: 'two', ...named },
        { traceId: `abcdf0${'0'.repeat(26)}`, spanId: 'abce000000000001', name: 'three' },
      ]);
      const { store } = under;
      const traces = await store.findTracesByIdPrefix('abcdef', 5);
      expect(traces.map(({ traceId: id }) => id.slice(0, 8))).toEqual(['abcdef01', 'abcdef02']);
      expect(await store.findTracesByIdPrefix('abcdef', 1)).toHaveLength(1);
      expect((await store.findSpansByIdPrefix('abcd', 5)).map(({ name }) => name)).toEqual(['two', 'one']);
      expect((await store.findSessionsByIdPrefix('chat/4', 5)).map(({ sessionId }) => sessionId)).toEqual(['chat/42']);
      expect(await store.findSpansByIdPrefix('abcf', 5)).toEqual([]);
    });
  });

  describe(`${engine}: whole spans`, () => {
    it('come in the parts that are asked for', async () => {
      const attributes = {
        metadata: '{"k":1}',
        'tag.tags': ['a', 'b'],
        'input.value': 'x'.repeat(5000),
        'embedding.embeddings.0.embedding.text': 't',
        'embedding.embeddings.0.embedding.vector': ['1', '2'],
        'retrieval.documents.0.document.content': 'd',
        'retrieval.documents.1.document.content': 'e',
        wide: 9_007_199_254_740_993n,
      };
      await send([{ attributes }]);
      const rowId = await idOf(spanId(1));
      const values = (await under.store.readSpanParts([{ rowId, parts: ['values'] }])).get(rowId);
      expect(values).toEqual({ rowId, values: { input: 'x'.repeat(5000), output: null } });
      const rest = (await under.store.readSpanParts([{ rowId, parts: ['attributes', 'report'] }])).get(rowId);
      expect(JSON.parse(rest?.attributes ?? '')).toMatchObject({
        embedding: { embeddings: [{ embedding: { text: 't' } }] },
        wide: '9007199254740993',
      });
      expect(rest?.attributes).not.toContain('vector');
      expect(rest?.report).toMatchObject({
        statusMessage: '',
        events: [],
        links: [],
        tags: ['a', 'b'],
        documentCount: 2,
      });
      expect(JSON.parse(rest?.report?.metadata ?? '')).toEqual({ k: 1 });
      const source = (await under.store.readSpanSources([rowId])).get(rowId);
      expect(source).toEqual({ resource: '{}', scope: { name: 'test', version: '1' } });
      expect(await under.store.readSpanParts([{ rowId: 99, parts: ['report'] }])).toEqual(new Map());
    });
  });

  describe(`${engine}: what lies below a span`, () => {
    const model = (number: number, parent: number, more: Partial<TestSpan> = {}) => ({
      spanId: spanId(number),
      parentSpanId: spanId(parent),
      startUs: number,
      attributes: tokens(10, 1),
      ...more,
    });

    it('adds up errors and tokens that count, whatever is changed later', async () => {
      await send([{ spanId: spanId(1), status: 'ERROR' }, model(2, 1), model(3, 2), model(4, 1, { status: 'ERROR' })]);
      const ids = [await idOf(spanId(1)), await idOf(spanId(2)), await idOf(spanId(4))];
      const before = await under.store.readSubtrees([...ids, 99]);
      expect(ids.map((id) => before.get(id))).toMatchObject([
        { childCount: 2, errorCount: 2, promptTokenCount: 20, completionTokenCount: 2 },
        { childCount: 1, errorCount: 0, promptTokenCount: 10, completionTokenCount: 1 },
        { childCount: 0, errorCount: 1, promptTokenCount: 10, completionTokenCount: 1 },
      ]);
      expect(before.size).toBe(3);
      await send([model(5, 3), model(4, 1)]);
      const after = await under.store.readSubtrees(ids);
      expect(after.get(ids[0] ?? 0)).toMatchObject({
        childCount: 2,
        errorCount: 1,
        promptTokenCount: 20,
        completionTokenCount: 2,
      });
    });

    it('tells where tokens count that do not count themselves', async () => {
      const call = { 'gen_ai.response.id': 'r' };
      await send([
        { spanId: spanId(1), attributes: { 'openinference.span.kind': 'AGENT', 'llm.token_count.prompt': 50 } },
        model(2, 1, { attributes: { ...tokens(14, 1) } }),
        { spanId: spanId(3), parentSpanId: spanId(2) },
        model(4, 3, { attributes: { ...tokens(10, 1), ...call } }),
        { spanId: spanId(5), attributes: { 'openinference.span.kind': 'EMBEDDING', 'llm.token_count.prompt': 8 } },
        { spanId: spanId(6) },
      ]);
      const [agent, wrapper, step, inner, embedding, other] = await Promise.all(
        [1, 2, 3, 4, 5, 6].map((n) => idOf(spanId(n))),
      );
      const countings = await under.store.readTokenCountings([
        agent,
        wrapper,
        step,
        inner,
        embedding,
        other,
        99,
      ] as number[]);
      expect(countings).toEqual(
        new Map([
          [agent, { reason: 'other_kind', spanRowIds: [wrapper], surplus: 36 }],
          [wrapper, { reason: 'calls_below', spanRowIds: [inner], surplus: 4 }],
          [inner, { reason: 'counted', spanRowIds: [], surplus: 0 }],
          [embedding, { reason: 'other_kind', spanRowIds: [], surplus: 0 }],
        ]),
      );
    });

    it('gives single attributes as texts, from its original where its row leaves them out', async () => {
      const long = 'x'.repeat(400);
      await send([
        {
          spanId: spanId(1),
          attributes: { tier: 'gold', count: 3, long, 'docs.0.name': 'a', 'docs.1.name': 'b', 'tags.list': ['p', 'q'] },
        },
        { spanId: spanId(2), attributes: { tier: true } },
      ]);
      const ids = await Promise.all([1, 2].map((number) => idOf(spanId(number))));
      const paths = ['tier', 'count', 'long', 'docs.1.name', 'tags.list', 'none'];
      const read = (maxLength: number) => under.store.readAttributeTexts([...ids, 99], { paths, maxLength });
      const whole = await read(1000);
      expect(whole.get(ids[0] ?? 0)).toEqual(['gold', '3', long, 'b', '["p","q"]', null]);
      expect(whole.get(ids[1] ?? 0)).toEqual(['true', null, null, null, null, null]);
      expect(whole.size).toBe(2);
      expect((await read(3)).get(ids[0] ?? 0)).toEqual(['gol…', '3', 'xxx…', 'b', '["p…', null]);
    });

    it('gives digests that are equal where spans hold the same, page by page', async () => {
      const call = (content: string, id: string) => ({
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': content,
        'llm.output_messages.0.message.tool_calls.0.tool_call.id': `call_${id}`,
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'search',
      });
      await send([
        { spanId: spanId(1), startUs: 1, endUs: 9, attributes: call('Hello', '12345678') },
        { spanId: spanId(2), startUs: 2, endUs: 7, attributes: call('Hello', '87654321') },
        { spanId: spanId(3), startUs: 3, endUs: 5, attributes: call('Goodbye', '12345678') },
      ]);
      const [rowId, second, third] = await Promise.all([1, 2, 3].map((number) => idOf(spanId(number))));
      const traceRowId = (await under.store.findSpans([rowId ?? 0])).get(rowId ?? 0)?.traceRowId ?? 0;
      const read = async (limit: number, after: SkeletonPosition | null) => {
        const { columns, next } = await under.store.readTraceDigests(traceRowId, { limit, after });
        return { lists: JSON.parse(columns) as Record<string, readonly unknown[]>, next };
      };
      const whole = await read(10, null);
      expect(whole).toMatchObject({
        lists: { rowIds: [rowId, second, third], prompt: [null, null, null] },
        next: null,
      });
      const { input = [], output = [] } = whole.lists;
      expect(input[0]).toBe(input[1]);
      expect(input[0]).not.toBe(input[2]);
      expect(new Set(output).size).toBe(1);
      const first = await read(2, null);
      expect(first.lists['rowIds']).toEqual([rowId, second]);
      expect(await read(2, first.next)).toMatchObject({ lists: { rowIds: [third], input: [input[2]] }, next: null });
    });

    it('is listed level by level, page by page', async () => {
      await send([model(6, 3), model(5, 2), model(4, 1), model(3, 2), model(2, 1), { spanId: spanId(1) }]);
      const rowId = await idOf(spanId(1));
      const names = async (maxDepth: number) => {
        const found: string[] = [];
        for (let after: number | null = null; ; ) {
          const page = await under.store.browseDescendants(rowId, { maxDepth, limit: 2, after });
          found.push(...page.rows.map((row) => row.spanId.slice(-1)));
          if (!page.hasMore) return found.join('');
          after = page.rows.at(-1)?.rowId ?? null;
        }
      };
      expect(await names(1)).toBe('24');
      expect(await names(2)).toBe('2435');
      expect(await names(0)).toBe('24356');
      expect(await under.store.browseDescendants(99, { maxDepth: 0, limit: 2, after: null })).toEqual({
        rows: [],
        hasMore: false,
      });
    });

    it('ends where spans name each other as parents', async () => {
      await send([model(1, 2), model(2, 1), model(3, 3), model(4, 2, { status: 'ERROR' })]);
      const rowId = await idOf(spanId(1));
      const page = await under.store.browseDescendants(rowId, { maxDepth: 0, limit: 10, after: null });
      expect(page.rows.map((row) => row.spanId)).toEqual([spanId(2), spanId(4)]);
      const subtrees = await under.store.readSubtrees([rowId, await idOf(spanId(3)), await idOf(spanId(2))]);
      expect([...subtrees.values()].map(({ childCount }) => childCount)).toEqual([1, 2, 0]);
    });
  });
}
