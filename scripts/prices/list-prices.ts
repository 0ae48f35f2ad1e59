/** Reads LiteLLM's list of prices, and leaves out what says nothing new. */
import type { ListedModel } from '#derive/cost/built-in-list';
import { BuiltInPrices } from '#derive/cost/built-in-list';
import { canonicalName, canonicalProvider, readModelName } from '#derive/cost/model-names';
import { COST_PARTS, type CostPart } from '#derive/cost/rates';

type Rates = Partial<Record<CostPart, number>>;

interface Entry {
  readonly key: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The priced models, in order of name and provider. */
export function listPrices(list: Readonly<Record<string, unknown>>): readonly ListedModel[] {
  const entries = Object.entries(list)
    .filter((entry): entry is [string, Readonly<Record<string, unknown>>] => isObject(entry[1]))
    .map(([key, fields]): Entry => ({ key, fields }));
  const models = new Map<string, ListedModel>();
  // A name without a path is its maker's, and comes before the same with one.
  for (const entry of entries.toSorted((a, b) => depthOf(a) - depthOf(b))) {
    const model = toModel(entry);
    if (model === undefined) continue;
    const identity = `${canonicalName(model.name)} ${model.provider}`;
    if (!models.has(identity)) models.set(identity, model);
  }
  return leaveOutImplied(withOneOwn([...models.values()])).toSorted(
    (a, b) => compare(a.name, b.name) || compare(a.provider, b.provider),
  );
}

/** The first of a name that says it is its maker's. */
function withOneOwn(models: readonly ListedModel[]): ListedModel[] {
  const taken = new Set<string>();
  return models.map(({ own, ...model }) => {
    const name = canonicalName(model.name);
    if (own === undefined || taken.has(name)) return model;
    taken.add(name);
    return { ...model, own };
  });
}

/** The new list with the prices of the old one that held until it: others, or of models that are gone. */
export function mergePrices(
  before: readonly ListedModel[],
  now: readonly ListedModel[],
  date: string,
): readonly ListedModel[] {
  const identityOf = ({ name, provider }: ListedModel) => `${name} ${provider}`;
  const old = Map.groupBy(before, identityOf);
  const merged: ListedModel[] = [];
  for (const model of now) {
    const earlier = (old.get(identityOf(model)) ?? []).toSorted((a, b) => compare(b.from ?? '', a.from ?? ''));
    const [latest] = earlier;
    if (latest === undefined) merged.push(model);
    else if (pricesOf(latest) === pricesOf(model)) merged.push(...earlier.with(0, withFrom(model, latest.from)));
    else merged.push(withFrom(model, date), ...earlier.filter(({ from }) => from !== date));
    old.delete(identityOf(model));
  }
  // What is not sold any more was called before.
  for (const gone of old.values()) merged.push(...gone);
  return merged;
}

function withFrom({ from: _from, ...model }: ListedModel, from: string | undefined): ListedModel {
  return from === undefined ? model : { ...model, from };
}

function pricesOf(model: ListedModel): string {
  return JSON.stringify([...COST_PARTS.map(({ key }) => model[key] ?? null), model.above ?? []]);
}

function toModel({ key, fields }: Entry): ListedModel | undefined {
  const provider = providerOf(fields);
  const input = perMillion(fields['input_cost_per_token']);
  const output = perMillion(fields['output_cost_per_token']);
  if (provider === undefined || (input === undefined && output === undefined)) return undefined;
  if ((input ?? 0) + (output ?? 0) === 0 || hasOtherUnits(key)) return undefined;
  const rates = { input: input ?? 0, output: output ?? 0, ...detailsOf(fields, '') };
  const name = nameOf(key, String(fields['litellm_provider']));
  const above = longPromptsOf(fields);
  return {
    name,
    provider,
    ...(isMakers(key, name, provider) && { own: true as const }),
    ...rates,
    ...(above.length > 0 && { above }),
  };
}

function detailsOf(fields: Entry['fields'], suffix: string): Rates {
  const rates: Rates = {};
  for (const [part, names] of Object.entries(DETAILS) as [CostPart, readonly string[]][]) {
    const value = names.map((name) => perMillion(fields[`${name}${suffix}`])).find((rate) => rate !== undefined);
    if (value !== undefined) rates[part] = value;
  }
  return rates;
}

const DETAILS: Partial<Record<CostPart, readonly string[]>> = {
  cacheRead: ['cache_read_input_token_cost', 'input_cost_per_token_cache_hit'],
  cacheWrite: ['cache_creation_input_token_cost'],
  promptAudio: ['input_cost_per_audio_token'],
  reasoning: ['output_cost_per_reasoning_token'],
  completionAudio: ['output_cost_per_audio_token'],
};

function longPromptsOf(fields: Entry['fields']): NonNullable<ListedModel['above']> {
  const thousands = Object.keys(fields).flatMap(
    (key) => /^input_cost_per_token_above_(\d+)k_tokens$/.exec(key)?.[1] ?? [],
  );
  return thousands
    .map(Number)
    .toSorted((a, b) => a - b)
    .map((thousand) => {
      const suffix = `_above_${thousand}k_tokens`;
      const rates = detailsOf(fields, suffix);
      const input = perMillion(fields[`input_cost_per_token${suffix}`]);
      const output = perMillion(fields[`output_cost_per_token${suffix}`]);
      return [
        thousand * 1000,
        { ...(input !== undefined && { input }), ...(output !== undefined && { output }), ...rates },
      ] as const;
    });
}

/** In US dollars for a million tokens, to ten digits. */
function perMillion(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value)
    ? Number((value * 1e6).toPrecision(10))
    : undefined;
}

