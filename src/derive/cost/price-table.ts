/** Which price a call has: people's own entries first, then the list that comes with the product. */
import type { SpanKind } from '#domain/span';
import { type CallCost, type CallTokens, costOf } from './amounts.ts';
import type { BuiltInPrices } from './built-in-list.ts';
import { canonicalProvider, readModelName } from './model-names.ts';
import type { ModelPrice } from './model-price.ts';
import { compilePattern, type NamePattern } from './name-pattern.ts';

/** The values of a span that decide its price. */
export interface PricedSpan {
  readonly kind: SpanKind;
  readonly modelName: string | null;
  readonly provider: string | null;
  /** Microseconds since the Unix epoch. */
  readonly startUs: number;
}

/** The prices that hold now. Cheap to ask: what was found for a model is remembered. */
export class PriceTable {
  readonly #custom: readonly CustomPrice[];
  readonly #builtIn: BuiltInPrices;
  /** By provider and model, those that can price it, the best first. */
  readonly #found = new Map<string | null, Map<string, readonly ModelPrice[]>>();
  #foundCount = 0;

  /** @throws AppError `invalid_argument` where an entry has a pattern that is none */
  constructor(custom: readonly ModelPrice[], builtIn: BuiltInPrices) {
    this.#custom = custom.map((price) => ({ price, pattern: compilePattern(price.namePattern) }));
    this.#builtIn = builtIn;
  }

  /** The price of a model for calls that start at the time; `undefined` where none is known. */
  find(modelName: string, provider: string | null, startUs: number): ModelPrice | undefined {
    for (const price of this.#candidates(modelName, provider)) {
      if (price.startUs === null || price.startUs <= startUs) return price;
    }
    return undefined;
  }

  /** What a span costs; `null` where it is no model call, says nothing of tokens, or has no price. */
  priceSpan(span: PricedSpan, tokens: CallTokens): CallCost | null {
    if (span.kind !== 'LLM' || span.modelName === null) return null;
    const price = this.find(span.modelName, span.provider, span.startUs);
    return price === undefined ? null : costOf(price.prices, tokens);
  }

  #candidates(modelName: string, provider: string | null): readonly ModelPrice[] {
    let ofProvider = this.#found.get(provider);
    const known = ofProvider?.get(modelName);
    if (known !== undefined) return known;
    const found = this.#search(modelName, provider);
    // Names come from senders, so what is kept of them is bounded.
    if (this.#foundCount >= MAX_REMEMBERED) {
      this.#found.clear();
      this.#foundCount = 0;
      ofProvider = undefined;
    }
    if (ofProvider === undefined) {
      ofProvider = new Map();
      this.#found.set(provider, ofProvider);
    }
    ofProvider.set(modelName, found);
    this.#foundCount++;
    return found;
  }

  #search(modelName: string, provider: string | null): readonly ModelPrice[] {
    const wanted = provider === null ? null : canonicalProvider(provider);
    const isOfProvider = ({ price }: CustomPrice) =>
      price.provider !== null && canonicalProvider(price.provider) === wanted;
    const custom = this.#custom
      .filter(({ pattern }) => pattern.matches(modelName))
      .toSorted(
        (a, b) =>
          Number(isOfProvider(b)) - Number(isOfProvider(a)) ||
          b.pattern.specificity - a.pattern.specificity ||
          startOf(b.price) - startOf(a.price) ||
          b.price.rowId - a.price.rowId,
      );
    return [...custom.map(({ price }) => price), ...this.#builtIn.find(readModelName(modelName, provider))];
  }
}

interface CustomPrice {
  readonly price: ModelPrice;
  readonly pattern: NamePattern;
}

function startOf({ startUs }: ModelPrice): number {
  return startUs ?? Number.MIN_SAFE_INTEGER;
}

const MAX_REMEMBERED = 4096;
