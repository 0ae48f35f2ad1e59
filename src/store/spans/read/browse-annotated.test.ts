import { beforeAll, describe, expect, it } from 'vitest';
import { compareTexts } from '#filter/compare';
import { parseFilter } from '#filter/parse-filter';
import type { Condition, FilterGrain } from '#filter/tree';
import { type PlainGrain, plainMatches, plainSessions, plainTraces } from '../../query/grains/grains.fixture.ts';
import { QueriedStore } from '../../query/queried-store.fixture.ts';
import type {
  AnnotationPage,
  AnnotationPageRequest,
  AnnotationPosition,
  AnnotationSort,
} from '#domain/annotation-page';
import { browseSessionsByAnnotation, browseSpansByAnnotation, browseTracesByAnnotation } from './browse-annotated.ts';

let known: QueriedStore;
let traces: readonly PlainGrain[];
let sessions: readonly PlainGrain[];

beforeAll(async () => {
  known = await QueriedStore.open();
  [traces, sessions] = [await plainTraces(known.store, known), await plainSessions(known.store, known)];
});

const SORTS: readonly AnnotationSort[] = [
  { name: 'quality', by: 'score' },
  { name: 'quality', by: 'label' },
  { name: 'a b', by: 'score' },
  { name: 'é', by: 'label' },
];
const ORDERS = ['asc', 'desc'] as const;
const CASES = SORTS.flatMap(({ name, by }) => ORDERS.map((order) => [name, by, order] as const));

function read(grain: FilterGrain, text: string): Condition {
  const { condition } = parseFilter(grain, text);
  if (condition === null) throw new Error(text);
  return condition;
}

/** Row ids of all pages. */
async function allOf<Row extends { readonly rowId: number }>(
  browse: (page: AnnotationPageRequest) => Promise<AnnotationPage<Row>>,
  page: Omit<AnnotationPageRequest, 'after'>,
): Promise<readonly number[]> {
  const seen: number[] = [];
  let after: AnnotationPosition | null = null;
  do {
    const found: AnnotationPage<Row> = await browse({ ...page, after });
    expect(found.rows.length).toBeLessThanOrEqual(page.limit);
    // Every row says where the list continues behind it.
    if (found.next !== null && found.next.kind === 'value' && found.looked.isWhole)
      expect(found.next).toEqual(found.rows.at(-1)?.position);
    seen.push(...found.rows.map(({ row }) => row.rowId));
    after = found.next;
  } while (after !== null);
  return seen;
}

/** The mean of the scores, or the first of the labels. */
function valueOf(target: FilterGrain, rowId: number, { name, by }: AnnotationSort): number | string | null {
  const own = known.annotations.of(target, rowId).filter((annotation) => annotation.name === name);
  if (by === 'label') return own.flatMap(({ label }) => label ?? []).toSorted(compareTexts)[0] ?? null;
  const scores = own.flatMap(({ score }) => score ?? []);
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function inOrder(
  target: FilterGrain,
  rowIds: readonly number[],
  sort: AnnotationSort,
  order: 'asc' | 'desc',
  restOf: (rowId: number) => number = (rowId) => rowId,
): readonly number[] {
  const sign = order === 'asc' ? 1 : -1;
  return rowIds.toSorted((a, b) => {
    const [x, y] = [valueOf(target, a, sort), valueOf(target, b, sort)];
    if (x === null && y === null) return sign * (restOf(a) - restOf(b) || a - b);
    if (x === null || y === null) return x === null ? 1 : -1;
    const values = typeof x === 'string' ? compareTexts(x, String(y)) : x - Number(y);
    return sign * (values || a - b);
  });
}

describe.each(CASES)('by %s %s %s', (name, by, order) => {
  const sort = { name, by };

  it.each([null, "span_kind == 'LLM' or 'needle' in text", "annotations['quality'].score > 0 and latency_ms >= 1"])(
    'spans come once each, those without a value last: %s',
    async (text) => {
      const projectRowId = known.store.projectRowId();
      const condition = text === null ? undefined : read('span', text);
      const scope = { projectRowId, rootsOnly: false, condition };
      const expected = known.matchesOf(condition ?? { kind: 'constant', value: true });
      expect(expected.length).toBeGreaterThan(20);
      const found = await allOf((page) => browseSpansByAnnotation(known.store.scope, scope, page), {
        sort,
        order,
        limit: 37,
      });
      expect(found).toEqual(inOrder('span', expected, sort, order));
    },
  );

  it('spans in bounds of time, roots, and spans of a trace and of traces', async () => {
    const projectRowId = known.store.projectRowId();
    const starts = known.spans.map(({ row }) => row.startTimeUs).sort((a, b) => a - b);
    const [startTimeUs = 0, endTimeUs = 0] = [starts[80], starts[200]];
    const bounds = { startTimeUs, endTimeUs };
    const browse = (spans: Parameters<typeof browseSpansByAnnotation>[1]) =>
      allOf((page) => browseSpansByAnnotation(known.store.scope, spans, page), { sort, order, limit: 20 });
    const rowsOf = (keep: (row: (typeof known.spans)[number]['row']) => boolean) =>
      inOrder(
        'span',
        known.spans.filter(({ row }) => keep(row)).map(({ row }) => row.rowId),
        sort,
        order,
      );
    const isInside = (timeUs: number) => timeUs >= startTimeUs && timeUs < endTimeUs;
    expect(await browse({ projectRowId, rootsOnly: true, ...bounds })).toEqual(
      rowsOf((row) => isInside(row.startTimeUs) && row.parentSpanId === null),
    );
    const traceRowId = known.spans[0]?.row.traceRowId ?? 0;
    expect(await browse({ traceRowId })).toEqual(rowsOf((row) => row.traceRowId === traceRowId));
    const traceCondition = read('trace', 'error_count > 1');
    const failed = Map.groupBy(known.spans, ({ row }) => row.traceRowId);
    const isFailed = (id: number) => (failed.get(id) ?? []).filter(({ row }) => row.statusCode === 'ERROR').length > 1;
    expect(await browse({ projectRowId, rootsOnly: false, traceCondition })).toEqual(
      rowsOf((row) => isFailed(row.traceRowId)),
    );
  });

  it('traces, those without a value by start', async () => {
    const { store } = known;
    const starts = new Map(traces.map(({ rowId, row }) => [rowId, Number(row.fields?.['start_time'])]));
    for (const text of ['num_spans > 0', "error_count > 0 and trace_annotations['quality']"]) {
      const condition = read('trace', text);
      const expected = plainMatches(traces, condition);
      const scope = { projectRowId: store.projectRowId(), ...(text !== 'num_spans > 0' && { condition }) };
      const found = await allOf((page) => browseTracesByAnnotation(store.scope, scope, page), {
        sort,
        order,
        limit: 7,
      });
      expect(found).toEqual(inOrder('trace', expected, sort, order, (rowId) => starts.get(rowId) ?? 0));
    }
  });

  it('sessions, those without a value by arrival', async () => {
    const { store } = known;
    for (const text of ['num_traces > 0', 'num_traces_with_error > 3']) {
      const condition = read('session', text);
      const scope = { projectRowId: store.projectRowId(), ...(text !== 'num_traces > 0' && { condition }) };
      const found = await allOf((page) => browseSessionsByAnnotation(store.scope, scope, page), {
        sort,
        order,
        limit: 2,
      });
      expect(found).toEqual(inOrder('session', plainMatches(sessions, condition), sort, order));
    }
  });
});
