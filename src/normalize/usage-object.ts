/**
 * The tokens of a call as providers and frameworks tell them, in an object of their own names, in the one meaning that
 * the product has: input includes what was cached, output includes what was reasoning.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json';
import * as openinference from '#semconv/openinference';
import type { FlatAttributes } from './flat-attributes.ts';
import { toInteger } from './number.ts';

/** Tokens of one call; absent where the object does not say. */
export interface UsageReading {
  readonly prompt?: number | undefined;
  readonly completion?: number | undefined;
  readonly total?: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
  readonly reasoning?: number | undefined;
  readonly promptAudio?: number | undefined;
  readonly completionAudio?: number | undefined;
}

/** How the producer counts: with its details inside input and output, or beside them; `undefined` lets the object tell. */
export type UsageConvention = 'inclusive' | 'exclusive' | undefined;

/**
 * Reads the object. Where nothing else tells, details lie beside the input in the forms of Anthropic and Bedrock (unless
 * the total is the sum without them) and of Gemini's thoughts, inside in all others.
 */
export function readUsage(usage: JsonObject, convention?: UsageConvention): UsageReading {
  const counts = readCounts(usage);
  const { input, output, total, cacheRead, cacheWrite, reasoning } = counts;
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const isBeside = convention === undefined ? liesBeside(counts, cached) : convention === 'exclusive';
  const thoughts = thoughtsBeside(usage);
  const prompt = input === undefined ? undefined : input + (isBeside ? cached : 0);
  const completion = output === undefined ? thoughts : output + (thoughts ?? 0);
  return {
    prompt,
    completion,
    // A total that leaves the details out, too, is none.
    total: total === undefined || (isBeside && total === sum(input, output)) ? sum(prompt, completion) : total,
    cacheRead,
    cacheWrite,
    reasoning: reasoning ?? thoughts,
    promptAudio: counts.promptAudio,
    completionAudio: counts.completionAudio,
  };
}

/** Adds the counts where they are missing, all or none of a side, so that no two producers' counts are mixed. */
export function fillUsage(attributes: FlatAttributes, usage: UsageReading): void {
  fillSide(attributes, openinference.ATTR_LLM_TOKEN_COUNT_PROMPT, usage.prompt, [
    [openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_READ, usage.cacheRead],
    [openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_WRITE, usage.cacheWrite],
    [openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_AUDIO, usage.promptAudio],
  ]);
  fillSide(attributes, openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION, usage.completion, [
    [openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION_DETAILS_REASONING, usage.reasoning],
    [openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION_DETAILS_AUDIO, usage.completionAudio],
  ]);
  const { prompt, completion } = usage;
  const isSame = (key: string, count: number | undefined) => toInteger(attributes.get(key)) === count;
  if (
    isSame(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT, prompt) &&
    isSame(openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION, completion)
  ) {
    attributes.fill(openinference.ATTR_LLM_TOKEN_COUNT_TOTAL, usage.total);
  }
}

/** Details belong to a sum: they are added only where the sum is theirs. */
function fillSide(
  attributes: FlatAttributes,
  sumKey: string,
  sumCount: number | undefined,
  details: readonly (readonly [key: string, count: number | undefined])[],
): void {
  if (sumCount !== undefined) attributes.fill(sumKey, sumCount);
  const stated = toInteger(attributes.get(sumKey));
  if (stated !== undefined && sumCount !== undefined && stated !== sumCount) return;
  for (const [key, count] of details) attributes.fill(key, count);
}

interface Counts {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total: number | undefined;
  readonly cacheRead: number | undefined;
  readonly cacheWrite: number | undefined;
  readonly reasoning: number | undefined;
  readonly promptAudio: number | undefined;
  readonly completionAudio: number | undefined;
  /** Whether the cached tokens have the names of APIs that count them beside the input. */
  readonly hasNamesOfBeside: boolean;
}

function readCounts(usage: JsonObject): Counts {
  return {
    input: firstCount(usage, INPUT_PATHS),
    output: firstCount(usage, OUTPUT_PATHS),
    total: firstCount(usage, TOTAL_PATHS),
    cacheRead: firstCount(usage, CACHE_READ_PATHS),
    cacheWrite: firstCount(usage, CACHE_WRITE_PATHS),
    reasoning: firstCount(usage, REASONING_PATHS),
    promptAudio: firstCount(usage, PROMPT_AUDIO_PATHS) ?? audioOf(usage, PROMPT_MODALITIES),
    completionAudio: firstCount(usage, COMPLETION_AUDIO_PATHS) ?? audioOf(usage, ANSWER_MODALITIES),
    hasNamesOfBeside:
      firstCount(usage, NAMES_OF_BESIDE) !== undefined && firstCount(usage, [['prompt_tokens']]) === undefined,
  };
}

