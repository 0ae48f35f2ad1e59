/** Prices of models, and pricing stored spans anew. */
import type { Builder } from '#api/graphql/builder';
import { offsetWindow, toOffsetConnection } from '#api/graphql/connection';
import { addConnectionTypes } from '#api/graphql/connection-types';
import { defineLoader } from '#api/graphql/loader';
import { toRowId } from '#api/graphql/nodes';
import type { SchemaKit } from '#api/graphql/schema';
import { canonicalProvider } from '#derive/cost/model-names';
import type { ModelPrice } from '#derive/cost/model-price';
import type { LongPromptRates, TokenPrice } from '#derive/cost/rates';
import type { PriceInput } from '#derive/cost/price-input';
import type { CommandCalls } from '#store/commands/command';
import type { PricingJob } from '#store/reindex/pricing-job';
import { progressOf } from '#store/reindex/pass-job';
import type { TypeServices } from '../slice.ts';
import type { ModelCommands } from './commands.ts';
import { findPriceOfCall, listPrices, startPricing } from './operations.ts';
import { modelPolicy } from './policy.ts';
import { listTokenPrices } from './present.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    GenerativeModel: ModelPrice;
    TokenPrice: TokenPrice;
    LongPromptPrices: LongPromptRates;
    PricingPass: PricingJob;
    CreateModelMutationPayload: ModelPrice;
    UpdateModelMutationPayload: ModelPrice;
    DeleteModelMutationPayload: ModelPrice;
  }
  interface EnumValues {
    TokenKind: 'PROMPT' | 'COMPLETION';
    GenerativeModelKind: 'CUSTOM' | 'BUILT_IN';
    GenerativeProviderKey: (typeof PROVIDER_KEYS)[number];
  }
}

const PROVIDER_KEYS = [
  'OPENAI',
  'ANTHROPIC',
  'AZURE_OPENAI',
  'GOOGLE',
  'DEEPSEEK',
  'XAI',
  'OLLAMA',
  'AWS',
  'CEREBRAS',
  'FIREWORKS',
  'GROQ',
  'MOONSHOT',
  'PERPLEXITY',
  'TOGETHER',
  'MINIMAX',
  'ZAI',
  'META',
] as const;

/** Adds prices, what can be done to them, and the pass that prices stored spans again. */
export function addModelTypes(
  { builder, nodes }: SchemaKit,
  { read, repricer }: Pick<TypeServices, 'read' | 'repricer'>,
  commands: CommandCalls<ModelCommands>,
): void {
  nodes.add(
    'GenerativeModel',
    defineLoader(async (caller, rowIds) => {
      const byId = new Map((await listPrices(caller, read)).map((price) => [price.rowId, price]));
      return rowIds.map((rowId) => byId.get(rowId));
    }),
  );
  addConnectionTypes(builder, 'GenerativeModel', modelPolicy.list);
  addTypes(builder);
  builder.queryField('generativeModels', (t) =>
    t.field({
      type: 'GenerativeModelConnection',
      access: modelPolicy.list,
      description: 'Custom prices first, by name, then those that come with the product, by provider and name.',
      args: {
        first: t.arg.int({ defaultValue: 50 }),
        last: t.arg.int(),
        after: t.arg.string(),
        before: t.arg.string(),
      },
      resolve: async (_root, { first, last, after, before }, { caller }) => {
        const all = await listPrices(caller, read);
        const window = offsetWindow({ first: last == null ? first : null, last, after, before }, all.length);
        return toOffsetConnection(all.slice(window.offset, window.offset + window.limit), window, all.length);
      },
    }),
  );
  builder.queryField('generativeModelOfCall', (t) =>
    t.field({
      type: 'GenerativeModel',
      nullable: true,
      access: modelPolicy.read,
      cost: FIND_COST,
      description: 'The price that a call of a model has; null if none is known.',
      args: {
        modelName: t.arg.string({ required: true, description: 'As the application sends it.' }),
        provider: t.arg.string(),
        startTime: t.arg({ type: 'DateTime', description: 'When the call starts; now, if absent.' }),
      },
      resolve: async (_root, { modelName, provider, startTime }, { caller }) =>
        (await findPriceOfCall(caller, read, {
          modelName,
          provider: provider ?? null,
          startUs: startTime ?? Date.now() * 1000,
        })) ?? null,
    }),
  );
  addMutations(builder, commands);
  addPricing(builder, repricer);
}

/** Every pattern is compiled and searched for. */
const FIND_COST = 20;

