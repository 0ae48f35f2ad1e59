/** How spans hang together: any order of arrival, missing parents, loops. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportAll } from '../harness/otlp-client.ts';
import {
  otlpSpan,
  requestOf,
  spanId,
  TEST_START_US,
  type TestSpan,
  traceId,
  traceRequest,
} from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findTrace, getOnlySpan, getOriginalSpan, listSessions, listSpans } from '../harness/telemetry.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

let lastTrace = 0x100;

function newTraceId(): string {
  return traceId(++lastTrace);
}

interface Rollup {
  readonly errors: number;
  readonly spans: number;
  readonly cost: number;
  readonly root: string | null;
}

/** Sums of a trace that no REST answer shows: errors, and the span that stands for the whole. */
async function readRollup(id: string): Promise<Rollup> {
  const [row] = await server.data.rows(
    `SELECT error_count AS errors, span_count AS spans, traces.cost_nanousd AS cost, root.span_id AS root
     FROM traces LEFT JOIN spans AS root ON root.id = root_span_row_id WHERE trace_id = '${id}'`,
  );
  return row as unknown as Rollup;
}

function call(number: number, parent: number, prompt: number, more: Partial<TestSpan> = {}): TestSpan {
  return {
    spanId: spanId(number),
    parentSpanId: spanId(parent),
    startUs: TEST_START_US + number * 10,
    ...more,
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.token_count.prompt': prompt,
      'llm.cost.total': 0.5,
      ...more.attributes,
    },
  };
}

describe('a tree of four levels', () => {
  const TREE: readonly TestSpan[] = [
    {
      spanId: spanId(1),
      startUs: TEST_START_US,
      endUs: TEST_START_US + 9_000_000,
      attributes: { 'llm.token_count.prompt': 99 },
    },
    call(2, 1, 30, { attributes: { 'session.id': 'second' } }),
    call(3, 2, 20, { status: 'ERROR', attributes: { 'session.id': 'third' } }),
    {
      spanId: spanId(4),
      parentSpanId: spanId(3),
      startUs: TEST_START_US + 1,
      endUs: TEST_START_US + 9_500_000,
      status: 'ERROR',
    },
    call(5, 1, 7),
  ];

  it('has the same times, sums, root and session in every order of arrival', async () => {
    const orders = permutations([0, 1, 2, 3]).map((order) => [...order, 4]);
    await Promise.all(
      orders.map(async (order, index) => {
        for (const at of order) {
          const span = { ...(TREE[at] as TestSpan), traceId: traceId(0x1000 + index) };
          await exportAll(server.url, traceRequest([span]), { 'x-project-name': 'permuted' });
        }
      }),
    );
    expect(orders).toHaveLength(24);
    for (const index of orders.keys()) {
      const id = traceId(0x1000 + index);
      expect(await findTrace(server.url, id, 'permuted')).toMatchObject({
        start_time: '2026-01-01T00:00:00+00:00',
        end_time: '2026-01-01T00:00:09.500000+00:00',
        // The wrapper repeats what the call inside it used, and agents never count.
        token_count_prompt: 27,
        token_count_completion: 0,
        spans: [1, 4, 2, 3, 5].map((number) => ({ span_id: spanId(number) })),
      });
      expect(await readRollup(id)).toEqual({ errors: 2, spans: 5, cost: 1e9, root: spanId(1) });
    }
    expect(await listSessions(server.url, 'permuted')).toMatchObject([
      { session_id: 'second', token_count_prompt: 24 * 27 },
    ]);
  });
});

