/**
 * LangSmith's own attributes, beside the GenAI conventions that its OpenTelemetry exporter speaks in its own way.
 * @see https://docs.langchain.com/langsmith/trace-with-opentelemetry#supported-opentelemetry-attribute-and-event-mapping
 */

/** Text: `llm`, `chain`, `tool`, `retriever`, `embedding`, `prompt`, `parser`. */
export const ATTR_LANGSMITH_SPAN_KIND = 'langsmith.span.kind';
/** Text, tags with commas between them. */
export const ATTR_LANGSMITH_SPAN_TAGS = 'langsmith.span.tags';
/** JSON text, LangChain's usage metadata. */
export const ATTR_LANGSMITH_USAGE_METADATA = 'langsmith.usage_metadata';
/** The program's own data, and LangSmith's. */
export const PREFIX_LANGSMITH_METADATA = 'langsmith.metadata.';
/** Python repr, parts of the input's tokens. */
export const ATTR_GEN_AI_USAGE_INPUT_TOKEN_DETAILS = 'gen_ai.usage.input_token_details';
/** Python repr, parts of the output's tokens. */
export const ATTR_GEN_AI_USAGE_OUTPUT_TOKEN_DETAILS = 'gen_ai.usage.output_token_details';