function addTypes(builder: Builder): void {
  builder.enumType('TokenKind', { values: ['PROMPT', 'COMPLETION'] as const });
  builder.enumType('GenerativeModelKind', { values: ['CUSTOM', 'BUILT_IN'] as const });
  builder.enumType('GenerativeProviderKey', { values: PROVIDER_KEYS });
  builder.objectType('GenerativeModel', {
    access: modelPolicy.read,
    interfaces: ['Node'],
    description: 'The price of the tokens of a model.',
    fields: (t) => ({
      name: t.exposeString('name'),
      provider: t.exposeString('provider', { nullable: true, description: 'Null for any.' }),
      providerKey: t.field({
        type: 'GenerativeProviderKey',
        nullable: true,
        resolve: ({ provider }) => (provider === null ? null : providerKeyOf(provider)),
      }),
      namePattern: t.exposeString('namePattern', {
        description: 'A regular expression that is searched for in the model’s name.',
      }),
      kind: t.field({
        type: 'GenerativeModelKind',
        resolve: ({ isBuiltIn }) => (isBuiltIn ? 'BUILT_IN' : 'CUSTOM'),
      }),
      createdAt: t.expose('createdAtUs', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAtUs', { type: 'DateTime' }),
      startTime: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'The price applies to calls that start at this time or later; null if it applies to all.',
        resolve: ({ startUs }) => startUs,
      }),
      tokenPrices: t.field({ type: ['TokenPrice'], resolve: (price) => listTokenPrices(price.prices.rates) }),
      longPromptPrices: t.field({
        type: ['LongPromptPrices'],
        resolve: (price) => [...price.prices.longPrompts],
      }),
    }),
  });
  builder.objectType('TokenPrice', {
    access: modelPolicy.read,
    fields: (t) => ({
      tokenType: t.exposeString('tokenType'),
      kind: t.field({ type: 'TokenKind', resolve: ({ isPrompt }) => (isPrompt ? 'PROMPT' : 'COMPLETION') }),
      costPerMillionTokens: t.exposeFloat('perMillionTokens'),
      costPerToken: t.float({ resolve: ({ perMillionTokens }) => perMillionTokens / 1e6 }),
    }),
  });
  builder.objectType('LongPromptPrices', {
    access: modelPolicy.read,
    description: 'Prices that replace the ordinary ones for calls whose prompt has more tokens.',
    fields: (t) => ({
      abovePromptTokens: t.exposeInt('abovePromptTokens'),
      tokenPrices: t.field({ type: ['TokenPrice'], resolve: ({ rates }) => listTokenPrices(rates) }),
    }),
  });
}

function providerKeyOf(provider: string): (typeof PROVIDER_KEYS)[number] | null {
  const name = canonicalProvider(provider);
  const key = name === 'azure' ? 'AZURE_OPENAI' : name.toUpperCase();
  return PROVIDER_KEYS.find((known) => known === key) ?? null;
}

interface TokenPriceArgument {
  readonly tokenType: string;
  readonly kind: 'PROMPT' | 'COMPLETION';
  readonly costPerMillionTokens: number;
}

interface PriceArgument {
  readonly name: string;
  readonly provider?: string | null | undefined;
  readonly namePattern: string;
  readonly startTime?: number | null | undefined;
  readonly costs: readonly TokenPriceArgument[];
  readonly longPromptCosts?:
    | readonly { readonly abovePromptTokens: number; readonly costs: readonly TokenPriceArgument[] }[]
    | null
    | undefined;
}

