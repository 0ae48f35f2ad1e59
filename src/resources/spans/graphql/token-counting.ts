/** Whether a span's tokens count in sums and why, and what is to be said about them. */
import type { Builder } from '#api/graphql/builder';
import { loadOrThrow } from '#api/graphql/row-loader';
import { TOKEN_REMARK_KINDS, type TokenRemark, type TokenRemarkKind } from '#domain/token-remark';
import type { TokenCounting } from '#store/spans/browse-port';
import type { SpanLoaders } from '../loaders.ts';
import { spanPolicy } from '../policy.ts';
import { loadPart, OPENS_ORIGINAL } from './load-part.ts';
import { toGraphqlInt } from './table-row.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    TokenCounting: TokenCounting;
    TokenRemark: TokenRemark;
  }
  interface EnumValues {
    TokenCountingReason: TokenCounting['reason'];
    TokenRemarkKind: TokenRemarkKind;
  }
}

/** Spans that are named in place of the tokens of another. */
const MAX_NAMED_SPANS = 10;

/** The tree of the trace is looked at, and so many spans. */
const COUNTING_COST = 10 + MAX_NAMED_SPANS;

/** Adds the fields to spans, and the types of what they answer. */
export function addTokenCounting(builder: Builder, load: SpanLoaders): void {
  addTypes(builder, load);
  builder.objectFields('Span', (t) => ({
    countsInSums: t.exposeBoolean('countsInSums', {
      description: 'Whether its tokens count in the totals of its trace, session and project.',
    }),
    tokenCounting: t.field({
      type: 'TokenCounting',
      nullable: true,
      cost: COUNTING_COST,
      description: 'Why its tokens count in totals or do not; null if it reports none.',
      resolve: ({ rowId }, _args, context) => load.tokenCounting(context, rowId),
    }),
    tokenRemarks: t.field({
      type: ['TokenRemark'],
      nullable: true,
      ...OPENS_ORIGINAL,
      description: 'Contradictions among its token counts, and counts that were sent with another meaning.',
      resolve: async ({ rowId }, _args, context) => (await loadPart(load, context, rowId, 'report')).tokenRemarks,
    }),
  }));
}

function addTypes(builder: Builder, load: SpanLoaders): void {
  builder.enumType('TokenCountingReason', {
    values: {
      counted: { value: 'counted', description: 'They count.' },
      calls_below: { value: 'calls_below', description: 'Model calls below the span report them, too.' },
      same_call: { value: 'same_call', description: 'Another instrumentation describes the same call.' },
      other_kind: { value: 'other_kind', description: 'Only model calls count.' },
    } as const,
  });
  builder.objectType('TokenCounting', {
    access: spanPolicy.read,
    fields: (t) => ({
      reason: t.expose('reason', { type: 'TokenCountingReason' }),
      countedInCount: t.int({
        description: 'Number of spans that count in its place; 1000 stands for 1000 or more.',
        resolve: ({ spanRowIds }) => spanRowIds.length,
      }),
      countedIn: t.field({
        type: ['Span'],
        description: `The first ${MAX_NAMED_SPANS} of them.`,
        resolve: ({ spanRowIds }, _args, context) =>
          Promise.all(spanRowIds.slice(0, MAX_NAMED_SPANS).map((rowId) => loadOrThrow(load.span, context, rowId))),
      }),
      surplus: t.int({
        description: 'Tokens that it reports beyond those of the calls below it. They are not counted anywhere.',
        resolve: ({ surplus }) => toGraphqlInt(surplus) ?? 0,
      }),
    }),
  });
  builder.enumType('TokenRemarkKind', { values: TOKEN_REMARK_KINDS });
  builder.objectType('TokenRemark', {
    access: spanPolicy.read,
    fields: (t) => ({
      kind: t.expose('kind', { type: 'TokenRemarkKind' }),
      message: t.exposeString('message'),
    }),
  });
}
