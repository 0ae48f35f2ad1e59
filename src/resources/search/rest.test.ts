import { beforeAll, describe, expect, it } from 'vitest';
import { appOf } from '#api/rest/app.fixture';
import { formatGlobalId } from '#base/global-id';
import { relationalProjectStore } from '#store/projects/relational-projects';
import { openSearchable } from '#store/search/open-searchable.fixture';
import { findTraceByOtelId, findTraces } from '#store/spans/rows/find-rows';
import { findSpans } from '#store/spans/rows/span-table';
import { spanId, TEST_START_US, traceId } from '../../../test/harness/otlp-json.ts';
import { searchRoutes } from './rest.ts';

let app: ReturnType<typeof appOf>;

/** Ten spans in two traces, a second apart, that say which they are. */
beforeAll(async () => {
  const { send, index, scope, search, db } = await openSearchable();
  await send(
    Array.from({ length: 10 }, (_, place) => ({
      traceId: traceId(1 + (place % 2)),
      spanId: spanId(place + 1),
      name: `step ${place}`,
      startUs: TEST_START_US + place * 1_000_000,
      attributes: {
        'input.value': `refund of order ${place} ${'please '.repeat(place)}`,
        'output.value': 'near or not',
      },
    })),
  );
  await index();
  const spans = {
    findSpans: (rowIds: readonly number[]) => findSpans(scope, rowIds),
    findTraces: (rowIds: readonly number[]) => findTraces(scope, rowIds),
    findTraceByOtelId: (id: string) => findTraceByOtelId(scope, id),
  };
  app = appOf(
    searchRoutes(
      () => relationalProjectStore(db, scope.dialect),
      () => spans,
      () => search,
    ),
  );
});

interface Hits {
  readonly data: readonly { readonly id: string; readonly name: string; readonly snippets: readonly Snippet[] }[];
  readonly next_cursor: string | null;
  readonly is_partial: boolean;
}

interface Snippet {
  readonly place: string;
  readonly text: string;
  readonly hits: readonly { readonly start: number; readonly end: number }[];
}

async function search(query: Readonly<Record<string, string>>): Promise<Hits> {
  const { statusCode, body } = await ask(query);
  expect([statusCode, body]).toEqual([200, expect.any(String)]);
  return JSON.parse(body) as Hits;
}

function ask(query: Readonly<Record<string, string>>, project = 'default') {
  return app.inject(`/v1/projects/${project}/search?${new URLSearchParams(query).toString()}`);
}

/** Which of the ten are found, in order. */
const stepsOf = ({ data }: Hits) => data.map(({ name }) => Number(name.slice('step '.length)));
const find = async (text: string, more: Readonly<Record<string, string>> = {}) =>
  stepsOf(await search({ text, limit: '100', ...more }));

/** The last first; spans of one request arrive trace by trace. */
const ALL = [9, 7, 5, 3, 1, 8, 6, 4, 2, 0];
const time = (second: number) => `2026-01-01T00:00:0${second}Z`;
const encode = (text: string) => Buffer.from(text).toString('base64');

