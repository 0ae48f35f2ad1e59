import type { Builder } from '#api/graphql/builder';
import { forwardPage, type PageInfo, toConnection } from '#api/graphql/connection';
import type { SchemaKit } from '#api/graphql/schema';
import { toTimeBounds } from '#api/graphql/time-bounds';
import type { TextRange } from '#derive/search/match';
import { SEARCH_PLACES, SEARCH_SCOPES, type SearchPlace, type SearchScope } from '#derive/search/scope';
import type { SearchSnippet } from '#derive/search/snippets';
import type { Caller } from '#domain/caller';
import {
  SEARCH_ORDERS,
  type SearchCount,
  type SearchCurrency,
  type SearchedSpans,
  type SearchOrder,
} from '#store/search/port';
import { readFilter } from '../filters/operations.ts';
import type { SearchLoaders } from './loaders.ts';
import { type FoundPage, type FoundSpan, formatCursor, type SearchParts, searchSpans } from './operations.ts';
import { searchPolicy } from './policy.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    SearchConnection: FoundPage & { readonly after: string | null };
    SearchEdge: FoundSpan;
    SearchHit: FoundSpan;
    SearchSnippet: SearchSnippet;
    TextRange: TextRange;
    SearchHitCount: SearchCount;
    SearchCurrency: SearchCurrency;
  }
  interface EnumValues {
    SearchScope: SearchScope;
    SearchPlace: SearchPlace;
    SearchOrder: SearchOrder;
  }
}

/** What the resolvers of searches work with. */
export interface SearchTypeParts extends SearchParts {
  readonly load: SearchLoaders;
}

/** An index is read, and counting reads it to its end. */
const SEARCH_COST = 50;

/** What opening a block costs, beside what a row does. */
const SNIPPET_COST = 10;

const TEXT = `Words, all of which a span must contain; "phrases"; the beginning of a word, such as wor*; -word to exclude a word; OR between alternatives.`;

/** Adds searches of projects and traces. */
export function addSearchTypes({ builder }: SchemaKit, { search, spans, load }: SearchTypeParts): void {
  builder.enumType('SearchScope', {
    description:
      'Which texts of spans are searched. `everything` includes documents, metadata and other attributes, and events, besides the four others.',
    values: SEARCH_SCOPES,
  });
  builder.enumType('SearchPlace', { description: 'Where in a span a text is.', values: SEARCH_PLACES });
  builder.enumType('SearchOrder', {
    description: '`newest` is the order of arrival, the latest first; `best` ranks at most the 20,000 newest hits.',
    values: SEARCH_ORDERS,
  });
  addHits(builder, load);
  addConnection(builder, search);
  const read = async (caller: Caller, of: SearchedSpans, args: ListArguments) => {
    const { limit, cursor } = forwardPage(args);
    const { text, scope, order } = args;
    const page = await searchSpans(caller, { search, spans }, of, {
      text,
      scope: scope ?? 'everything',
      order: order ?? 'newest',
      limit,
      cursor,
    });
    return { ...page, after: cursor };
  };
  builder.objectField('Project', 'search', (t) =>
    t.field({
      type: 'SearchConnection',
      access: searchPolicy.findSpans,
      cost: SEARCH_COST,
      description: 'Spans that contain a text.',
      args: {
        text: t.arg.string({ required: true, description: TEXT }),
        scope: t.arg({ type: 'SearchScope', defaultValue: 'everything' }),
        order: t.arg({ type: 'SearchOrder', defaultValue: 'newest' }),
        timeRange: t.arg({ type: 'TimeRange' }),
        filterCondition: t.arg.string({ description: 'A filter in the filter language for spans.' }),
        first: t.arg.int({ defaultValue: 30 }),
        after: t.arg.string(),
      },
      resolve: ({ rowId: projectRowId }, { timeRange, filterCondition, ...args }, { caller }) => {
        const condition = readFilter('span', filterCondition);
        return read(caller, { projectRowId, condition, ...toTimeBounds(timeRange) }, args);
      },
    }),
  );
  builder.objectField('Trace', 'search', (t) =>
    t.field({
      type: 'SearchConnection',
      access: searchPolicy.findSpans,
      cost: SEARCH_COST,
      description: 'All spans of the trace that contain a text.',
      args: {
        text: t.arg.string({ required: true, description: TEXT }),
        scope: t.arg({ type: 'SearchScope', defaultValue: 'everything' }),
        order: t.arg({ type: 'SearchOrder', defaultValue: 'newest' }),
        filterCondition: t.arg.string({ description: 'A filter in the filter language for spans.' }),
        first: t.arg.int({ defaultValue: 30 }),
        after: t.arg.string(),
      },
      resolve: ({ rowId: traceRowId }, { filterCondition, ...args }, { caller }) =>
        read(caller, { traceRowId, condition: readFilter('span', filterCondition) }, args),
    }),
  );
}

