/** What kind of step a GenAI span is, and its model, parameters and tokens. */
import { type JsonValue, jsonObject } from '#base/json';
import type { SpanKind } from '#domain/span';
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import type { FlatAttributes } from '../flat-attributes.ts';
import { toJsonText } from '../json-value.ts';
import { toInteger } from '../number.ts';
import { readProvider } from './provider.ts';

/** Finds a GenAI value by its key, wherever the span carries it. */
export type Lookup = (key: string) => JsonValue | undefined;

/** Adds kind, model, provider, parameters, tokens, agent and conversation where they are missing. */
export function fillOperation(get: Lookup, attributes: FlatAttributes): void {
  attributes.fill(openinference.ATTR_SPAN_KIND, readKind(get));
  attributes.fill(openinference.ATTR_SESSION_ID, get(genAi.ATTR_GEN_AI_CONVERSATION_ID));
  attributes.fill(openinference.ATTR_AGENT_NAME, get(genAi.ATTR_GEN_AI_AGENT_NAME));
  const kind = attributes.get(openinference.ATTR_SPAN_KIND);
  // Tools and stores have providers, too, but no models.
  if (kind !== 'TOOL' && kind !== 'RETRIEVER') fillModel(get, attributes, kind === 'EMBEDDING');
  fillTokens(get, attributes);
}

function readKind(get: Lookup): SpanKind | undefined {
  const operation = get(genAi.ATTR_GEN_AI_OPERATION_NAME);
  if (typeof operation === 'string' && operation !== '') return KINDS.get(operation);
  for (const [kind, keys] of KIND_EVIDENCE) if (keys.some((key) => get(key) !== undefined)) return kind;
  return undefined;
}

/** `execute_event_loop_cycle` is Strands' own: one turn of an agent. */
const KINDS: ReadonlyMap<string, SpanKind> = new Map([
  ['chat', 'LLM'],
  ['text_completion', 'LLM'],
  ['generate_content', 'LLM'],
  ['embeddings', 'EMBEDDING'],
  ['execute_tool', 'TOOL'],
  ['retrieval', 'RETRIEVER'],
  ['rerank', 'RERANKER'],
  ['invoke_agent', 'AGENT'],
  ['create_agent', 'AGENT'],
  ['plan', 'AGENT'],
  ['invoke_workflow', 'CHAIN'],
  ['agent_step', 'CHAIN'],
  ['execute_event_loop_cycle', 'CHAIN'],
]);

/** What tells the kind of a span that names no operation; the first that is there decides. */
const KIND_EVIDENCE: readonly (readonly [SpanKind, readonly string[]])[] = [
  ['TOOL', [genAi.ATTR_GEN_AI_TOOL_NAME, genAi.ATTR_GEN_AI_TOOL_CALL_ID]],
  ['RETRIEVER', [genAi.ATTR_GEN_AI_RETRIEVAL_QUERY_TEXT, genAi.ATTR_GEN_AI_RETRIEVAL_DOCUMENTS]],
  ['EMBEDDING', [genAi.ATTR_GEN_AI_EMBEDDINGS_DIMENSION_COUNT]],
  [
    'LLM',
    [
      genAi.ATTR_GEN_AI_REQUEST_MODEL,
      genAi.ATTR_GEN_AI_INPUT_MESSAGES,
      genAi.ATTR_GEN_AI_OUTPUT_MESSAGES,
      genAi.ATTR_GEN_AI_PROMPT,
      genAi.ATTR_GEN_AI_COMPLETION,
    ],
  ],
  ['AGENT', [genAi.ATTR_GEN_AI_AGENT_NAME]],
];

function fillModel(get: Lookup, attributes: FlatAttributes, isEmbedding: boolean): void {
  const requested = get(genAi.ATTR_GEN_AI_REQUEST_MODEL);
  const answered = get(genAi.ATTR_GEN_AI_RESPONSE_MODEL);
  if (isEmbedding) {
    attributes.fill(openinference.ATTR_EMBEDDING_MODEL_NAME, answered ?? requested);
  } else {
    attributes.fill(openinference.ATTR_LLM_MODEL_NAME, answered ?? requested);
    attributes.fill(openinference.ATTR_LLM_REQUEST_MODEL_NAME, requested);
    attributes.fill(openinference.ATTR_LLM_RESPONSE_MODEL_NAME, answered);
  }
  const providerName = get(genAi.ATTR_GEN_AI_PROVIDER_NAME) ?? get(genAi.ATTR_GEN_AI_SYSTEM);
  if (typeof providerName === 'string' && providerName !== '') {
    const { provider, system } = readProvider(providerName);
    attributes.fill(openinference.ATTR_LLM_PROVIDER, provider);
    attributes.fill(openinference.ATTR_LLM_SYSTEM, system);
  }
  attributes.fill(openinference.ATTR_LLM_INVOCATION_PARAMETERS, readParameters(get));
  const reasons = get(genAi.ATTR_GEN_AI_RESPONSE_FINISH_REASONS);
  attributes.fill(openinference.ATTR_LLM_FINISH_REASON, Array.isArray(reasons) ? only(reasons) : reasons);
}

