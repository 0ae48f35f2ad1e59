import { readContent } from './content.ts';

/** A chat model as its provider sells it. Prices are USD for a million tokens. */
export interface Model {
  readonly name: string;
  readonly provider: 'openai' | 'anthropic' | 'google' | 'groq' | 'mistralai';
  readonly system: string;
  /** `gen_ai.provider.name`. */
  readonly genAiProvider: string;
  readonly host: string;
  readonly firstTokenMs: number;
  readonly tokensPerSecond: number;
  readonly inputPrice: number;
  readonly cachedPrice: number;
  readonly outputPrice: number;
  /** How many hidden reasoning tokens stand before an answer, at the median. */
  readonly reasoningTokenCount: number;
  readonly callIdPrefix: string;
}

type ModelKey =
  | 'gpt-5-mini'
  | 'gpt-4o'
  | 'gpt-4o-mini'
  | 'claude-sonnet'
  | 'claude-haiku'
  | 'gemini-pro'
  | 'gemini-flash'
  | 'llama'
  | 'mistral';

export const MODELS = readContent<Readonly<Record<ModelKey, Model>>>('models');

/** Tokens of one call; the prompt includes what came from the cache, the completion includes the reasoning. */
export interface Usage {
  readonly promptTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
}

/** What a call costs, in USD. */
export function costOf(model: Model, usage: Usage): { readonly promptUsd: number; readonly completionUsd: number } {
  const freshTokens = usage.promptTokens - usage.cacheReadTokens;
  return {
    promptUsd: (freshTokens * model.inputPrice + usage.cacheReadTokens * model.cachedPrice) / 1e6,
    completionUsd: (usage.completionTokens * model.outputPrice) / 1e6,
  };
}
