/** Lists of spans that projects and traces have. */
import { addAnnotationKey, browseAnnotated, chooseSort } from '#api/graphql/annotation-order';
import type { Builder } from '#api/graphql/builder';
import type { Connection, PageArguments } from '#api/graphql/connection';
import { browse } from '#api/graphql/keyset';
import { toTimeBounds } from '#api/graphql/time-bounds';
import type { Caller, ForCaller } from '#domain/caller';
import type { Looked } from '#domain/page';
import type { SpanCount, SpanScope, SpanTableRow, SpanTableSort, TelemetryBrowser } from '#store/spans/browse-port';
import { readFilter } from '../../filters/operations.ts';
import { spanPolicy } from '../policy.ts';
import { narrowToRoots, ROOT_ARGUMENTS, withoutIndex } from './roots.ts';
import { SPAN_ORDERS } from './table-row.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    SpanConnection: SpanPage;
    SpanPageLook: Looked;
    SpanMatchCount: SpanCount;
  }
}

/** A page of spans, with what it is a page of where that can be counted. */
export interface SpanPage extends Connection<SpanTableRow> {
  readonly scope?: SpanScope;
  readonly looked?: Looked | undefined;
}

/** How long the matches of a list are counted, in milliseconds. */
const COUNT_MS = 5000;

/** Counting reads columns of all spans. */
const COUNT_COST = 100;

/** Adds the lists, and what their pages say beside their spans. */
export function addSpanLists(builder: Builder, spans: ForCaller<TelemetryBrowser>): void {
  addPageParts(builder, spans);
  const sort = builder.inputType('SpanSort', {
    fields: (t) => ({
      col: t.field({
        type: builder.enumType('SpanColumn', {
          values: {
            startTime: { value: 'start_time' },
            endTime: { value: 'end_time' },
            latencyMs: { value: 'latency' },
            tokenCountTotal: { value: 'total_tokens' },
            tokenCountPrompt: { value: 'prompt_tokens' },
            tokenCountCompletion: { value: 'completion_tokens' },
            tokenCostTotal: { value: 'cost' },
            cumulativeTokenCountTotal: { value: 'cumulative_total_tokens' },
            cumulativeTokenCountPrompt: { value: 'cumulative_prompt_tokens' },
            cumulativeTokenCountCompletion: { value: 'cumulative_completion_tokens' },
            cumulativeTokenCostTotal: { value: 'cumulative_cost' },
          } as const,
        }),
      }),
      evalResultKey: t.field({ type: addAnnotationKey(builder, { key: 'EvalResultKey', attribute: 'EvalAttr' }) }),
      dir: t.field({ type: 'SortDir', required: true }),
    }),
  });
  const read = async (caller: Caller, scope: SpanScope, order: SortOrder, args: PageArguments): Promise<SpanPage> => {
    let looked: Looked | undefined;
    const sorted = chooseSort({ ...order, key: order.evalResultKey });
    if ('annotations' in sorted) {
      const annotated = await browseAnnotated(sorted, args, async (page) => {
        const found = await spans(caller).browseSpansByAnnotation(scope, page);
        looked = found.looked;
        return found;
      });
      return { ...annotated, scope, looked };
    }
    const connection = await browse(SPAN_ORDERS, sorted, args, async (page) => {
      const found = await spans(caller).browseSpans(scope, page);
      looked = found.looked;
      return found;
    });
    return { ...connection, scope, looked };
  };
  builder.objectField('Project', 'spans', (t) =>
    t.field({
      type: 'SpanConnection',
      access: spanPolicy.list,
      args: {
        first: t.arg.int({ required: true }),
        last: t.arg.int(),
        after: t.arg.string(),
        before: t.arg.string(),
        sort: t.arg({ type: sort }),
        timeRange: t.arg({ type: 'TimeRange' }),
        filterCondition: t.arg.string({ description: 'A filter in the filter language for spans.' }),
        traceFilterCondition: t.arg.string({
          description:
            'A filter in the filter language for traces: only spans of traces that match. `filterCondition` narrows them further.',
        }),
        rootSpansOnly: t.arg.boolean({ defaultValue: false, description: ROOT_ARGUMENTS.rootSpansOnly }),
        orphanSpanAsRootSpan: t.arg.boolean({ defaultValue: true, description: ROOT_ARGUMENTS.orphanSpanAsRootSpan }),
      },
      resolve: ({ rowId: projectRowId }, { timeRange, filterCondition, traceFilterCondition, ...args }, { caller }) => {
        const { rootsOnly, condition } = narrowToRoots(readFilter('span', filterCondition), args);
        const traceCondition = readFilter('trace', traceFilterCondition);
        const scope = { projectRowId, rootsOnly, condition, traceCondition, ...toTimeBounds(timeRange) };
        return read(caller, scope, args.sort ?? { col: 'id', dir: 'asc' }, args);
      },
    }),
  );
  builder.objectField('Trace', 'spans', (t) =>
    t.field({
      type: 'SpanConnection',
      access: spanPolicy.list,
      description: 'Newest arrival first unless sorted.',
      args: {
        first: t.arg.int({ required: true }),
        last: t.arg.int(),
        after: t.arg.string(),
        before: t.arg.string(),
        sort: t.arg({ type: sort }),
        filterCondition: t.arg.string({ description: 'A filter in the filter language for spans.' }),
        rootSpansOnly: t.arg.boolean({ defaultValue: false, description: ROOT_ARGUMENTS.rootSpansOnly }),
        orphanSpanAsRootSpan: t.arg.boolean({ defaultValue: true, description: ROOT_ARGUMENTS.orphanSpanAsRootSpan }),
      },
      resolve: ({ rowId: traceRowId }, { filterCondition, ...args }, { caller }) => {
        const condition = withoutIndex(narrowToRoots(readFilter('span', filterCondition), args));
        const scope = { traceRowId, condition };
        return read(caller, scope, args.sort ?? { col: 'id', dir: 'desc' }, args);
      },
    }),
  );
}