function addMutations(builder: Builder, commands: CommandCalls<ModelCommands>): void {
  const tokenPrice = builder.inputType('TokenPriceInput', {
    fields: (t) => ({
      tokenType: t.string({ required: true }),
      costPerMillionTokens: t.float({ required: true }),
      kind: t.field({ type: 'TokenKind', required: true }),
    }),
  });
  const longPrompt = builder.inputType('LongPromptPricesInput', {
    fields: (t) => ({
      abovePromptTokens: t.int({ required: true }),
      costs: t.field({ type: [tokenPrice], required: true }),
    }),
  });
  const fieldsOf = (t: InputFields) => ({
    name: t.string({ required: true }),
    provider: t.string(),
    namePattern: t.string({ required: true }),
    costs: t.field({ type: [tokenPrice], required: true }),
    longPromptCosts: t.field({ type: [longPrompt] }),
    startTime: t.field({ type: 'DateTime' }),
  });
  const create = builder.inputType('CreateModelMutationInput', { fields: fieldsOf });
  const update = builder.inputType('UpdateModelMutationInput', {
    fields: (t) => ({ id: t.id({ required: true }), ...fieldsOf(t) }),
  });
  const remove = builder.inputType('DeleteModelMutationInput', {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  for (const payload of [
    'CreateModelMutationPayload',
    'UpdateModelMutationPayload',
    'DeleteModelMutationPayload',
  ] as const) {
    builder.objectType(payload, {
      access: modelPolicy.read,
      fields: (t) => ({
        model: t.field({ type: 'GenerativeModel', resolve: (price) => price }),
        query: t.field({ type: 'Query', resolve: () => ({}) }),
      }),
    });
  }
  builder.mutationFields((t) => ({
    createModel: t.field({
      type: 'CreateModelMutationPayload',
      access: modelPolicy.create,
      description: 'It prices spans that arrive from now on; stored spans keep their cost until they are priced again.',
      args: { input: t.arg({ type: create, required: true }) },
      resolve: (_root, { input }, { caller }) => commands.create(caller, toPriceInput(input)),
    }),
    updateModel: t.field({
      type: 'UpdateModelMutationPayload',
      access: modelPolicy.update,
      args: { input: t.arg({ type: update, required: true }) },
      resolve: (_root, { input }, { caller }) =>
        commands.update(caller, { rowId: toRowId('GenerativeModel', input.id), ...toPriceInput(input) }),
    }),
    deleteModel: t.field({
      type: 'DeleteModelMutationPayload',
      access: modelPolicy.delete,
      args: { input: t.arg({ type: remove, required: true }) },
      resolve: (_root, { input }, { caller }) => commands.delete(caller, toRowId('GenerativeModel', input.id)),
    }),
  }));
}

type InputFields = Parameters<Parameters<Builder['inputType']>[1]['fields']>[0];

function toPriceInput({ costs, longPromptCosts, startTime, ...input }: PriceArgument): PriceInput {
  const toPrices = (given: readonly TokenPriceArgument[]): TokenPrice[] =>
    given.map(({ tokenType, kind, costPerMillionTokens }) => ({
      tokenType,
      isPrompt: kind === 'PROMPT',
      perMillionTokens: costPerMillionTokens,
    }));
  return {
    ...input,
    startUs: startTime,
    prices: toPrices(costs),
    longPrompts: longPromptCosts?.map(({ abovePromptTokens, costs: changed }) => ({
      abovePromptTokens,
      prices: toPrices(changed),
    })),
  };
}

function addPricing(builder: Builder, repricer: TypeServices['repricer']): void {
  builder.objectType('PricingPass', {
    access: modelPolicy.readPricing,
    description: 'A pass that prices stored spans again.',
    fields: (t) => ({
      isRunning: t.boolean({ resolve: ({ finishedAtUs }) => finishedAtUs === null }),
      progress: t.float({ description: 'From 0 to 1.', resolve: progressOf }),
      namePattern: t.exposeString('namePattern', { nullable: true }),
      readCount: t.exposeInt('readCount'),
      changedCount: t.exposeInt('changedCount', { description: 'Spans whose cost changed.' }),
      startedAt: t.expose('startedAtUs', { type: 'DateTime' }),
      finishedAt: t.field({ type: 'DateTime', nullable: true, resolve: ({ finishedAtUs }) => finishedAtUs }),
    }),
  });
  builder.queryField('pricingPass', (t) =>
    t.field({
      type: 'PricingPass',
      nullable: true,
      access: modelPolicy.readPricing,
      description: 'The latest pass; null before the first one.',
      resolve: async (_root, _args, { caller }) => (await repricer(caller).readState()).job,
    }),
  );
  const input = builder.inputType('RepriceSpansInput', {
    fields: (t) => ({
      namePattern: t.string({ description: 'Only models whose name matches.' }),
      timeRange: t.field({ type: 'TimeRange', description: 'Only spans that start in this time range.' }),
    }),
  });
  builder.mutationField('repriceSpans', (t) =>
    t.field({
      type: 'PricingPass',
      access: modelPolicy.startPricing,
      description:
        'Prices stored spans again in the background, at current prices. A cost that a producer reports still takes precedence.',
      args: { input: t.arg({ type: input, required: true }) },
      resolve: (_root, { input: { namePattern, timeRange } }, { caller }) =>
        startPricing(caller, repricer, {
          namePattern: namePattern ?? null,
          startUs: timeRange?.start ?? null,
          endUs: timeRange?.end ?? null,
        }),
    }),
  );
}