describe('what is typed', () => {
  it.each<[string, readonly number[]]>([
    ['refund', ALL],
    ['refund order', ALL],
    ['"refund order"', []],
    ['"refund of order 7"', [7]],
    ['"refund of ord"*', ALL],
    ['ref*', ALL],
    ['refund -please', [0]],
    ['"order 3" OR "order 4"', [3, 4]],
    ['refund "order 3" OR "order 4"', [3, 4]],
    // Words of other searches' syntax are words.
    ['refund AND order', []],
    ['refund NOT please', ALL.slice(0, -1)],
    ['NEAR(refund order)', []],
    ['or', ALL],
    ['OR refund', ALL],
    ['refund OR', ALL],
    ['input:refund', []],
    ['{input output}: refund', []],
    ['refund^2', []],
    ['^refund', ALL],
    ['+refund', ALL],
    ['(refund', ALL],
    ['refund)', ALL],
    ['"refund', ALL],
    ['refund"', ALL],
    ['"refund""order"', ALL],
    [`refund'; DROP TABLE spans; --`, []],
    [`refund' OR '1'='1`, ALL],
    ['refund%', ALL],
    ['refun_', []],
    ['re?und', []],
    ['refund\u0000order', []],
    ['ＲＥＦＵＮＤ', ALL],
    ['réfund', ALL],
    ['rowid', []],
    ['*refund', ALL],
  ])('%s finds %j', async (text, steps) => {
    expect(await find(text)).toEqual(steps);
  });

  it.each([
    ['', /no word to search for/],
    [' ', /no word to search for/],
    ['*', /no word to search for/],
    ['"', /no word to search for/],
    ['""', /no word to search for/],
    ['-', /no word to search for/],
    ['\ud800', /no word to search for/],
    ['-refund', /at least one word to find/],
    ['-refund -order', /at least one word to find/],
    ['r*', /at least 2 letters/],
  ])('%j is refused', async (text, message) => {
    const { statusCode, body } = await ask({ text });
    expect([statusCode, body]).toEqual([422, expect.stringMatching(message)]);
  });

  it.each([
    ['words', 'refund '.repeat(1500)],
    ['different words', Array.from({ length: 1500 }, (_, place) => `w${place}`).join(' ')],
    ['beginnings', 're* '.repeat(1500)],
    ['alternatives', `${'refund OR '.repeat(1000)}order`],
    ['a phrase', `"${'refund of '.repeat(1000)}"`],
    ['a word', 'r'.repeat(10_000)],
    ['signs', '"-*'.repeat(3000)],
    ['quotes', '"'.repeat(10_000)],
  ])('%s without end are answered or refused in time', async (_what, text) => {
    const before = process.threadCpuUsage();
    const { statusCode, body } = await ask({ text });
    const { user, system } = process.threadCpuUsage(before);
    expect([200, 422]).toContain(statusCode);
    expect(body.length).toBeLessThan(100_000);
    // Some tens of milliseconds.
    expect(user + system).toBeLessThan(1_500_000);
  });
});

describe('snippets', () => {
  it('mark what was found, and nothing else', async () => {
    const { data } = await search({ text: 'order please', limit: '2' });
    for (const { snippets } of data) {
      const marked = snippets.flatMap(({ text, hits }) => hits.map(({ start, end }) => text.slice(start, end)));
      expect(new Set(marked)).toEqual(new Set(['order', 'please']));
    }
  });

  it('say where the text stands', async () => {
    const [hit] = (await search({ text: 'near', limit: '1' })).data;
    expect(hit?.snippets).toMatchObject([{ place: 'output', text: 'near or not', hits: [{ start: 0, end: 4 }] }]);
  });
});

describe('what is narrowed', () => {
  it.each<[string, Readonly<Record<string, string>>, readonly number[]]>([
    ['a start is inclusive', { start_time: time(8) }, [9, 8]],
    ['an end is exclusive', { end_time: time(2) }, [1, 0]],
    ['a moment holds nothing', { start_time: time(2), end_time: time(2) }, []],
    ['a trace by its hexadecimal id', { trace_id: traceId(2) }, [9, 7, 5, 3, 1]],
    ['a trace by its id in capitals', { trace_id: traceId(2).toUpperCase() }, [9, 7, 5, 3, 1]],
    ['a trace by its global id', { trace_id: formatGlobalId('Trace', 1) }, [8, 6, 4, 2, 0]],
    ['a filter', { filter: "name in ['step 3', 'step 4']" }, [3, 4]],
    ['a filter within a trace', { filter: "name in ['step 3', 'step 4']", trace_id: traceId(1) }, [4]],
    ['an empty filter narrows nothing', { filter: '' }, ALL],
    ['a scope', { scope: 'output' }, []],
  ])('%s', async (_what, query, steps) => {
    expect(await find('refund', query)).toEqual(steps);
  });
});

