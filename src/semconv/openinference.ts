/**
 * OpenInference: the names in which every span is read, whatever dialect it was sent in.
 * @see https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md
 */

/** Resource attribute: the project. @see https://arize-ai.github.io/openinference/spec/configuration.html */
export const ATTR_PROJECT_NAME = 'openinference.project.name';

// Every span: https://github.com/Arize-ai/openinference/blob/main/spec/traces.md
export const ATTR_SPAN_KIND = 'openinference.span.kind';
export const ATTR_INPUT_VALUE = 'input.value';
export const ATTR_INPUT_MIME_TYPE = 'input.mime_type';
export const ATTR_OUTPUT_VALUE = 'output.value';
export const ATTR_OUTPUT_MIME_TYPE = 'output.mime_type';
export const ATTR_METADATA = 'metadata';
export const ATTR_SESSION_ID = 'session.id';
export const ATTR_USER_ID = 'user.id';
export const ATTR_AGENT_NAME = 'agent.name';

// Model calls: https://github.com/Arize-ai/openinference/blob/main/spec/llm_spans.md
export const ATTR_LLM_MODEL_NAME = 'llm.model_name';
export const ATTR_LLM_REQUEST_MODEL_NAME = 'llm.request.model_name';
export const ATTR_LLM_RESPONSE_MODEL_NAME = 'llm.response.model_name';
export const ATTR_LLM_PROVIDER = 'llm.provider';
export const ATTR_LLM_SYSTEM = 'llm.system';
export const ATTR_LLM_INVOCATION_PARAMETERS = 'llm.invocation_parameters';
export const ATTR_LLM_FINISH_REASON = 'llm.finish_reason';
export const ATTR_LLM_INPUT_MESSAGES = 'llm.input_messages';
export const ATTR_LLM_OUTPUT_MESSAGES = 'llm.output_messages';
export const ATTR_LLM_TOOLS = 'llm.tools';
export const ATTR_LLM_PROMPT_TEMPLATE_VARIABLES = 'llm.prompt_template.variables';
export const ATTR_LLM_TOKEN_COUNT_PROMPT = 'llm.token_count.prompt';
export const ATTR_LLM_TOKEN_COUNT_COMPLETION = 'llm.token_count.completion';
export const ATTR_LLM_TOKEN_COUNT_TOTAL = 'llm.token_count.total';
export const ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_READ = 'llm.token_count.prompt_details.cache_read';
export const ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_WRITE = 'llm.token_count.prompt_details.cache_write';
export const ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_INPUT = 'llm.token_count.prompt_details.cache_input';
export const ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_AUDIO = 'llm.token_count.prompt_details.audio';
export const ATTR_LLM_TOKEN_COUNT_COMPLETION_DETAILS_REASONING = 'llm.token_count.completion_details.reasoning';
export const ATTR_LLM_TOKEN_COUNT_COMPLETION_DETAILS_AUDIO = 'llm.token_count.completion_details.audio';
export const ATTR_LLM_COST_TOTAL = 'llm.cost.total';

// Tools: https://github.com/Arize-ai/openinference/blob/main/spec/tool_calling.md
export const ATTR_TOOL_NAME = 'tool.name';
export const ATTR_TOOL_DESCRIPTION = 'tool.description';
export const ATTR_TOOL_PARAMETERS = 'tool.parameters';
export const ATTR_TOOL_ID = 'tool.id';
export const ATTR_TOOL_JSON_SCHEMA = 'tool.json_schema';

// Retrieval, embeddings, reranking: https://github.com/Arize-ai/openinference/blob/main/spec/embedding_spans.md
export const ATTR_RETRIEVAL_DOCUMENTS = 'retrieval.documents';
export const ATTR_EMBEDDING_EMBEDDINGS = 'embedding.embeddings';
export const ATTR_EMBEDDING_MODEL_NAME = 'embedding.model_name';
export const ATTR_RERANKER_MODEL_NAME = 'reranker.model_name';

/** A text that is JSON; every other media type of an input or output reads as plain text. */
export const MIME_TYPE_JSON = 'application/json';
export const MIME_TYPE_TEXT = 'text/plain';