function readParameters(get: Lookup): string | undefined {
  const parameters = jsonObject();
  for (const [key, name] of PARAMETERS) {
    const value = get(key);
    if (value !== undefined) parameters[name] ??= value;
  }
  const formats = get(genAi.ATTR_GEN_AI_REQUEST_ENCODING_FORMATS);
  if (Array.isArray(formats) && formats.length === 1) parameters['encoding_format'] = only(formats);
  else if (formats !== undefined) parameters['encoding_formats'] = formats;
  return Object.keys(parameters).length === 0 ? undefined : toJsonText(parameters);
}

/** Names of the OpenAI API, as OpenInference has them. */
const PARAMETERS: readonly (readonly [key: string, name: string])[] = [
  [genAi.ATTR_GEN_AI_REQUEST_TEMPERATURE, 'temperature'],
  [genAi.ATTR_GEN_AI_REQUEST_TOP_P, 'top_p'],
  [genAi.ATTR_GEN_AI_REQUEST_TOP_K, 'top_k'],
  [genAi.ATTR_GEN_AI_REQUEST_MAX_TOKENS, 'max_tokens'],
  [genAi.ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY, 'frequency_penalty'],
  [genAi.ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY, 'presence_penalty'],
  [genAi.ATTR_GEN_AI_REQUEST_SEED, 'seed'],
  [genAi.ATTR_GEN_AI_OPENAI_REQUEST_SEED, 'seed'],
  [genAi.ATTR_GEN_AI_REQUEST_STREAM, 'stream'],
  [genAi.ATTR_GEN_AI_REQUEST_CHOICE_COUNT, 'n'],
  [genAi.ATTR_GEN_AI_REQUEST_STOP_SEQUENCES, 'stop'],
  [genAi.ATTR_GEN_AI_OPENAI_REQUEST_RESPONSE_FORMAT, 'response_format'],
];

function fillTokens(get: Lookup, attributes: FlatAttributes): void {
  for (const [target, keys] of TOKENS) {
    for (const key of keys) attributes.fill(target, get(key));
  }
  const prompt = toInteger(attributes.get(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT));
  const completion = toInteger(attributes.get(openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION));
  if (prompt !== undefined && completion !== undefined) {
    attributes.fill(openinference.ATTR_LLM_TOKEN_COUNT_TOTAL, prompt + completion);
  }
}

/** Each count by its names, the current one first. */
const TOKENS: readonly (readonly [target: string, keys: readonly string[]])[] = [
  [
    openinference.ATTR_LLM_TOKEN_COUNT_PROMPT,
    [genAi.ATTR_GEN_AI_USAGE_INPUT_TOKENS, genAi.ATTR_GEN_AI_USAGE_PROMPT_TOKENS],
  ],
  [
    openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION,
    [genAi.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, genAi.ATTR_GEN_AI_USAGE_COMPLETION_TOKENS],
  ],
  [openinference.ATTR_LLM_TOKEN_COUNT_TOTAL, [genAi.ATTR_GEN_AI_USAGE_TOTAL_TOKENS]],
  [
    openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_READ,
    [genAi.ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS, genAi.ATTR_GEN_AI_USAGE_FLAT_CACHE_READ_INPUT_TOKENS],
  ],
  [
    openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_WRITE,
    [
      genAi.ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS,
      genAi.ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
      genAi.ATTR_GEN_AI_USAGE_FLAT_CACHE_CREATION_INPUT_TOKENS,
      genAi.ATTR_GEN_AI_USAGE_FLAT_CACHE_WRITE_INPUT_TOKENS,
    ],
  ],
  [
    openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION_DETAILS_REASONING,
    [genAi.ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS, genAi.ATTR_GEN_AI_USAGE_REASONING_TOKENS],
  ],
];

function only(values: JsonValue[]): JsonValue {
  return values.length === 1 && values[0] !== undefined ? values[0] : values;
}
