/**
 * Google's Agent Development Kit: the names beside those of the GenAI conventions.
 * @see https://github.com/google/adk-python/blob/main/src/google/adk/telemetry/tracing.py
 */
/** The scope of its spans. */
export const SCOPE_GOOGLE_ADK = 'gcp.vertex.agent';

/** JSON text, the whole request to the model. */
export const ATTR_LLM_REQUEST = 'gcp.vertex.agent.llm_request';
/** JSON text, the whole answer of the model. */
export const ATTR_LLM_RESPONSE = 'gcp.vertex.agent.llm_response';
/** JSON text, what a tool was given. */
export const ATTR_TOOL_CALL_ARGS = 'gcp.vertex.agent.tool_call_args';
/** JSON text, what a tool gave. */
export const ATTR_TOOL_RESPONSE = 'gcp.vertex.agent.tool_response';
/** JSON text, what was sent to an agent that listens. */
export const ATTR_DATA = 'gcp.vertex.agent.data';
/** Text, the session. */
export const ATTR_SESSION_ID = 'gcp.vertex.agent.session_id';
/** Integer, of versions whose output leaves it out. */
export const ATTR_EXPERIMENTAL_REASONING_TOKENS = 'gen_ai.usage.experimental.reasoning_tokens';
