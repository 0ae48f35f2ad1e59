/**
 * Haystack's own tracing, with content where it is switched on.
 * @see https://docs.haystack.deepset.ai/docs/tracing
 */

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
/** The name of the span of a model call in an agent. */
export const SPAN_HAYSTACK_AGENT_STEP_LLM = 'haystack.agent.step.llm';
/** JSON text. */
export const ATTR_HAYSTACK_AGENT_STEP_LLM_INPUT = 'haystack.agent.step.llm.input';
/** JSON text. */
export const ATTR_HAYSTACK_AGENT_STEP_LLM_OUTPUT = 'haystack.agent.step.llm.output';
/** The name of the span of a tool in an agent. */
export const SPAN_HAYSTACK_AGENT_STEP_TOOL = 'haystack.agent.step.tool';
/** JSON text. */
export const ATTR_HAYSTACK_AGENT_STEP_TOOL_INPUT = 'haystack.agent.step.tool.input';
/** Text or JSON text. */
export const ATTR_HAYSTACK_AGENT_STEP_TOOL_OUTPUT = 'haystack.agent.step.tool.output';
/** Text. */
export const ATTR_HAYSTACK_TOOL_NAME = 'haystack.tool.name';
/** Text. */
export const ATTR_HAYSTACK_TOOL_DESCRIPTION = 'haystack.tool.description';
/** Text, the call that the run answers. */
export const ATTR_HAYSTACK_TOOL_CALL_ID = 'haystack.tool.call.id';
