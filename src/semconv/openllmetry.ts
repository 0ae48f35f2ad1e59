/**
 * OpenLLMetry (Traceloop): its own names, and those of the GenAI conventions before there were any.
 * @see https://github.com/traceloop/openllmetry/blob/main/packages/opentelemetry-semantic-conventions-ai/opentelemetry/semconv_ai/__init__.py
 */
/** Text: `workflow`, `task`, `agent`, `tool`, `llm`. */
export const ATTR_SPAN_KIND = 'traceloop.span.kind';
/** Text, the function or step. */
export const ATTR_ENTITY_NAME = 'traceloop.entity.name';
/** JSON text, what went in, with how it was called around it. */
export const ATTR_ENTITY_INPUT = 'traceloop.entity.input';
/** JSON text, what came out. */
export const ATTR_ENTITY_OUTPUT = 'traceloop.entity.output';
/** What the keys of a program's own data begin with: session, user and others. */
export const PREFIX_ASSOCIATION = 'traceloop.association.properties.';
/** Text, the managed prompt. */
export const ATTR_PROMPT_KEY = 'traceloop.prompt.key';
/** Text or integer. */
export const ATTR_PROMPT_VERSION = 'traceloop.prompt.version';
/** Text. */
export const ATTR_PROMPT_TEMPLATE = 'traceloop.prompt.template';
/** JSON text. */
export const ATTR_PROMPT_TEMPLATE_VARIABLES = 'traceloop.prompt.template_variables';

// Before the GenAI conventions.
/** Text: `chat`, `completion`, `embedding`, `rerank`. */
export const ATTR_REQUEST_TYPE = 'llm.request.type';
/** Text. */
export const ATTR_RESPONSE_FINISH_REASON = 'llm.response.finish_reason';
/** List of `{role, content, tool_calls}`, flattened. */
export const LIST_GEN_AI_PROMPT = 'gen_ai.prompt';
/** List of `{role, content, tool_calls, finish_reason}`, flattened. */
export const LIST_GEN_AI_COMPLETION = 'gen_ai.completion';
/** List as {@link LIST_GEN_AI_PROMPT}, of the first versions. */
export const LIST_LLM_PROMPTS = 'llm.prompts';
/** List as {@link LIST_GEN_AI_COMPLETION}, of the first versions. */
export const LIST_LLM_COMPLETIONS = 'llm.completions';
/** List of `{name, description, parameters}`, flattened. */
export const LIST_REQUEST_FUNCTIONS = 'llm.request.functions';

/** A span event of a vector store: a document that was found. */
export const EVENT_DB_QUERY_RESULT = 'db.query.result';
/** A span event of a vector store: a document that was found. */
export const EVENT_DB_SEARCH_RESULT = 'db.search.result';

/** JSON text, what a call of the Model Context Protocol was given. */
export const ATTR_MCP_REQUEST_ARGUMENT = 'mcp.request.argument';
/** JSON text, what a call of the Model Context Protocol gave. */
export const ATTR_MCP_RESPONSE_VALUE = 'mcp.response.value';
