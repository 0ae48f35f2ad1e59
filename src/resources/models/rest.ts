/** Prices of models over REST. */
import { z } from 'zod';
import { CONTROL_FREE_LINE, VISIBLE_LINE } from '#api/rest/text-patterns';
import { idPattern } from '#api/rest/id-pattern';
import { pageFields, queryBoolean } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { AppError } from '#base/errors';
import { parseGlobalId } from '#base/global-id';
import { foldCase } from '#base/text';
import { UnprocessableError } from '#api/rest/unprocessable';
import { TIME } from '#api/rest/time';
import { MAX_PATTERN_LENGTH } from '#derive/cost/pattern-parser';
import type { PriceInput } from '#derive/cost/price-input';
import { COST_PARTS, MAX_PER_MILLION } from '#derive/cost/rates';
import type { CommandCalls } from '#store/commands/command';
import type { Services } from '../slice.ts';
import type { ModelCommands } from './commands.ts';
import { findPrice, listPrices, startPricing } from './operations.ts';
import { modelPolicy } from './policy.ts';
import { presentPrice, presentPricing } from './present.ts';

const MAX_PAGE = 1000;

/** What is counted of a prompt, or else of a completion. */
function partsOf(isPrompt: boolean) {
  const parts = COST_PARTS.filter((part) => part.isPrompt === isPrompt);
  return {
    properties: { is_prompt: { const: isPrompt }, token_type: { enum: parts.map(({ tokenType }) => tokenType) } },
  };
}

const TOKEN_PRICE = z
  .object({
    token_type: z
      .string()
      .meta({ enum: [...new Set(COST_PARTS.map(({ tokenType }) => tokenType))] })
      .describe('`input`, `cache_read`, `cache_write` or `audio`; `output`, `reasoning` or `audio`.'),
    is_prompt: z.boolean(),
    usd_per_million_tokens: z.number().meta({ minimum: 0, maximum: MAX_PER_MILLION }).describe('From 0 to 1,000,000.'),
  })
  .meta({ id: 'TokenPrice', anyOf: [true, false].map(partsOf) });

const NAME_PATTERN = { format: 'regex', pattern: CONTROL_FREE_LINE, minLength: 1, maxLength: MAX_PATTERN_LENGTH };

const PART_SCHEMAS = COST_PARTS.map(({ key, tokenType, isPrompt }) => ({
  key,
  schema: { properties: { token_type: { const: tokenType }, is_prompt: { const: isPrompt } } },
}));

/** Each part once at most, which is the price of one of the tokens that are counted; some of them must be there. */
function pricesOf(required: readonly string[]) {
  return {
    maxItems: COST_PARTS.length,
    allOf: PART_SCHEMAS.map(({ key, schema }) => ({
      contains: schema,
      minContains: required.includes(key) ? 1 : 0,
      maxContains: 1,
    })),
  };
}

const LONG_PROMPT_PRICES = z
  .object({
    above_prompt_tokens: z
      .number()
      .int()
      .meta({ minimum: 1 })
      .describe('Calls whose prompt has more tokens than this use these prices.'),
    prices: z.array(TOKEN_PRICE).max(16).meta(pricesOf([])),
  })
  .meta({ id: 'LongPromptPrices' });

const PRICE_BODY = z
  .object({
    name: z.string().meta({ pattern: VISIBLE_LINE, maxLength: 256 }),
    provider: z
      .string()
      .meta({ pattern: CONTROL_FREE_LINE, maxLength: 256 })
      .nullish()
      .describe('If absent, any provider.'),
    name_pattern: z
      .string()
      .meta(NAME_PATTERN)
      .describe(
        'A regular expression that is searched for in the model’s name, without back-references and look-around.',
      ),
    start_time: TIME.nullish().describe(
      'The price applies to calls that start at this time or later. If absent, it applies to all.',
    ),
    prices: z
      .array(TOKEN_PRICE)
      .max(16)
      .meta(pricesOf(['input', 'output']))
      .describe('At least `input` for the prompt and `output` for the completion.'),
    long_prompt_prices: z.array(LONG_PROMPT_PRICES).max(16).meta({ maxItems: 8 }).optional(),
  })
  .meta({ id: 'ModelPriceData' });

