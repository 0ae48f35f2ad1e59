/**
 * Haystack's own tracing, with content where it is switched on.
 * @see https://docs.haystack.deepset.ai/docs/tracing
 */

/** Text, the component in its pipeline. */
export const ATTR_HAYSTACK_COMPONENT_NAME = 'haystack.component.name';
/** Text, the class: `OpenAIChatGenerator`. */
export const ATTR_HAYSTACK_COMPONENT_TYPE = 'haystack.component.type';
/** JSON text. */
export const ATTR_HAYSTACK_COMPONENT_INPUT = 'haystack.component.input';
/** JSON text. */
export const ATTR_HAYSTACK_COMPONENT_OUTPUT = 'haystack.component.output';
/** JSON text. */
export const ATTR_HAYSTACK_PIPELINE_INPUT_DATA = 'haystack.pipeline.input_data';
/** JSON text. */
export const ATTR_HAYSTACK_PIPELINE_OUTPUT_DATA = 'haystack.pipeline.output_data';
/** JSON text. */
export const ATTR_HAYSTACK_AGENT_INPUT = 'haystack.agent.input';
/** JSON text. */
export const ATTR_HAYSTACK_AGENT_OUTPUT = 'haystack.agent.output';
/** The name of the span of an agent. */
export const SPAN_HAYSTACK_AGENT_RUN = 'haystack.agent.run';
/** The name of the span of a tool. */
export const SPAN_HAYSTACK_TOOL_RUN = 'haystack.tool.run';