describe('a span whose parent is not here', () => {
  it('keeps its parent id, stands for its trace, and is no span without a parent', async () => {
    const [orphan, root] = [traceId(1), traceId(2)];
    await exportAll(server.url, traceRequest([{ traceId: orphan, spanId: spanId(1), parentSpanId: spanId(9) }]), {
      'x-project-name': 'orphans',
    });
    await exportAll(server.url, traceRequest([{ traceId: root, spanId: spanId(2) }]), { 'x-project-name': 'orphans' });
    expect((await getOnlySpan(server.url, orphan, 'orphans')).parent_id).toBe(spanId(9));
    expect((await readRollup(orphan)).root).toBe(spanId(1));
    const without = await listSpans(server.url, 'orphans', 'parent_id=null');
    expect(without.map((span) => span.context.trace_id)).toEqual([root]);
    expect(await listSpans(server.url, 'orphans', `parent_id=${spanId(9)}`)).toHaveLength(1);
  });

  it('is not adopted by a span of that id in another trace', async () => {
    await exportAll(server.url, traceRequest([{ traceId: traceId(3), spanId: spanId(9) }]));
    expect((await readRollup(traceId(1))).root).toBe(spanId(1));
  });

  it('gives way as root when its parent arrives', async () => {
    await exportAll(server.url, traceRequest([{ traceId: traceId(4), spanId: spanId(1), parentSpanId: spanId(2) }]));
    await exportAll(
      server.url,
      traceRequest([{ traceId: traceId(4), spanId: spanId(2), startUs: TEST_START_US + 50 }]),
    );
    expect((await readRollup(traceId(4))).root).toBe(spanId(2));
  });

  it.each([
    ['all zeros', '0000000000000000', null],
    ['empty', '', null],
    ['too short', 'abcd', 'abcd'],
    ['too long', `${spanId(1)}ff`, `${spanId(1)}ff`],
  ])('has the parent id as sent, and none where it is empty or zeros: %s', async (_name, sent, read) => {
    const id = newTraceId();
    await exportAll(server.url, traceRequest([{ traceId: id, spanId: spanId(7), parentSpanId: sent }]));
    expect((await getOnlySpan(server.url, id)).parent_id).toBe(read);
    expect((await getOriginalSpan(server.url, id))['parentSpanId'] ?? '').toBe(sent);
    expect((await readRollup(id)).root).toBe(spanId(7));
  });
});

describe('a loop of parents', () => {
  const LOOPS: readonly [string, readonly TestSpan[], number][] = [
    ['a span that is its own parent', [call(1, 1, 5, { status: 'ERROR' })], 5],
    ["two spans that are each other's parents", [call(1, 2, 5, { status: 'ERROR' }), call(2, 1, 6)], 0],
    [
      'three in a circle, and one below',
      [call(1, 2, 5, { status: 'ERROR' }), call(2, 3, 6), call(3, 1, 7), call(4, 1, 8)],
      8,
    ],
  ];

  describe.each(LOOPS)('%s', (_name, spans, tokens) => {
    it.each([
      ['in one request', [spans]],
      ['one by one', spans.map((span) => [span])],
      ['one by one from behind', spans.toReversed().map((span) => [span])],
    ])('is stored, read and followed by later spans: %s', async (_how, requests) => {
      const id = newTraceId();
      for (const request of requests)
        await exportAll(server.url, traceRequest(request.map((span) => ({ ...span, traceId: id }))));
      expect(await listSpans(server.url, 'default', `trace_id=${id}`)).toHaveLength(spans.length);
      expect(await findTrace(server.url, id)).toMatchObject({ token_count_prompt: tokens });
      await exportAll(server.url, traceRequest([{ ...call(20, 1, 0), traceId: id }]));
      const { errors, spans: count } = await readRollup(id);
      expect({ errors, count }).toEqual({ errors: 1, count: spans.length + 1 });
    });
  });
});

describe('a trace without any root', () => {
  it('keeps the wide and the deep: ten thousand children, and a chain of a thousand', async () => {
    const wide = Array.from({ length: 10_000 }, (_, index) =>
      otlpSpan({ traceId: traceId(0x2000), spanId: spanId(index + 2), parentSpanId: spanId(1) }),
    );
    await exportAll(server.url, requestOf(wide));
    const deep = Array.from({ length: 1000 }, (_, index) =>
      otlpSpan({ traceId: traceId(0x2001), spanId: spanId(index + 2), parentSpanId: spanId(index + 1) }),
    );
    await exportAll(server.url, requestOf(deep));
    expect(await readRollup(traceId(0x2000))).toMatchObject({ spans: 10_000, root: spanId(2) });
    expect(await readRollup(traceId(0x2001))).toMatchObject({ spans: 1000, root: spanId(2) });
  });
});

function permutations(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length <= 1) return [items];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}
