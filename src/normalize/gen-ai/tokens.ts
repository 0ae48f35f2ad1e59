/** How many tokens a GenAI span claims. */
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import type { FlatAttributes } from '../flat-attributes.ts';
import { toInteger } from '../number.ts';
import { firstInteger, type Lookup } from './lookup.ts';

/** Under which keys a library has its counts, the preferred one first. */
export interface TokenKeys {
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly total: readonly string[];
  readonly cacheRead: readonly string[];
  readonly cacheWrite: readonly string[];
  readonly reasoning: readonly string[];
  readonly inputAudio: readonly string[];
  readonly outputAudio: readonly string[];
}

/** What a library leaves out of its counts, so that it has to be added. */
export interface TokenCounting {
  /** The input is what came neither from a cache nor went into one, as Anthropic and Bedrock count. */
  readonly isInputUncached?: boolean;
  /** The output is what was said, without what was thought, as Gemini counts. */
  readonly isOutputSaidOnly?: boolean;
}

/**
 * Adds the counts where they are missing, in their one meaning: cached tokens are part of the input, reasoning is part
 * of the output. Where the total is the sum of all, the cached ones included, the input left them out, regardless of who counted.
 */
export function fillTokens(
  get: Lookup,
  attributes: FlatAttributes,
  keys: TokenKeys = GEN_AI_TOKENS,
  counting: TokenCounting = {},
): void {
  const fill = (key: string, count: number | undefined) => attributes.fill(key, count);
  const input = firstInteger(get, keys.input);
  const output = firstInteger(get, keys.output);
  const total = firstInteger(get, keys.total);
  const cacheRead = firstInteger(get, keys.cacheRead);
  const cacheWrite = firstInteger(get, keys.cacheWrite);
  const reasoning = firstInteger(get, keys.reasoning);
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const isSumOfAll = cached > 0 && total === (input ?? 0) + (output ?? 0) + cached;
  const uncounted = counting.isInputUncached || isSumOfAll ? cached : 0;
  const unsaid = counting.isOutputSaidOnly ? (reasoning ?? 0) : 0;
  fill(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT, plus(input, uncounted));
  fill(openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION, plus(output, unsaid));
  fill(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_READ, cacheRead);
  fill(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_WRITE, cacheWrite);
  fill(openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION_DETAILS_REASONING, reasoning);
  fill(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_AUDIO, firstInteger(get, keys.inputAudio));
  fill(openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION_DETAILS_AUDIO, firstInteger(get, keys.outputAudio));
  // A total that leaves out what the counts do is no total of them.
  if (uncounted === 0 && unsaid === 0) fill(openinference.ATTR_LLM_TOKEN_COUNT_TOTAL, total);
  const prompt = toInteger(attributes.get(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT));
  const completion = toInteger(attributes.get(openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION));
  fill(openinference.ATTR_LLM_TOKEN_COUNT_TOTAL, prompt === undefined ? undefined : plus(completion, prompt));
}

function plus(count: number | undefined, more: number): number | undefined {
  return count === undefined ? undefined : count + more;
}

/** The same counts under other keys. */
export function renameKeys(keys: TokenKeys, rename: (key: string) => string): TokenKeys {
  const { input, output, total, cacheRead, cacheWrite, reasoning, inputAudio, outputAudio } = keys;
  return {
    input: input.map(rename),
    output: output.map(rename),
    total: total.map(rename),
    cacheRead: cacheRead.map(rename),
    cacheWrite: cacheWrite.map(rename),
    reasoning: reasoning.map(rename),
    inputAudio: inputAudio.map(rename),
    outputAudio: outputAudio.map(rename),
  };
}

/**
 * The conventions' keys, their older ones, and what libraries send in their place: those that follow an API in the API's
 * own words (`details`, `_details`), voice frameworks with the kind of content in front, others with words of their own.
 */
