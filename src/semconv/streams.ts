/** When the first part of a streamed answer came: names of attributes and of span events. */
/**
 * Number, seconds from the request to the first chunk.
 * @see https://github.com/open-telemetry/semantic-conventions/blob/main/docs/registry/attributes/gen-ai.md
 */
export const ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK = 'gen_ai.response.time_to_first_chunk';
/**
 * Number, seconds.
 * @see https://getsentry.github.io/relay/relay_conventions/attributes/constant.GEN_AI__RESPONSE__TIME_TO_FIRST_TOKEN.html
 */
export const ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_TOKEN = 'gen_ai.response.time_to_first_token';
/** Number, seconds, of vLLM and SGLang. */
export const ATTR_GEN_AI_LATENCY_TIME_TO_FIRST_TOKEN = 'gen_ai.latency.time_to_first_token';
/** Number, seconds: the name of a metric of OpenTelemetry, which some send as an attribute. */
export const ATTR_GEN_AI_SERVER_TIME_TO_FIRST_TOKEN = 'gen_ai.server.time_to_first_token';
/**
 * Number, milliseconds.
 * @see https://ai-sdk.dev/docs/ai-sdk-core/telemetry#collected-data
 */
export const ATTR_AI_RESPONSE_MS_TO_FIRST_CHUNK = 'ai.response.msToFirstChunk';
/** The same in the first versions that streamed. */
export const ATTR_AI_STREAM_MS_TO_FIRST_CHUNK = 'ai.stream.msToFirstChunk';
/** Text, JSON of an instant in ISO 8601. */
export const ATTR_LANGFUSE_COMPLETION_START_TIME = 'langfuse.observation.completion_start_time';

/** OpenInference: as the first chunk comes, without attributes. */
export const EVENT_FIRST_TOKEN_STREAM = 'First Token Stream Event';
/** OpenLLMetry: as each chunk comes. */
export const EVENT_LLM_CONTENT_COMPLETION_CHUNK = 'llm.content.completion.chunk';
/** The same since OpenLLMetry follows the GenAI conventions. */
export const EVENT_GEN_AI_CONTENT_COMPLETION_CHUNK = 'gen_ai.content.completion.chunk';
/** The Vercel AI SDK, with the milliseconds as an attribute. */
export const EVENT_AI_STREAM_FIRST_CHUNK = 'ai.stream.firstChunk';
