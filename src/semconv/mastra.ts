/**
 * Mastra: the names of its OpenTelemetry exporter beside those of the GenAI conventions.
 * @see https://github.com/mastra-ai/mastra/tree/main/observability/otel-exporter
 */
/** Text: `agent_run`, `model_step`, `workflow_step`, … */
export const ATTR_SPAN_TYPE = 'mastra.span.type';
/** What the keys of a program's own data begin with: thread, user and others. */
export const PREFIX_METADATA = 'mastra.metadata.';
/** JSON text, a list. */
export const ATTR_TAGS = 'mastra.tags';

// Version 0.
/** Text or JSON text, what went in. */
export const ATTR_INPUT = 'input';
/** Text or JSON text, what came out. */
export const ATTR_OUTPUT = 'output';
/** Text or JSON text, the arguments of a tool. */
export const ATTR_TOOL_INPUT = 'gen_ai.tool.input';
/** Text or JSON text, what a tool gave. */
export const ATTR_TOOL_OUTPUT = 'gen_ai.tool.output';
/** Text, the conversation. */
export const ATTR_THREAD_ID = 'threadId';

/** The key of what went into a span of the type; not for calls of models and tools. */
export function inputKey(spanType: string): string {
  return `mastra.${spanType}.input`;
}

/** The key of what came out of a span of the type; not for calls of models and tools. */
export function outputKey(spanType: string): string {
  return `mastra.${spanType}.output`;
}
