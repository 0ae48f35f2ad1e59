import type { Builder } from '#api/graphql/builder';
import { forwardPage, toConnection } from '#api/graphql/connection';
import { addConnectionTypes } from '#api/graphql/connection-types';
import { formatPosition, parsePosition } from '#api/graphql/keyset';
import { loadOrThrow, type RowLoader } from '#api/graphql/row-loader';
import type { SchemaKit } from '#api/graphql/schema';
import type { ForCaller } from '#domain/caller';
import type { Project } from '#domain/project';
import { SPAN_KINDS, SPAN_STATUS_CODES, type SpanKind, type SpanStatusCode } from '#domain/span';
import type { SpanTableRow, TelemetryBrowser } from '#store/spans/browse-port';
import type { TraceRow } from '#store/spans/port';
import { MAX_FOUND_BY_PREFIX, toIdPrefix, toOtelId } from '../traces/operations.ts';
import { latencyMs, toGraphqlInt, totalTokenCount } from './graphql/table-row.ts';
import { addSpanReading } from './graphql/span-reading.ts';
import { addSpanLists } from './graphql/lists.ts';
import { addTokenCounting } from './graphql/token-counting.ts';
import { addWholeSpan } from './graphql/whole-span.ts';
import type { SpanLoaders } from './loaders.ts';
import { spanPolicy } from './policy.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    Span: SpanTableRow;
    SpanContext: SpanTableRow;
    TokenCountPromptDetails: SpanTableRow;
  }
  interface EnumValues {
    SpanKind: SpanKind;
    SpanStatusCode: SpanStatusCode;
  }
}

/** What the resolvers of spans work with. */
export interface SpanTypeParts {
  readonly spans: ForCaller<TelemetryBrowser>;
  readonly load: SpanLoaders & { readonly project: RowLoader<Project>; readonly trace: RowLoader<TraceRow> };
}

/** Adds spans, and the lists of them that projects and traces have. */
export function addSpanTypes({ builder, nodes }: SchemaKit, { spans, load }: SpanTypeParts): void {
  nodes.add('Span', load.span);
  addConnectionTypes(builder, 'Span', spanPolicy.list);
  addEnums(builder);
  addSpan(builder, load);
  addRowParts(builder);
  addBelow(builder, { spans, load });
  addWholeSpan(builder, load);
  addSpanReading(builder, load);
  addTokenCounting(builder, load);
  addSpanLists(builder, spans);
  builder.queryField('getSpanByOtelId', (t) =>
    t.field({
      type: 'Span',
      nullable: true,
      access: spanPolicy.read,
      args: { spanId: t.arg.string({ required: true }) },
      resolve: (_root, { spanId }, { caller }) => spans(caller).findSpanByOtelId(toOtelId('span', spanId)),
    }),
  );
  builder.queryField('spansByIdPrefix', (t) =>
    t.field({
      type: ['Span'],
      access: spanPolicy.read,
      cost: 20,
      description: 'The newest spans whose id begins so: at least four characters, at most five spans.',
      args: { prefix: t.arg.string({ required: true }) },
      resolve: async (_root, { prefix }, { caller }) => [
        ...(await spans(caller).findSpansByIdPrefix(toIdPrefix(prefix, true), MAX_FOUND_BY_PREFIX)),
      ],
    }),
  );
}

function addEnums(builder: Builder): void {
  const kinds = Object.fromEntries(SPAN_KINDS.map((kind) => [kind.toLowerCase(), { value: kind }]));
  builder.enumType('SpanKind', { values: kinds });
  builder.enumType('SpanStatusCode', { values: SPAN_STATUS_CODES });
}