export const GEN_AI_TOKENS: TokenKeys = {
  input: [genAi.ATTR_GEN_AI_USAGE_INPUT_TOKENS, genAi.ATTR_GEN_AI_USAGE_PROMPT_TOKENS, 'llm.usage.prompt_tokens'],
  output: [
    genAi.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
    genAi.ATTR_GEN_AI_USAGE_COMPLETION_TOKENS,
    'llm.usage.completion_tokens',
  ],
  total: [genAi.ATTR_GEN_AI_USAGE_TOTAL_TOKENS, 'llm.usage.total_tokens'],
  cacheRead: [
    genAi.ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
    genAi.ATTR_GEN_AI_USAGE_FLAT_CACHE_READ_INPUT_TOKENS,
    'gen_ai.usage.cache_read_tokens',
    'gen_ai.usage.cached_tokens',
    'gen_ai.usage.cached_input_tokens',
    'gen_ai.usage.cached_content_tokens',
    'gen_ai.usage.cached_content_token_count',
    'gen_ai.usage.input_cached_tokens',
    'gen_ai.usage.input_tokens.cached',
    'gen_ai.usage.prompt_tokens_details.cached_tokens',
    'gen_ai.usage.prompt_tokens_details.cache_read',
    'gen_ai.usage.details.cached_tokens',
    'gen_ai.usage.details.cache_read_tokens',
    'gen_ai.usage.details.cache_read_input_tokens',
    'gen_ai.usage.details.cached_content_tokens',
    'gen_ai.usage.details.cached_content_token_count',
  ],
  cacheWrite: [
    genAi.ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS,
    genAi.ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
    genAi.ATTR_GEN_AI_USAGE_FLAT_CACHE_CREATION_INPUT_TOKENS,
    genAi.ATTR_GEN_AI_USAGE_FLAT_CACHE_WRITE_INPUT_TOKENS,
    'gen_ai.usage.cache_write_tokens',
    'gen_ai.usage.cache_creation_tokens',
    'gen_ai.usage.input_cache_creation_tokens',
    'gen_ai.usage.input_tokens.cache_write',
    'gen_ai.usage.prompt_tokens_details.cache_creation_tokens',
    'gen_ai.usage.prompt_tokens_details.cache_write',
    'gen_ai.usage.details.cache_write_tokens',
    'gen_ai.usage.details.cache_creation_input_tokens',
  ],
  reasoning: [
    genAi.ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
    genAi.ATTR_GEN_AI_USAGE_REASONING_TOKENS,
    'gen_ai.usage.reasoning_output_tokens',
    'gen_ai.usage.output_reasoning_tokens',
    'gen_ai.usage.output_tokens.reasoning',
    'gen_ai.usage.thinking_tokens',
    'gen_ai.usage.thoughts_tokens',
    'gen_ai.usage.thoughts_token_count',
    'gen_ai.usage.completion_tokens_details.reasoning_tokens',
    'gen_ai.usage.completion_tokens_details.reasoning',
    'gen_ai.usage.details.reasoning_tokens',
    'gen_ai.usage.details.thoughts_tokens',
    'llm.usage.reasoning_tokens',
  ],
  inputAudio: [
    genAi.ATTR_GEN_AI_USAGE_AUDIO_INPUT_TOKENS,
    'gen_ai.usage.audio_input_tokens',
    'gen_ai.usage.input_audio_tokens',
    'gen_ai.usage.prompt_tokens.audio',
    'gen_ai.usage.details.input_audio_tokens',
    'gen_ai.usage.details.audio_prompt_tokens',
  ],
  outputAudio: [
    genAi.ATTR_GEN_AI_USAGE_AUDIO_OUTPUT_TOKENS,
    'gen_ai.usage.audio_output_tokens',
    'gen_ai.usage.output_audio_tokens',
    'gen_ai.usage.completion_tokens.audio',
    'gen_ai.usage.completion_tokens_details.audio_tokens',
    'gen_ai.usage.completion_tokens_details.audio',
    'gen_ai.usage.details.output_audio_tokens',
    'gen_ai.usage.details.audio_candidates_tokens',
  ],
};
