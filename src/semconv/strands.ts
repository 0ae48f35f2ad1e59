/**
 * Strands Agents: the names beside those of the GenAI conventions.
 * @see https://github.com/strands-agents/sdk-python/blob/main/src/strands/telemetry/tracer.py
 */
/** What the scopes of its spans begin with. */
export const SCOPE_STRANDS = 'strands';
/** The provider that it says it is. */
export const PROVIDER_STRANDS = 'strands-agents';
/** Text, the turn of an agent. */
export const ATTR_CYCLE_ID = 'event_loop.cycle_id';
/** JSON text, what a tool gave, in the first versions. */
export const ATTR_TOOL_RESULT = 'tool.result';