function addSpan(builder: Builder, load: SpanTypeParts['load']): void {
  builder.objectType('Span', {
    access: spanPolicy.read,
    interfaces: ['Node'],
    fields: (t) => ({
      name: t.exposeString('name'),
      spanId: t.exposeID('spanId'),
      parentId: t.exposeID('parentSpanId', { nullable: true }),
      context: t.field({ type: 'SpanContext', resolve: (row) => row }),
      spanKind: t.expose('kind', { type: 'SpanKind' }),
      statusCode: t.expose('statusCode', { type: 'SpanStatusCode' }),
      startTime: t.expose('startTimeUs', { type: 'DateTime' }),
      endTime: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'Null while the span is open.',
        resolve: (row) => (row.isOpen ? null : row.endTimeUs),
      }),
      latencyMs: t.float({ nullable: true, description: 'Null while the span is open.', resolve: latencyMs }),
      userId: t.exposeString('userId', { nullable: true }),
      sessionId: t.exposeString('sessionId', { nullable: true }),
      modelName: t.exposeString('modelName', { nullable: true }),
      tokenCountPrompt: t.int({ nullable: true, resolve: (row) => toGraphqlInt(row.promptTokenCount) }),
      tokenCountCompletion: t.int({ nullable: true, resolve: (row) => toGraphqlInt(row.completionTokenCount) }),
      tokenCountTotal: t.int({ nullable: true, resolve: (row) => toGraphqlInt(totalTokenCount(row)) }),
      timeToFirstTokenMs: t.exposeFloat('timeToFirstTokenMs', {
        nullable: true,
        description: 'Until the model began to answer, if the producer reports it.',
      }),
      tokenPromptDetails: t.field({ type: 'TokenCountPromptDetails', resolve: (row) => row }),
      input: t.field({
        type: 'SpanIOValue',
        nullable: true,
        resolve: (span) => span.input && { span, which: 'input' as const },
      }),
      output: t.field({
        type: 'SpanIOValue',
        nullable: true,
        resolve: (span) => span.output && { span, which: 'output' as const },
      }),
      project: t.field({
        type: 'Project',
        resolve: ({ projectRowId }, _args, context) => loadOrThrow(load.project, context, projectRowId),
      }),
      trace: t.field({
        type: 'Trace',
        resolve: ({ traceRowId }, _args, context) => loadOrThrow(load.trace, context, traceRowId),
      }),
    }),
  });
}

function addRowParts(builder: Builder): void {
  builder.objectType('SpanContext', {
    access: spanPolicy.read,
    fields: (t) => ({ traceId: t.exposeID('traceId'), spanId: t.exposeID('spanId') }),
  });
  builder.objectType('TokenCountPromptDetails', {
    access: spanPolicy.read,
    fields: (t) => ({
      audio: t.int({ nullable: true, resolve: (row) => toGraphqlInt(row.promptAudioTokenCount) }),
      cacheRead: t.int({ nullable: true, resolve: (row) => toGraphqlInt(row.cacheReadTokenCount) }),
      cacheWrite: t.int({ nullable: true, resolve: (row) => toGraphqlInt(row.cacheWriteTokenCount) }),
    }),
  });
}

/** What is summed up over a span and everything below it. */
function addBelow(builder: Builder, { spans, load }: SpanTypeParts): void {
  builder.objectFields('Span', (t) => {
    const sum = (pick: (subtree: typeof NOTHING_BELOW) => number) =>
      t.float({
        nullable: true,
        resolve: async ({ rowId }, _args, context) => pick((await load.subtree(context, rowId)) ?? NOTHING_BELOW),
      });
    return {
      propagatedStatusCode: t.field({
        type: 'SpanStatusCode',
        description: 'ERROR if the span or any descendant failed.',
        resolve: async ({ rowId, statusCode }, _args, context) =>
          ((await load.subtree(context, rowId))?.errorCount ?? 0) > 0 ? 'ERROR' : statusCode,
      }),
      numChildSpans: t.int({
        resolve: async ({ rowId }, _args, context) => (await load.subtree(context, rowId))?.childCount ?? 0,
      }),
      cumulativeErrorCount: t.int({
        description: 'Number of failed spans: the span and its descendants.',
        resolve: async ({ rowId }, _args, context) => (await load.subtree(context, rowId))?.errorCount ?? 0,
      }),
      cumulativeTokenCountPrompt: sum((subtree) => subtree.promptTokenCount),
      cumulativeTokenCountCompletion: sum((subtree) => subtree.completionTokenCount),
      cumulativeTokenCountTotal: sum((subtree) => subtree.promptTokenCount + subtree.completionTokenCount),
      descendants: t.field({
        type: 'SpanConnection',
        args: {
          first: t.arg.int({ defaultValue: 50 }),
          last: t.arg.int(),
          after: t.arg.string(),
          before: t.arg.string(),
          maxDepth: t.arg.int({ defaultValue: 3 }),
        },
        resolve: async ({ rowId }, { first, maxDepth, ...args }, { caller }) => {
          const { limit, cursor } = forwardPage({ ...args, first: first ?? DEFAULT_DESCENDANTS });
          const page = {
            maxDepth: Math.max(maxDepth ?? 0, 0),
            limit,
            after: parsePosition(null, cursor)?.rowId ?? null,
          };
          const { rows, hasMore } = await spans(caller).browseDescendants(rowId, page);
          const edges = rows.map((node) => ({
            node,
            cursor: formatPosition(null, { value: null, rowId: node.rowId }),
          }));
          return toConnection(edges, { after: cursor, hasNextPage: hasMore });
        },
      }),
    };
  });
}

const DEFAULT_DESCENDANTS = 50;

/** Of a span that is beyond those of a trace that are read. */
const NOTHING_BELOW = { childCount: 0, errorCount: 0, promptTokenCount: 0, completionTokenCount: 0 };
