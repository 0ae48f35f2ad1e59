/**
 * Pydantic AI and Logfire, beside the GenAI conventions.
 * @see https://ai.pydantic.dev/logfire/
 * @see https://logfire.pydantic.dev/docs/reference/advanced/otel-collector/
 */

/** The scope of Pydantic AI. */
export const SCOPE_PYDANTIC_AI = 'pydantic-ai';

/** JSON text, a list of messages. */
export const ATTR_PYDANTIC_AI_ALL_MESSAGES = 'pydantic_ai.all_messages';
/** JSON text, a list of events, in version 1 of the format. */
export const ATTR_ALL_MESSAGES_EVENTS = 'all_messages_events';
/** JSON text, the events of one call, in version 1 of the format. */
export const ATTR_EVENTS = 'events';
/** Text or JSON text, what an agent found. */
export const ATTR_FINAL_RESULT = 'final_result';
/** Text, of an agent's span. */
export const ATTR_AGENT_NAME = 'agent_name';
/** Text, of an agent's span. */
export const ATTR_MODEL_NAME = 'model_name';
/** Before the counts of all calls of a run together, in place of `gen_ai.usage.`. */
export const PREFIX_AGGREGATED_USAGE = 'gen_ai.aggregated_usage.';
/** JSON text, `{function_tools, output_tools, …}`. */
export const ATTR_MODEL_REQUEST_PARAMETERS = 'model_request_parameters';
/** JSON text, up to version 2 of the format. */
export const ATTR_TOOL_ARGUMENTS = 'tool_arguments';
/** Text or JSON text, up to version 2 of the format. */
export const ATTR_TOOL_RESPONSE = 'tool_response';
/** Number, what the operation cost in US dollars. */
export const ATTR_OPERATION_COST = 'operation.cost';

/** Text: `span`, `log`, `pending_span`. */
export const ATTR_LOGFIRE_SPAN_TYPE = 'logfire.span_type';
/** List of texts. */
export const ATTR_LOGFIRE_TAGS = 'logfire.tags';
/** JSON text, the request of an instrumented client. */
export const ATTR_REQUEST_DATA = 'request_data';
/** JSON text, the answer to an instrumented client. */
export const ATTR_RESPONSE_DATA = 'response_data';
/** Of an event in a JSON list: its name. */
export const EVENT_NAME = 'event.name';
/** JSON text, the provider's own object of tokens, of Logfire. */
export const ATTR_USAGE_RAW = 'gen_ai.usage.raw';
