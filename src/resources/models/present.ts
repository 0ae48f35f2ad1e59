/** Prices of models as clients are told them. */
import { formatGlobalId } from '#base/global-id';
import type { ModelPrice } from '#derive/cost/model-price';
import { COST_PARTS, type CostPart, type TokenPrice } from '#derive/cost/rates';
import { formatTimestamp } from '#domain/timestamp';
import type { PricingJob } from '#store/reindex/pricing-job';
import { progressOf } from '#store/reindex/pass-job';

/** The prices of parts, in their order; those without one are left out. */
export function listTokenPrices(rates: Readonly<Partial<Record<CostPart, number>>>): TokenPrice[] {
  return COST_PARTS.flatMap(({ key, tokenType, isPrompt }) => {
    const perMillionTokens = rates[key];
    return perMillionTokens === undefined ? [] : [{ tokenType, isPrompt, perMillionTokens }];
  });
}

/** A price as REST answers it. */
export function presentPrice(price: ModelPrice) {
  const { rates, longPrompts } = price.prices;
  return {
    id: formatGlobalId('GenerativeModel', price.rowId),
    name: price.name,
    provider: price.provider,
    name_pattern: price.namePattern,
    is_built_in: price.isBuiltIn,
    start_time: price.startUs === null ? null : formatTimestamp(price.startUs),
    prices: presentRates(rates),
    long_prompt_prices: longPrompts.map(({ abovePromptTokens, rates: changed }) => ({
      above_prompt_tokens: abovePromptTokens,
      prices: presentRates(changed),
    })),
    created_at: formatTimestamp(price.createdAtUs),
    updated_at: formatTimestamp(price.updatedAtUs),
  };
}

function presentRates(rates: Readonly<Partial<Record<CostPart, number>>>) {
  return listTokenPrices(rates).map(({ tokenType, isPrompt, perMillionTokens }) => ({
    token_type: tokenType,
    is_prompt: isPrompt,
    usd_per_million_tokens: perMillionTokens,
  }));
}

/** How far a pass has come, as REST answers it. */
export function presentPricing(job: PricingJob | null) {
  return {
    is_running: job !== null && job.finishedAtUs === null,
    progress: job && progressOf(job),
    name_pattern: job && job.namePattern,
    start_time: time(job?.startUs),
    end_time: time(job?.endUs),
    read_count: job?.readCount ?? 0,
    changed_count: job?.changedCount ?? 0,
    failed_count: job?.failedCount ?? 0,
    started_at: time(job?.startedAtUs),
    finished_at: time(job?.finishedAtUs),
  };
}

function time(timeUs: number | null | undefined): string | null {
  return timeUs == null ? null : formatTimestamp(timeUs);
}
