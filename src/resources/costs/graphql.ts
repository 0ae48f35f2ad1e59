/** What spans, traces, sessions and projects cost. */
import type { Builder } from '#api/graphql/builder';
import type { RowLoader } from '#api/graphql/row-loader';
import type { SchemaKit } from '#api/graphql/schema';
import type { CostDetailSum } from '#store/spans/cost-port';
import type { Subtree } from '#store/spans/browse-port';
import type { CostLoaders } from './loaders.ts';
import { costPolicy } from './policy.ts';
import { type CostBreakdown, type CostSummary, summarizeSpan, summarizeSums } from './present.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    CostBreakdown: CostBreakdown;
    SpanCostSummary: CostSummary;
    SpanCostDetailSummaryEntry: CostDetailSum;
  }
}

/** What the resolvers of costs work with. */
export interface CostTypeParts {
  readonly load: CostLoaders & { readonly subtree: RowLoader<Subtree> };
}

/** The calls of a trace or session are read. */
const DETAIL_COST = 20;

/** Those of a trace, and its tree. */
const SUBTREE_COST = 50;

/** Adds the types, and the fields of spans, traces and sessions. That of projects is beside their other sums. */
export function addCostTypes({ builder }: SchemaKit, { load }: CostTypeParts): void {
  addTypes(builder);
  addSpanFields(builder, load);
  builder.objectFields('Trace', (t) => ({
    costSummary: t.field({ type: 'SpanCostSummary', description: COUNTED, resolve: summarizeSums }),
    costDetailSummaryEntries: t.field({
      type: ['SpanCostDetailSummaryEntry'],
      access: costPolicy.read,
      cost: DETAIL_COST,
      description: DETAILS,
      resolve: async ({ rowId }, _args, context) => [...((await load.traceCostDetails(context, rowId)) ?? [])],
    }),
  }));
  builder.objectFields('ProjectSession', (t) => ({
    costSummary: t.field({ type: 'SpanCostSummary', description: COUNTED, resolve: summarizeSums }),
    costDetailSummaryEntries: t.field({
      type: ['SpanCostDetailSummaryEntry'],
      access: costPolicy.read,
      cost: DETAIL_COST,
      description: DETAILS,
      resolve: async ({ rowId }, _args, context) => [...((await load.sessionCostDetails(context, rowId)) ?? [])],
    }),
  }));
}

const COUNTED = 'Sum of the counted calls: a wrapper that repeats its children adds nothing.';

const DETAILS = 'The same by token type, from the price table: costs that a producer reports have no types.';

function addTypes(builder: Builder): void {
  builder.objectType('CostBreakdown', {
    access: costPolicy.read,
    fields: (t) => ({
      tokens: t.exposeFloat('tokens', { nullable: true }),
      cost: t.exposeFloat('cost', { nullable: true, description: 'In US dollars; null if unknown.' }),
    }),
  });
  builder.objectType('SpanCostSummary', {
    access: costPolicy.read,
    description:
      'Cost of calls: as the producer reports it, otherwise from the price table. A total that was reported without prompt and completion is in neither of them.',
    fields: (t) => ({
      prompt: t.expose('prompt', { type: 'CostBreakdown' }),
      completion: t.expose('completion', { type: 'CostBreakdown' }),
      total: t.expose('total', { type: 'CostBreakdown' }),
    }),
  });
  builder.objectType('SpanCostDetailSummaryEntry', {
    access: costPolicy.read,
    fields: (t) => ({
      tokenType: t.exposeString('tokenType', {
        description: '`input`, `cache_read`, `cache_write`, `audio`, `output` or `reasoning`.',
      }),
      isPrompt: t.exposeBoolean('isPrompt'),
      value: t.field({ type: 'CostBreakdown', resolve: (entry) => entry }),
    }),
  });
}

function addSpanFields(builder: Builder, load: CostTypeParts['load']): void {
  builder.objectFields('Span', (t) => ({
    costSummary: t.field({
      type: 'SpanCostSummary',
      nullable: true,
      description: 'Cost of the span itself, whether totals count it or not; null if unknown.',
      resolve: summarizeSpan,
    }),
    costDetailSummaryEntries: t.field({
      type: ['SpanCostDetailSummaryEntry'],
      description: DETAILS,
      resolve: ({ cost }) => [...cost.details],
    }),
    reportedCost: t.float({
      nullable: true,
      description: 'Cost that the producer reports, in US dollars.',
      resolve: ({ cost }) => cost.reportedUsd,
    }),
    computedCost: t.float({
      nullable: true,
      description: 'Cost from the price table, in US dollars; null if the model has no price.',
      resolve: ({ cost }) => cost.computedUsd,
    }),
    cumulativeCostSummary: t.field({
      type: 'SpanCostSummary',
      nullable: true,
      description: 'Counted calls of the span and its descendants.',
      resolve: async ({ rowId }, _args, context) => {
        const subtree = await load.subtree(context, rowId);
        return subtree && summarizeSums(subtree);
      },
    }),
    cumulativeCostDetailSummaryEntries: t.field({
      type: ['SpanCostDetailSummaryEntry'],
      access: costPolicy.read,
      cost: SUBTREE_COST,
      description: 'Counted calls of the span and its descendants by token type, from the price table.',
      resolve: async ({ rowId }, _args, context) => [...((await load.subtreeCostDetails(context, rowId)) ?? [])],
    }),
  }));
}