const PRICE = z
  .object({
    id: z.string(),
    name: z.string(),
    provider: z.string().nullable(),
    name_pattern: z.string(),
    is_built_in: z.boolean().describe('Whether the price comes with the product and therefore cannot be changed.'),
    start_time: z.string().nullable(),
    prices: z.array(TOKEN_PRICE),
    long_prompt_prices: z.array(LONG_PROMPT_PRICES),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'ModelPrice' });

const ONE_PRICE = z.object({ data: PRICE });

const PRICING = z
  .object({
    is_running: z.boolean(),
    progress: z.number().nullable().describe('From 0 to 1; null before the first time.'),
    name_pattern: z.string().nullable(),
    start_time: z.string().nullable(),
    end_time: z.string().nullable(),
    read_count: z.number(),
    changed_count: z.number().describe('Spans whose cost changed.'),
    failed_count: z.number(),
    started_at: z.string().nullable(),
    finished_at: z.string().nullable(),
  })
  .meta({ id: 'RepricingStatus' });

const ONE_PRICING = z.object({ data: PRICING });

const ID = z.object({ price_id: z.string().describe('Id of a price.') });

const REFUSALS = {
  400: { description: 'The price is not valid; the text says why.', contentType: 'text/plain' },
  404: { description: 'There is no such price.', contentType: 'text/plain' },
  409: {
    description: 'Another price has the same name or models, or the price comes with the product.',
    contentType: 'text/plain',
  },
} as const;

/** Routes of prices, and of pricing stored spans anew. */
export function modelRoutes(
  { read, repricer }: Pick<Services, 'read' | 'repricer'>,
  commands: CommandCalls<ModelCommands>,
): readonly Route[] {
  return [...readingRoutes(read), ...changingRoutes(commands), ...pricingRoutes(repricer)];
}

function readingRoutes(read: Services['read']): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/model_prices',
      operationId: 'listModelPrices',
      summary: 'List the prices of models: your own first, then those that come with the product',
      tag: 'prices',
      access: modelPolicy.list,
      query: z.object({
        ...pageFields(100, MAX_PAGE, idPattern('ModelPrice', 9)),
        name_contains: z.string().optional().describe('Part of the name, in any case; there are no wildcards.'),
        is_built_in: queryBoolean().optional(),
      }),
      replies: {
        200: {
          description: 'A page of prices.',
          contentType: 'application/json',
          schema: z.object({ data: z.array(PRICE), next_cursor: z.string().nullable() }),
        },
      },
      handler: async ({ caller, query }) => {
        const wanted = query.name_contains === undefined ? '' : foldCase(query.name_contains);
        const matching = (await listPrices(caller, read)).filter(
          ({ name, isBuiltIn }) =>
            foldCase(name).includes(wanted) && (query.is_built_in === undefined || isBuiltIn === query.is_built_in),
        );
        const start = parseOffset(query.cursor);
        const end = start + query.limit;
        const data = matching.slice(start, end).map(presentPrice);
        return { body: { data, next_cursor: end < matching.length ? formatOffset(end) : null } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/model_prices/{price_id}',
      operationId: 'getModelPrice',
      summary: 'Get the price of a model',
      tag: 'prices',
      access: modelPolicy.read,
      params: ID,
      replies: {
        200: { description: 'The price.', contentType: 'application/json', schema: ONE_PRICE },
        404: REFUSALS[404],
      },
      handler: async ({ caller, params }) => {
        const price = await findPrice(caller, read, toPriceRowId(params.price_id));
        if (price === undefined) throw noSuchPrice();
        return { body: { data: presentPrice(price) } };
      },
    }),
  ];
}

