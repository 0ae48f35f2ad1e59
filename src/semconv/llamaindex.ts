/**
 * LlamaIndex's own OpenTelemetry integration (`llama-index-observability-otel`): its events as span events, their fields
 * as attributes by dotted paths, lists of objects as JSON texts.
 * @see https://developers.llamaindex.ai/python/framework/module_guides/observability/
 */

/** The scope of its spans. */
export const SCOPE_LLAMAINDEX = 'llamaindex.opentelemetry.tracer';

/** Event: `messages`, `model_dict.*`. */
export const EVENT_LLM_CHAT_START = 'LLMChatStartEvent';
/** Event: `messages`, `response.message.*`, `response.raw.*`. */
export const EVENT_LLM_CHAT_END = 'LLMChatEndEvent';
/** Event: `prompt`, `model_dict.*`. */
export const EVENT_LLM_COMPLETION_START = 'LLMCompletionStartEvent';
/** Event: `prompt`, `response.text`, `response.raw.*`. */
export const EVENT_LLM_COMPLETION_END = 'LLMCompletionEndEvent';
/** Event: `model_dict.*`. */
export const EVENT_EMBEDDING_START = 'EmbeddingStartEvent';
/** Event: `chunks`, `embeddings`. */
export const EVENT_EMBEDDING_END = 'EmbeddingEndEvent';
/** Event: `str_or_query_bundle`. */
export const EVENT_RETRIEVAL_START = 'RetrievalStartEvent';
/** Event: `nodes`. */
export const EVENT_RETRIEVAL_END = 'RetrievalEndEvent';
/** Event: `query`, `nodes`, `model_name`. */
export const EVENT_RERANK_START = 'ReRankStartEvent';
/** Event: `nodes`. */
export const EVENT_RERANK_END = 'ReRankEndEvent';
/** Event: `query`. */
export const EVENT_QUERY_START = 'QueryStartEvent';
/** Event: `query`, `response`. */
export const EVENT_QUERY_END = 'QueryEndEvent';
/** Event: `user_msg`. */
export const EVENT_AGENT_CHAT_START = 'AgentChatWithStepStartEvent';
/** Event: `response`. */
export const EVENT_AGENT_CHAT_END = 'AgentChatWithStepEndEvent';
