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
/** What the operations of its memory begin with: `memory.search`, `memory.add`, `memory.inject`, `memory.extract`. */
export const PREFIX_MEMORY = 'memory.';
/** The operation that looks something up. */
export const OPERATION_MEMORY_SEARCH = 'memory.search';
/** An event with the attribute `content`: what was looked for. */
export const EVENT_MEMORY_QUERY = 'memory.query';
/** An event with the attribute `content`: JSON text of a list of `{content, store_name, metadata}`, what was found. */
export const EVENT_MEMORY_RESULTS = 'memory.results';
/** An event with the attribute `content`: what was kept. */
export const EVENT_MEMORY_CONTENT = 'memory.content';
/** Text on the span in the place of those events: of several, the last. */
export const ATTR_CONTENT = 'content';
/** JSON text, what a tool gave, in the first versions. */
export const ATTR_TOOL_RESULT = 'tool.result';
