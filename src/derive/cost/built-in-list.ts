/** The prices that come with the product: src/derive/cost/built-in-prices.json, made by scripts/generate-prices.ts. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { canonicalName, isSelfHosted, type ModelNames, readModelName } from './model-names.ts';
import type { ModelPrice } from './model-price.ts';
import { COST_PARTS, type CostPart, type Rates } from './rates.ts';

/** One entry of the file. Prices are in US dollars for a million tokens. */
export interface ListedModel extends Rates {
  readonly name: string;
  readonly provider: string;
  /** Whether the name is its maker's, and stands for it where nobody says who answers. */
  readonly own?: true;
  /** Prices above a number of tokens in the prompt, ascending. */
  readonly above?: readonly (readonly [promptTokens: number, rates: Readonly<Partial<Record<CostPart, number>>>])[];
  /** The day from which it holds, `YYYY-MM-DD`; absent where that is not known. */
  readonly from?: string;
}

/** The file. */
export interface PriceList {
  readonly source: {
    readonly name: string;
    readonly version: string;
    readonly url: string;
    /** The day on which the version was published, `YYYY-MM-DD`. */
    readonly date: string;
    readonly license: string;
  };
  readonly models: readonly ListedModel[];
}

/** Prices by name, as the file lists them. */
export class BuiltInPrices {
  readonly source: PriceList['source'];
  readonly #listed: readonly ListedPrice[];
  readonly #byName: ByName;
  /** By what the names of the list may be called, too. */
  #byShortName: ByName | undefined;

  constructor({ source, models }: PriceList) {
    this.source = source;
    this.#listed = models.map((model) => ({ model, price: toPrice(model, source.date) }));
    this.#byName = Map.groupBy(this.#listed, ({ model }) => canonicalName(model.name));
  }

  /** All of them, in the order of the file. */
  *[Symbol.iterator](): Iterator<ModelPrice> {
    for (const { price } of this.#listed) yield price;
  }

  /**
   * The prices of a model, the latest first; none where it is not listed, or where several sell it at different prices and
   * nothing says who did. A name without a version is that of the latest that is listed.
   */
  find(model: ModelNames): readonly ModelPrice[] {
    const found = this.findByName(model);
    if (found.length > 0) return found;
    this.#byShortName ??= groupByShortName(this.#listed);
    for (const [byName, choose] of [
      [this.#byShortName, chooseSeller],
      [this.#byName, chooseAgreed],
      [this.#byShortName, chooseAgreed],
    ] as const) {
      const other = search(byName, model, choose);
      if (other.length > 0) return other;
    }
    return [];
  }

  /** The same by the names of the list alone, from those who are known to sell them. */
  findByName(model: ModelNames): readonly ModelPrice[] {
    return search(this.#byName, model, chooseSeller);
  }
}

interface ListedPrice {
  readonly model: ListedModel;
  readonly price: ModelPrice;
}

function groupByShortName(listed: readonly ListedPrice[]): ByName {
  const byName = new Map<string, ListedPrice[]>();
  for (const one of listed) {
    for (const name of readModelName(one.model.name, null).names) {
      const alike = byName.get(name);
      if (alike === undefined) byName.set(name, [one]);
      else alike.push(one);
    }
  }
  return byName;
}

type ByName = ReadonlyMap<string, readonly ListedPrice[]>;

/** Says who of those that sell a model is meant. */
type Choose = (listed: readonly ListedPrice[], providers: readonly string[]) => string | undefined;

function search(byName: ByName, { names, providers }: ModelNames, choose: Choose): readonly ModelPrice[] {
  for (const name of names) {
    const listed = byName.get(name);
    const provider = listed && choose(listed, providers);
    if (listed === undefined || provider === undefined) continue;
    const sold = listed.filter(({ model }) => model.provider === provider);
    const latest = sold.reduce((last, { model }) => (model.name > last ? model.name : last), '');
    const chosen = sold.filter(({ model }) => model.name === latest);
    return chosen.map(({ price }) => price).toSorted(byStart);
  }
  return [];
}

/** The provider that the source names, otherwise the maker of the model. */
function chooseSeller(listed: readonly ListedPrice[], providers: readonly string[]): string | undefined {
  const provider = providers.find((one) => listed.some(({ model }) => model.provider === one));
  if (provider !== undefined || providers.some(isSelfHosted)) return provider;
  return listed.find(({ model }) => model.own === true)?.model.provider;
}

/** Anyone of several whose prices are the same. */
function chooseAgreed(listed: readonly ListedPrice[], providers: readonly string[]): string | undefined {
  const [first, ...others] = listed.map(({ model }) => model);
  if (first === undefined || providers.some(isSelfHosted)) return undefined;
  if (others.every(({ provider }) => provider === first.provider)) return undefined;
  const isAgreed = others.every(({ input, output }) => input === first.input && output === first.output);
  return isAgreed ? first.provider : undefined;
}

function byStart(a: ModelPrice, b: ModelPrice): number {
  return (b.startUs ?? Number.NEGATIVE_INFINITY) - (a.startUs ?? Number.NEGATIVE_INFINITY) || 0;
}

function toPrice(model: ListedModel, date: string): ModelPrice {
  const { name, provider, above = [], from } = model;
  const rates: Partial<Record<CostPart, number>> = {};
  for (const { key } of COST_PARTS) if (model[key] !== undefined) rates[key] = model[key];
  const dateUs = Date.parse(date) * 1000;
  return {
    get rowId() {
      return rowIdOf(model);
    },
    name,
    provider,
    get namePattern() {
      return `(?i)^${name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$`;
    },
    isBuiltIn: true,
    startUs: from === undefined ? null : Date.parse(from) * 1000,
    prices: {
      rates: rates as Rates,
      longPrompts: above.map(([abovePromptTokens, changed]) => ({ abovePromptTokens, rates: changed })),
    },
    createdAtUs: dateUs,
    updatedAtUs: dateUs,
  };
}

/** The same in every version of the list, and beyond the ids of entries that people make. */
export const FIRST_BUILT_IN_ROW_ID = 2 ** 48;

function rowIdOf({ name, provider, from = '' }: ListedModel): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([name, provider, from]))
    .digest();
  return FIRST_BUILT_IN_ROW_ID + digest.readUIntBE(0, 6);
}

/** The list of this version, read when it is first asked for: most threads never do. */
export function builtInPrices(): BuiltInPrices {
  shipped ??= new BuiltInPrices(JSON.parse(readFileSync(LIST, 'utf8')) as PriceList);
  return shipped;
}

/** The build puts it beside the bundles. */
const LIST = new URL('./built-in-prices.json', import.meta.url);

let shipped: BuiltInPrices | undefined;