function providerOf(fields: Entry['fields']): string | undefined {
  const provider = fields['litellm_provider'];
  if (typeof provider !== 'string' || SUBSCRIPTIONS.has(provider)) return undefined;
  return canonicalProvider(provider.startsWith('vertex_ai') ? 'vertex_ai' : provider);
}

/** Calls are not paid one by one there. */
const SUBSCRIPTIONS: ReadonlySet<string> = new Set(['github_copilot', 'chatgpt', 'microsoft_365_copilot']);

/** Entries of sizes of images, and of Bedrock's regions and commitments, which no call names. */
function hasOtherUnits(key: string): boolean {
  return /^\d+-x-|^max-x-|commitment\/|^bedrock\/[a-z-]+-\d\//.test(key) || key.includes('*');
}

/** Without the provider that LiteLLM puts before it. */
function nameOf(key: string, provider: string): string {
  for (const prefix of [
    provider,
    provider.replace(/-.*$/, ''),
    'vertex_ai',
    'bedrock',
    'azure',
    'azure_ai',
    'gemini',
  ]) {
    if (key.startsWith(`${prefix}/`)) return key.slice(prefix.length + 1);
  }
  return key;
}

/** Whether it is the name that its maker gives it, and sells it by. */
function isMakers(key: string, name: string, provider: string): boolean {
  return !key.includes('/') || (MAKERS[provider]?.test(name) ?? false);
}

const MAKERS: Readonly<Record<string, RegExp>> = {
  openai: /^[^/]+$/,
  anthropic: /^[^/]+$/,
  google: /^(?:gemini|gemma|text-|learnlm|imagen|veo)[^/]*$/,
  mistralai: /^[^/]+$/,
  cohere: /^[^/]+$/,
  deepseek: /^[^/]+$/,
  xai: /^[^/]+$/,
  moonshot: /^[^/]+$/,
  minimax: /^[^/]+$/,
  zai: /^[^/]+$/,
  perplexity: /^sonar[^/]*$/,
  dashscope: /^q[^/]+$/,
  ai21: /^[^/]+$/,
  meta: /^[^/]+$/,
};

function depthOf({ key, fields }: Entry): number {
  const isPlatform = ['azure', 'aws'].includes(providerOf(fields) ?? '');
  return key.split('/').length + (isPlatform ? 0.5 : 0);
}

/** Without models for which the shorter names of the others say the same price. */
function leaveOutImplied(models: readonly ListedModel[]): ListedModel[] {
  const kept: ListedModel[] = [];
  const source = { name: '', version: '', url: '', date: '2000-01-01', license: '' };
  const byLength = Map.groupBy(models, ({ name }) => name.length);
  for (const length of [...byLength.keys()].toSorted((a, b) => a - b)) {
    const prices = new BuiltInPrices({ source, models: kept });
    for (const model of byLength.get(length) ?? []) {
      const [found] = prices.findByName(readModelName(model.name, model.provider));
      if (found === undefined || found.provider !== model.provider || pricesOf(model) !== pricesOf(toListed(found)))
        kept.push(model);
    }
  }
  return kept;
}

function toListed({ name, provider, prices }: ReturnType<BuiltInPrices['find']>[number]): ListedModel {
  const above = prices.longPrompts.map(({ abovePromptTokens, rates }) => [abovePromptTokens, rates] as const);
  return { name, provider: provider ?? '', ...prices.rates, ...(above.length > 0 && { above }) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
