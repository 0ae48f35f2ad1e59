/** What a GenAI request asked of the model beside its messages. */
import { type JsonObject, jsonObject } from '#base/json';
import * as genAi from '#semconv/gen-ai';
import { readJsonItems } from '../json-value.ts';
import { toNumber } from '../number.ts';
import { firstValue, type Lookup } from './lookup.ts';

/** The parameters that say something, by the names of the OpenAI API, as OpenInference has them. */
export function readParameters(get: Lookup): JsonObject {
  const parameters = jsonObject();
  for (const [name, keys] of PARAMETERS) {
    const value = firstValue(get, keys);
    if (value !== undefined) parameters[name] = value;
  }
  // Mastra and Microsoft's library for .NET send the list as JSON text.
  const stop = parameters['stop'];
  if (typeof stop === 'string') parameters['stop'] = readJsonItems(stop) ?? stop;
  // Some libraries send a limit of less than nothing for none.
  if ((toNumber(parameters['max_tokens']) ?? 1) < 0) delete parameters['max_tokens'];
  // LiteLLM sends Python's words.
  const stream = parameters['stream'];
  if (typeof stream === 'string' && /^(?:true|false)$/i.test(stream)) parameters['stream'] = /true/i.test(stream);
  const formats = firstValue(get, [genAi.ATTR_GEN_AI_REQUEST_ENCODING_FORMATS]);
  if (Array.isArray(formats) && formats.length === 1) parameters['encoding_format'] = formats[0] ?? null;
  else if (formats !== undefined) parameters['encoding_formats'] = formats;
  return parameters;
}

/** Each parameter by its keys, the current one first. */
const PARAMETERS: readonly (readonly [name: string, keys: readonly string[]])[] = [
  ['temperature', [genAi.ATTR_GEN_AI_REQUEST_TEMPERATURE]],
  ['top_p', [genAi.ATTR_GEN_AI_REQUEST_TOP_P]],
  ['top_k', [genAi.ATTR_GEN_AI_REQUEST_TOP_K, 'llm.top_k']],
  ['max_tokens', [genAi.ATTR_GEN_AI_REQUEST_MAX_TOKENS]],
  ['max_completion_tokens', ['gen_ai.request.max_completion_tokens']],
  ['repetition_penalty', ['gen_ai.request.repetition_penalty', 'llm.request.repetition_penalty']],
  ['frequency_penalty', [genAi.ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY, 'llm.frequency_penalty']],
  ['presence_penalty', [genAi.ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY, 'llm.presence_penalty']],
  ['seed', [genAi.ATTR_GEN_AI_REQUEST_SEED, genAi.ATTR_GEN_AI_OPENAI_REQUEST_SEED]],
  [
    'stream',
    [
      genAi.ATTR_GEN_AI_REQUEST_STREAM,
      genAi.ATTR_GEN_AI_REQUEST_IS_STREAM,
      genAi.ATTR_GEN_AI_IS_STREAMING,
      'llm.is_streaming',
    ],
  ],
  ['n', [genAi.ATTR_GEN_AI_REQUEST_CHOICE_COUNT, 'gen_ai.request.n']],
  ['stop', [genAi.ATTR_GEN_AI_REQUEST_STOP_SEQUENCES, 'llm.chat.stop_sequences']],
  [
    'response_format',
    [
      genAi.ATTR_GEN_AI_REQUEST_RESPONSE_FORMAT,
      genAi.ATTR_GEN_AI_OPENAI_REQUEST_RESPONSE_FORMAT,
      'gen_ai.request.structured_output_schema',
    ],
  ],
  [
    'reasoning_effort',
    [genAi.ATTR_GEN_AI_REQUEST_REASONING_EFFORT, 'gen_ai.request.reasoning.level', 'llm.request.reasoning_effort'],
  ],
  ['tool_choice', [genAi.ATTR_GEN_AI_REQUEST_TOOL_CHOICE]],
  [
    'service_tier',
    [
      genAi.ATTR_OPENAI_REQUEST_SERVICE_TIER,
      genAi.ATTR_GEN_AI_REQUEST_SERVICE_TIER,
      genAi.ATTR_GEN_AI_OPENAI_REQUEST_SERVICE_TIER,
    ],
  ],
  ['dimensions', [genAi.ATTR_GEN_AI_REQUEST_EMBEDDING_DIMENSION, 'gen_ai.request.embedding.dimensions']],
];
