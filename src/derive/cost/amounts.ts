/** What one call costs at given prices: every token at one price, in whole billionths of a US dollar. */
import { MAX_CLAIMED_COST_USD, readTokens } from '../claimed.ts';
import { type ByPart, COST_PARTS, type CostPart, type Prices } from './rates.ts';

/** Tokens as a span tells them: parts are in `prompt` and `completion`; `null` where it does not say. */
export interface CallTokens {
  readonly prompt: number | null;
  readonly completion: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly promptAudio: number | null;
  readonly reasoning: number | null;
  readonly completionAudio: number | null;
}

/** What a call costs, in billionths of a US dollar. */
export interface CallCost {
  readonly prompt: number;
  readonly completion: number;
  /** 0 where no tokens are in the part. */
  readonly parts: ByPart;
}

/** One row of the account of a call. */
export interface CostDetail {
  readonly tokenType: string;
  readonly isPrompt: boolean;
  readonly tokens: number;
  /** In US dollars. */
  readonly cost: number;
  readonly costPerToken: number;
}

/**
 * The tokens of each part. Parts that claim more than their side has get what is left of it, so that no token is in two:
 * what was cached first, as audio can be cached, too.
 */
export function splitTokens(tokens: CallTokens): ByPart {
  let left = readTokens(tokens.prompt);
  const take = (count: number | null) => {
    const taken = Math.min(readTokens(count), left);
    left -= taken;
    return taken;
  };
  const cacheRead = take(tokens.cacheRead);
  const cacheWrite = take(tokens.cacheWrite);
  const promptAudio = take(tokens.promptAudio);
  const input = left;
  left = readTokens(tokens.completion);
  const completionAudio = take(tokens.completionAudio);
  const reasoning = take(tokens.reasoning);
  return { input, cacheRead, cacheWrite, promptAudio, output: left, reasoning, completionAudio };
}

/** What the call costs at these prices; `null` where it says nothing of tokens, or comes to more than a call can cost. */
export function costOf(prices: Prices, tokens: CallTokens): CallCost | null {
  const { input, cacheRead, cacheWrite, promptAudio, output, reasoning, completionAudio } = splitTokens(tokens);
  const promptTokens = input + cacheRead + cacheWrite + promptAudio;
  if (promptTokens + output + reasoning + completionAudio === 0) return null;
  const rates = ratesFor(prices, promptTokens);
  const parts = {
    input: nano(input, rates.input),
    cacheRead: nano(cacheRead, rates.cacheRead),
    cacheWrite: nano(cacheWrite, rates.cacheWrite),
    promptAudio: nano(promptAudio, rates.promptAudio),
    output: nano(output, rates.output),
    reasoning: nano(reasoning, rates.reasoning),
    completionAudio: nano(completionAudio, rates.completionAudio),
  };
  const prompt = parts.input + parts.cacheRead + parts.cacheWrite + parts.promptAudio;
  const completion = parts.output + parts.reasoning + parts.completionAudio;
  return prompt + completion > MAX_CLAIMED_COST_USD * 1e9 ? null : { prompt, completion, parts };
}

/** The account of a call that was priced: a row for each part that has tokens. */
export function toCostDetails(tokens: ByPart, cost: Readonly<Record<CostPart, number | null>>): CostDetail[] {
  const details: CostDetail[] = [];
  for (const { key, tokenType, isPrompt } of COST_PARTS) {
    const count = tokens[key];
    if (count === 0) continue;
    const usd = (cost[key] ?? 0) / 1e9;
    details.push({ tokenType, isPrompt, tokens: count, cost: usd, costPerToken: usd / count });
  }
  return details;
}

/** Prices with every part filled in, for calls of at least the length. */
interface FullRates {
  readonly abovePromptTokens: number;
  readonly rates: ByPart;
}

/** Longest prompts first. */
const filledIn = new WeakMap<Prices, readonly FullRates[]>();

function ratesFor(prices: Prices, promptTokens: number): ByPart {
  let levels = filledIn.get(prices);
  if (levels === undefined) {
    levels = fillIn(prices);
    filledIn.set(prices, levels);
  }
  for (const level of levels) if (promptTokens > level.abovePromptTokens) return level.rates;
  return (levels.at(-1) as FullRates).rates;
}

/** A price that a longer prompt does not change stays; one that it has no word for follows its side's. */
function fillIn({ rates, longPrompts }: Prices): readonly FullRates[] {
  let stated: Prices['rates'] = rates;
  const levels: FullRates[] = [{ abovePromptTokens: -1, rates: fill(stated) }];
  for (const { abovePromptTokens, rates: changed } of longPrompts) {
    stated = { ...stated, ...changed };
    levels.unshift({ abovePromptTokens, rates: fill(stated) });
  }
  return levels;
}

function fill(stated: Prices['rates']): ByPart {
  const { input, output } = stated;
  return {
    input,
    cacheRead: stated.cacheRead ?? input,
    cacheWrite: stated.cacheWrite ?? input,
    promptAudio: stated.promptAudio ?? input,
    output,
    reasoning: stated.reasoning ?? output,
    completionAudio: stated.completionAudio ?? output,
  };
}

/** A dollar for a million tokens is a thousand billionths for one. */
function nano(tokens: number, perMillion: number): number {
  return tokens === 0 ? 0 : Math.round(tokens * perMillion * 1000);
}