interface ListArguments {
  readonly text: string;
  readonly scope?: SearchScope | null | undefined;
  readonly order?: SearchOrder | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

function addHits(builder: Builder, load: SearchLoaders): void {
  builder.objectType('TextRange', {
    access: searchPolicy.findSpans,
    description: 'A range of a text in UTF-16 code units, as JavaScript counts them; the end is exclusive.',
    fields: (t) => ({ start: t.exposeInt('start'), end: t.exposeInt('end') }),
  });
  builder.objectType('SearchSnippet', {
    access: searchPolicy.findSpans,
    description: 'A piece of a text of a span. It is text, not markup.',
    fields: (t) => ({
      place: t.expose('place', { type: 'SearchPlace' }),
      text: t.exposeString('text'),
      hits: t.field({
        type: ['TextRange'],
        description: 'The ranges to highlight: in order, not overlapping.',
        resolve: ({ hits }) => hits,
      }),
      isCutBefore: t.exposeBoolean('isCutBefore', { description: 'Whether there is more text before it.' }),
      isCutAfter: t.exposeBoolean('isCutAfter', { description: 'Whether there is more text after it.' }),
    }),
  });
  builder.objectType('SearchHit', {
    access: searchPolicy.findSpans,
    fields: (t) => ({
      span: t.field({ type: 'Span', resolve: ({ span }) => span }),
      score: t.float({
        nullable: true,
        description: 'Larger is better, within one search; null when sorted by arrival.',
        resolve: ({ hit }) => hit.score,
      }),
      snippets: t.field({
        type: ['SearchSnippet'],
        cost: SNIPPET_COST,
        description: 'At most three, those with the most words first.',
        resolve: async ({ span, request }, _args, context) => [
          ...(await load.snippets(context, { spanRowId: span.rowId, request })),
        ],
      }),
    }),
  });
}

function addConnection(builder: Builder, search: SearchParts['search']): void {
  builder.objectType('SearchEdge', {
    access: searchPolicy.findSpans,
    fields: (t) => ({
      cursor: t.string({ resolve: ({ hit }) => formatCursor(hit.position) }),
      node: t.field({ type: 'SearchHit', resolve: (found) => found }),
    }),
  });
  builder.objectType('SearchHitCount', {
    access: searchPolicy.findSpans,
    fields: (t) => ({
      count: t.exposeInt('count'),
      isExact: t.exposeBoolean('isExact', {
        description: 'Whether the count is exact: at most 1,000 hits are counted.',
      }),
    }),
  });
  builder.objectType('SearchCurrency', {
    access: searchPolicy.findSpans,
    description: 'How far behind the index is; usually less than a second.',
    fields: (t) => ({
      pendingSpanCount: t.exposeInt('pendingSpanCount', {
        description: 'Spans of all projects that arrived, changed or were deleted and are not indexed yet.',
      }),
      indexedUpTo: t.expose('indexedUpToUs', {
        type: 'DateTime',
        nullable: true,
        description: 'Start of the last span that arrived and is indexed.',
      }),
    }),
  });
  builder.objectType('SearchConnection', {
    access: searchPolicy.findSpans,
    fields: (t) => ({
      edges: t.field({ type: ['SearchEdge'], resolve: ({ found }) => found }),
      pageInfo: t.field({ type: 'PageInfo', resolve: toPageInfo }),
      isPartial: t.exposeBoolean('isPartial', {
        description:
          'Whether the search reached its time limit and ended early. Sorted by arrival, the next page continues it; `best` then covers only the newest hits.',
      }),
      hitCount: t.field({
        type: 'SearchHitCount',
        cost: SEARCH_COST,
        resolve: ({ spans, request }, _args, { caller }) => search(caller).countTextHits(spans, request),
      }),
      currency: t.field({
        type: 'SearchCurrency',
        resolve: (_page, _args, { caller }) => search(caller).readSearchCurrency(),
      }),
    }),
  });
}

function toPageInfo({ found, next, after }: FoundPage & { readonly after: string | null }): PageInfo {
  const edges = found.map((node) => ({ node, cursor: formatCursor(node.hit.position) }));
  const { pageInfo } = toConnection(edges, { after, hasNextPage: next !== null });
  return next === null ? pageInfo : { ...pageInfo, endCursor: formatCursor(next) };
}
