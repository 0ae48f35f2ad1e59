/**
 * LiteLLM's OpenTelemetry callback, beside the GenAI conventions and OpenLLMetry's names.
 * @see https://docs.litellm.ai/docs/observability/opentelemetry_integration
 */

/** The scope of its spans. */
export const SCOPE_LITELLM = 'litellm';
/** The name of a span that holds what went to the provider and came back, in the provider's names. */
export const SPAN_RAW_GEN_AI_REQUEST = 'raw_gen_ai_request';

/** Text: `acompletion`, `embedding`, … */
export const ATTR_LLM_REQUEST_TYPE = 'llm.request.type';
/** Text, the model that answered, in spans for services that read OpenInference. */
export const ATTR_LLM_RESPONSE_MODEL = 'llm.response.model';
/** Text, the end user. */
export const ATTR_LLM_USER = 'llm.user';
/** Number, US dollars. */
export const ATTR_GEN_AI_COST_TOTAL = 'gen_ai.cost.total_cost';
/** Number, US dollars. */
export const ATTR_GEN_AI_COST_INPUT = 'gen_ai.cost.input_cost';
/** Number, US dollars. */
export const ATTR_GEN_AI_COST_OUTPUT = 'gen_ai.cost.output_cost';
/** Number, US dollars; a part of the input. */
export const ATTR_GEN_AI_COST_CACHE_READ = 'gen_ai.cost.cache_read_cost';
/** Number, US dollars; a part of the input. */
export const ATTR_GEN_AI_COST_CACHE_CREATION = 'gen_ai.cost.cache_creation_cost';
/** Number, US dollars; a part of the output. */
export const ATTR_GEN_AI_COST_REASONING = 'gen_ai.cost.reasoning_cost';
/** JSON text, with the cost in `response_cost`. */
export const ATTR_HIDDEN_PARAMS = 'hidden_params';
/** Text, the end user as the proxy knows them. */
export const ATTR_METADATA_END_USER = 'metadata.user_api_key_end_user_id';
/** Python repr, the metadata that the client gave to the proxy. */
export const ATTR_METADATA_REQUESTER = 'metadata.requester_metadata';

// Its second callback, of 2026.
/** Text: `acompletion`, `embedding`, … */
export const ATTR_LITELLM_CALL_TYPE = 'litellm.call_type';
/** Text, the end user. */
export const ATTR_LITELLM_END_USER = 'litellm.end_user.id';
/** Text, of a guardrail's span. */
export const ATTR_LITELLM_GUARDRAIL_NAME = 'litellm.guardrail.name';
/** Number, US dollars. */
export const ATTR_LITELLM_COST_TOTAL = 'litellm.cost.total';
/** Number, US dollars. */
export const ATTR_LITELLM_COST_INPUT = 'litellm.cost.input';
/** Number, US dollars. */
export const ATTR_LITELLM_COST_OUTPUT = 'litellm.cost.output';
/** Number, US dollars; a part of the input. */
export const ATTR_LITELLM_COST_CACHE_READ = 'litellm.cost.cache_read';
/** Number, US dollars; a part of the input. */
export const ATTR_LITELLM_COST_CACHE_CREATION = 'litellm.cost.cache_creation';
/** The program's own data. */
export const PREFIX_LITELLM_METADATA = 'litellm.metadata.';