function liesBeside({ input, output, total, hasNamesOfBeside }: Counts, cached: number): boolean {
  if (cached === 0) return false;
  if (input !== undefined && output !== undefined && total !== undefined) {
    if (total === input + output + cached) return true;
    if (total === input + output && cached <= input) return false;
  }
  return hasNamesOfBeside;
}

/** Gemini counts thoughts beside the candidates. */
function thoughtsBeside(usage: JsonObject): number | undefined {
  return firstCount(usage, [['thoughtsTokenCount'], ['thoughts_token_count']]);
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

/** Gemini tells the parts of a count in a list, one item for each kind of content. */
function audioOf(usage: JsonObject, keys: readonly string[]): number | undefined {
  const parts = keys.map((key) => usage[key]).find(Array.isArray) as readonly JsonValue[] | undefined;
  const audio = parts?.filter(isJsonObject).find(({ modality }) => modality === 'AUDIO');
  return audio === undefined ? undefined : firstCount(audio, [['tokenCount'], ['token_count']]);
}

const PROMPT_MODALITIES: readonly string[] = ['promptTokensDetails', 'prompt_tokens_details'];
const ANSWER_MODALITIES: readonly string[] = [
  'candidatesTokensDetails',
  'candidates_tokens_details',
  'responseTokensDetails',
  'response_tokens_details',
];

type Path = readonly string[];

function firstCount(usage: JsonObject, paths: readonly Path[]): number | undefined {
  for (const path of paths) {
    let value: JsonValue | undefined = usage;
    for (const key of path) value = isJsonObject(value) ? value[key] : undefined;
    const count = typeof value === 'boolean' ? undefined : toInteger(value);
    if (count !== undefined) return count;
  }
  return undefined;
}

const INPUT_PATHS: readonly Path[] = [
  ['prompt_tokens'],
  ['input_tokens'],
  ['inputTokens'],
  ['promptTokens'],
  ['promptTokenCount'],
  ['prompt_token_count'],
  ['tokens', 'input_tokens'],
];
const OUTPUT_PATHS: readonly Path[] = [
  ['completion_tokens'],
  ['output_tokens'],
  ['outputTokens'],
  ['completionTokens'],
  ['candidatesTokenCount'],
  ['candidates_token_count'],
  ['responseTokenCount'],
  ['response_token_count'],
  ['tokens', 'output_tokens'],
];
const TOTAL_PATHS: readonly Path[] = [['total_tokens'], ['totalTokens'], ['totalTokenCount'], ['total_token_count']];
const CACHE_READ_PATHS: readonly Path[] = [
  ['prompt_tokens_details', 'cached_tokens'],
  ['input_tokens_details', 'cached_tokens'],
  ['input_token_details', 'cache_read'],
  ['input_token_details', 'cached_tokens'],
  ['inputTokenDetails', 'cacheReadTokens'],
  ['cache_read_input_tokens'],
  ['cacheReadInputTokens'],
  ['cacheReadInputTokensCount'],
  ['cachedInputTokens'],
  ['cachedContentTokenCount'],
  ['cached_content_token_count'],
  ['prompt_cache_hit_tokens'],
];
const CACHE_WRITE_PATHS: readonly Path[] = [
  ['cache_creation_input_tokens'],
  ['cacheWriteInputTokens'],
  ['cacheWriteInputTokensCount'],
  ['input_token_details', 'cache_creation'],
  ['inputTokenDetails', 'cacheWriteTokens'],
  ['prompt_tokens_details', 'cache_write_tokens'],
  ['input_tokens_details', 'cache_write_tokens'],
  ['prompt_tokens_details', 'cache_creation_tokens'],
];
const REASONING_PATHS: readonly Path[] = [
  ['completion_tokens_details', 'reasoning_tokens'],
  ['output_tokens_details', 'reasoning_tokens'],
  ['output_tokens_details', 'thinking_tokens'],
  ['output_token_details', 'reasoning'],
  ['outputTokenDetails', 'reasoningTokens'],
  ['reasoningTokens'],
  ['reasoning_tokens'],
];
const PROMPT_AUDIO_PATHS: readonly Path[] = [
  ['prompt_tokens_details', 'audio_tokens'],
  ['input_tokens_details', 'audio_tokens'],
  ['input_token_details', 'audio'],
  ['input_token_details', 'audio_tokens'],
];
const COMPLETION_AUDIO_PATHS: readonly Path[] = [
  ['completion_tokens_details', 'audio_tokens'],
  ['output_tokens_details', 'audio_tokens'],
  ['output_token_details', 'audio'],
  ['output_token_details', 'audio_tokens'],
];

/** Anthropic's and Bedrock's; LiteLLM has them too, but counts them into its `prompt_tokens`. */
const NAMES_OF_BESIDE: readonly Path[] = [
  ['cache_read_input_tokens'],
  ['cache_creation_input_tokens'],
  ['cacheReadInputTokens'],
  ['cacheWriteInputTokens'],
  ['cacheReadInputTokensCount'],
  ['cacheWriteInputTokensCount'],
];