interface SortOrder {
  readonly col?: SpanTableSort | null | undefined;
  readonly evalResultKey?: Parameters<typeof chooseSort>[0]['key'];
  readonly dir: 'asc' | 'desc';
}

function addPageParts(builder: Builder, spans: ForCaller<TelemetryBrowser>): void {
  builder.objectType('SpanPageLook', {
    access: spanPolicy.read,
    fields: (t) => ({
      isWhole: t.exposeBoolean('isWhole', {
        description:
          'Whether the page is full or the last one. False if the server reached its time limit; the next page continues.',
      }),
      untilTime: t.expose('untilTimeUs', {
        type: 'DateTime',
        nullable: true,
        description: 'For an incomplete page sorted by start: how far back the server searched.',
      }),
      share: t.exposeFloat('share', {
        description: 'Share of the remaining spans that the server searched for this page.',
      }),
    }),
  });
  builder.objectType('SpanMatchCount', {
    access: spanPolicy.read,
    fields: (t) => ({
      count: t.exposeInt('count'),
      isExact: t.exposeBoolean('isExact', { description: 'If not, there are at least this many.' }),
      share: t.exposeFloat('share', { description: 'Share of the spans that were searched.' }),
    }),
  });
  builder.objectFields('SpanConnection', (t) => ({
    looked: t.field({
      type: 'SpanPageLook',
      nullable: true,
      description: 'How far the server searched for a page with a filter; null without a filter.',
      resolve: ({ looked }) => looked,
    }),
    matchCount: t.field({
      type: 'SpanMatchCount',
      nullable: true,
      cost: COUNT_COST,
      description:
        'Spans in the whole list, as far as they could be counted in a few seconds; null for the descendants of a span.',
      resolve: ({ scope }, _args, { caller }) => scope && spans(caller).countSpans(scope, COUNT_MS),
    }),
  }));
}