function changingRoutes(commands: CommandCalls<ModelCommands>): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/model_prices',
      operationId: 'createModelPrice',
      summary: 'Create a price for models',
      description:
        'It prices spans that arrive from now on. Stored spans keep their cost until they are priced again (`POST /v1/repricing`).',
      tag: 'prices',
      access: modelPolicy.create,
      body: PRICE_BODY,
      replies: {
        201: { description: 'The new price.', contentType: 'application/json', schema: ONE_PRICE },
        400: REFUSALS[400],
        409: REFUSALS[409],
      },
      handler: async ({ caller, body }) => ({
        status: 201,
        body: { data: presentPrice(await commands.create(caller, toPriceInput(body))) },
      }),
    }),
    defineRoute({
      method: 'PUT',
      path: '/v1/model_prices/{price_id}',
      operationId: 'updateModelPrice',
      summary: 'Replace a price of your own',
      tag: 'prices',
      access: modelPolicy.update,
      params: ID,
      body: PRICE_BODY,
      replies: {
        200: { description: 'The replaced price.', contentType: 'application/json', schema: ONE_PRICE },
        ...REFUSALS,
      },
      handler: async ({ caller, params, body }) => {
        const rowId = toPriceRowId(params.price_id);
        return { body: { data: presentPrice(await commands.update(caller, { rowId, ...toPriceInput(body) })) } };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/model_prices/{price_id}',
      operationId: 'deleteModelPrice',
      summary: 'Delete a price of your own',
      tag: 'prices',
      access: modelPolicy.delete,
      params: ID,
      replies: {
        204: { description: 'The price was deleted.' },
        404: REFUSALS[404],
        409: REFUSALS[409],
      },
      handler: async ({ caller, params }) => {
        await commands.delete(caller, toPriceRowId(params.price_id));
        return { status: 204, body: undefined };
      },
    }),
  ];
}

function pricingRoutes(repricer: Services['repricer']): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/repricing',
      operationId: 'getRepricingStatus',
      summary: 'Get the progress of pricing stored spans again',
      tag: 'prices',
      access: modelPolicy.readPricing,
      replies: { 200: { description: 'The current state.', contentType: 'application/json', schema: ONE_PRICING } },
      handler: async ({ caller }) => ({ body: { data: presentPricing((await repricer(caller).readState()).job) } }),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/repricing',
      operationId: 'startRepricing',
      summary: 'Price stored spans again in the background, at current prices',
      description:
        'Prices spans whose model name matches the pattern and that start in the time range; all spans if neither is given. A cost that a producer reports still takes precedence. Sums are updated. The work continues after a restart of the server.',
      tag: 'prices',
      access: modelPolicy.startPricing,
      body: z.object({
        name_pattern: z.string().meta(NAME_PATTERN).optional(),
        start_time: TIME.optional(),
        end_time: TIME.optional(),
      }),
      replies: {
        202: { description: 'The work has started.', contentType: 'application/json', schema: ONE_PRICING },
        400: REFUSALS[400],
        409: { description: 'Stored spans are already being priced again.', contentType: 'text/plain' },
      },
      handler: async ({ caller, body }) => {
        const { name_pattern: namePattern = null, start_time: startUs = null, end_time: endUs = null } = body;
        const job = await startPricing(caller, repricer, { namePattern, startUs, endUs });
        return { status: 202, body: { data: presentPricing(job) } };
      },
    }),
  ];
}

function toPriceInput(body: z.output<typeof PRICE_BODY>): PriceInput {
  const toPrices = (prices: z.output<typeof TOKEN_PRICE>[]) =>
    prices.map((price) => ({
      tokenType: price.token_type,
      isPrompt: price.is_prompt,
      perMillionTokens: price.usd_per_million_tokens,
    }));
  return {
    name: body.name,
    provider: body.provider,
    namePattern: body.name_pattern,
    startUs: body.start_time,
    prices: toPrices(body.prices),
    longPrompts: body.long_prompt_prices?.map(({ above_prompt_tokens: abovePromptTokens, prices }) => ({
      abovePromptTokens,
      prices: toPrices(prices),
    })),
  };
}

function toPriceRowId(id: string): number {
  const rowId = parseGlobalId('GenerativeModel', id);
  if (rowId === undefined) throw noSuchPrice();
  return rowId;
}

function noSuchPrice(): AppError {
  return new AppError('not_found', 'There is no such price.');
}

function formatOffset(offset: number): string {
  return Buffer.from(`ModelPrice:${offset}`).toString('base64');
}

function parseOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const text = cursor.length <= MAX_CURSOR_LENGTH ? Buffer.from(cursor, 'base64').toString('latin1') : '';
  const offset = /^ModelPrice:(\d{1,9})$/.exec(text)?.[1];
  if (offset === undefined) throw new UnprocessableError('Invalid cursor');
  return Number(offset);
}

const MAX_CURSOR_LENGTH = 64;
