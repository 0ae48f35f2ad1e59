/** Numbers as spans claim them, as far as sums can take them: anything negative or absurdly large counts as nothing. */

/** No call uses as many tokens; larger claims would push sums beyond exact integers. */
const MAX_CLAIMED_TOKENS = 1e10;

/** No call costs more, in US dollars; see {@link MAX_CLAIMED_TOKENS}. */
export const MAX_CLAIMED_COST_USD = 1e5;

/** What is less rounds to nothing. */
const MIN_CLAIMED_COST_USD = 5e-10;

/** A number of tokens. */
export function readTokens(count: number | null): number {
  return within(count, 1, MAX_CLAIMED_TOKENS);
}

/** Billionths of a US dollar: whole numbers, so that sums do not depend on their order. */
export function readCost(usd: number | null): number {
  return Math.round(within(usd, MIN_CLAIMED_COST_USD, MAX_CLAIMED_COST_USD) * 1e9);
}

function within(value: number | null, least: number, most: number): number {
  return value !== null && value >= least && value <= most ? value : 0;
}