describe('pages', () => {
  it.each(['newest', 'best'])('hold every hit once, %s first', async (order) => {
    const steps: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null && steps.length <= 10) {
      const page: Hits = await search({ text: 'refund', limit: '3', order, ...(cursor !== '' && { cursor }) });
      expect(page.is_partial).toBe(false);
      steps.push(...stepsOf(page));
      cursor = page.next_cursor;
    }
    if (order === 'newest') expect(steps).toEqual(ALL);
    expect(steps.toSorted((a, b) => a - b)).toEqual(ALL.toSorted((a, b) => a - b));
  });

  it.each([
    ['of no list', 'nonsense', 'newest'],
    ['of spans', encode('Span:3'), 'newest'],
    ['of prices', encode('ModelPrice:3'), 'newest'],
    ['of the best', encode('3:INT:5'), 'newest'],
    ['of the newest', encode('3'), 'best'],
    ['of another order', encode('3:DATETIME:5'), 'best'],
    ['without a row', encode(':INT:5'), 'best'],
    ['below zero', encode('-3'), 'newest'],
    ['without end', 'A'.repeat(5000), 'newest'],
  ])('do not begin at a cursor %s', async (_what, cursor, order) => {
    const { statusCode, body } = await ask({ text: 'refund', cursor, order });
    expect([statusCode, body]).toEqual([422, expect.stringMatching(/^Invalid cursor/)]);
  });

  it.each([
    ['beyond all rows', encode('9999999999999999'), 'newest', 10],
    ['before all rows', encode('1'), 'newest', 0],
    ['beyond all places', encode('5:INT:9999999999999999'), 'best', 0],
  ])('may begin %s', async (_what, cursor, order, count) => {
    expect((await search({ text: 'refund', limit: '100', cursor, order })).data).toHaveLength(count);
  });
});

describe('a question that cannot be answered', () => {
  const trace_id = traceId(1);

  it.each<[string, Readonly<Record<string, string>>, number, RegExp]>([
    ['has no text', {}, 422, /"text"/],
    ['has no page', { text: 'refund', limit: '0' }, 422, /greater than or equal to 1/],
    ['has too large a page', { text: 'refund', limit: '1000000' }, 422, /less than or equal to 100/],
    ['has an order that there is not', { text: 'refund', order: 'worst' }, 422, /newest.*best/],
    ['has a scope that there is not', { text: 'refund', scope: '__proto__' }, 422, /everything/],
    ['has a time that is none', { text: 'refund', start_time: 'today' }, 422, /datetime/],
    ['runs backwards', { text: 'refund', start_time: time(3), end_time: time(2) }, 422, /ends before it starts/],
    ['has a trace and a time', { text: 'refund', trace_id, start_time: time(3) }, 422, /takes no times/],
    ['has a trace and an end', { text: 'refund', trace_id, end_time: time(3) }, 422, /takes no times/],
    ['has a filter that is none', { text: 'refund', filter: 'name ==' }, 400, /Invalid filter/],
    ['has a filter too deep', { text: 'refund', filter: '('.repeat(1000) }, 400, /nested too deeply/],
    ['has a trace that is no id', { text: 'refund', trace_id: 'zz' }, 404, /no trace zz/],
    ['has the id of a span', { text: 'refund', trace_id: formatGlobalId('Span', 1) }, 404, /no trace/],
    ['has a trace that is not there', { text: 'refund', trace_id: traceId(77) }, 404, /no trace/],
  ])('%s', async (_what, query, status, message) => {
    const { statusCode, body } = await ask(query);
    expect([statusCode, body]).toEqual([status, expect.stringMatching(message)]);
  });

  it('is of no project', async () => {
    for (const project of ['none', formatGlobalId('Trace', 1), '%00']) {
      expect((await ask({ text: 'refund' }, project)).statusCode, project).toBe(404);
    }
  });
});
