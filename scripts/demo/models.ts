/** A chat model as its provider sells it. Prices are USD for a million tokens. */
export interface Model {
  readonly name: string;
  readonly provider: 'openai' | 'anthropic' | 'google' | 'groq' | 'mistralai' | 'ollama';
  readonly system: 'openai' | 'anthropic' | 'vertexai' | 'meta' | 'mistralai';
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

const OPENAI = {
  provider: 'openai',
  system: 'openai',
  genAiProvider: 'openai',
  host: 'api.openai.com',
  callIdPrefix: 'call_',
} as const;
const GOOGLE = {
  provider: 'google',
  system: 'vertexai',
  genAiProvider: 'gcp.vertex_ai',
  host: 'europe-west4-aiplatform.googleapis.com',
  callIdPrefix: 'fc_',
} as const;

export const GPT_5_MINI: Model = {
  ...OPENAI,
  name: 'gpt-5-mini',
  firstTokenMs: 620,
  tokensPerSecond: 115,
  inputPrice: 0.25,
  cachedPrice: 0.025,
  outputPrice: 2,
  reasoningTokenCount: 190,
};
export const GPT_4O: Model = {
  ...OPENAI,
  name: 'gpt-4o',
  firstTokenMs: 480,
  tokensPerSecond: 82,
  inputPrice: 2.5,
  cachedPrice: 1.25,
  outputPrice: 10,
  reasoningTokenCount: 0,
};
export const GPT_4O_MINI: Model = {
  ...OPENAI,
  name: 'gpt-4o-mini',
  firstTokenMs: 340,
  tokensPerSecond: 96,
  inputPrice: 0.15,
  cachedPrice: 0.075,
  outputPrice: 0.6,
  reasoningTokenCount: 0,
};
export const CLAUDE_SONNET: Model = {
  provider: 'anthropic',
  system: 'anthropic',
  genAiProvider: 'anthropic',
  host: 'api.anthropic.com',
  callIdPrefix: 'toolu_01',
  name: 'claude-sonnet-4-5-20250929',
  firstTokenMs: 980,
  tokensPerSecond: 74,
  inputPrice: 3,
  cachedPrice: 0.3,
  outputPrice: 15,
  reasoningTokenCount: 0,
};
export const CLAUDE_HAIKU: Model = {
  ...CLAUDE_SONNET,
  name: 'claude-haiku-4-5-20251001',
  firstTokenMs: 430,
  tokensPerSecond: 150,
  inputPrice: 1,
  cachedPrice: 0.1,
  outputPrice: 5,
};
export const GEMINI_PRO: Model = {
  ...GOOGLE,
  name: 'gemini-2.5-pro',
  firstTokenMs: 1400,
  tokensPerSecond: 105,
  inputPrice: 1.25,
  cachedPrice: 0.31,
  outputPrice: 10,
  reasoningTokenCount: 520,
};
export const GEMINI_FLASH: Model = {
  ...GOOGLE,
  name: 'gemini-2.5-flash',
  firstTokenMs: 380,
  tokensPerSecond: 190,
  inputPrice: 0.3,
  cachedPrice: 0.03,
  outputPrice: 2.5,
  reasoningTokenCount: 0,
};
export const LLAMA_70B: Model = {
  provider: 'groq',
  system: 'meta',
  genAiProvider: 'groq',
  host: 'api.groq.com',
  callIdPrefix: 'call_',
  name: 'llama-3.3-70b-versatile',
  firstTokenMs: 210,
  tokensPerSecond: 290,
  inputPrice: 0.59,
  cachedPrice: 0.59,
  outputPrice: 0.79,
  reasoningTokenCount: 0,
};
export const MISTRAL_MEDIUM: Model = {
  provider: 'mistralai',
  system: 'mistralai',
  genAiProvider: 'mistral_ai',
  host: 'api.mistral.ai',
  callIdPrefix: '',
  name: 'mistral-medium-2508',
  firstTokenMs: 420,
  tokensPerSecond: 88,
  inputPrice: 0.4,
  cachedPrice: 0.4,
  outputPrice: 2,
  reasoningTokenCount: 0,
};

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
