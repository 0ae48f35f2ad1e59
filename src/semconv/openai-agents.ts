/**
 * The OpenAI Agents SDK, by exporters that send its spans' data as it is.
 * @see https://openai.github.io/openai-agents-python/tracing/
 */
/** What the scopes of such exporters have in their names. */
export const SCOPE_OPENAI_AGENTS = /openai[._-]agents/;
/** JSON text, what went in. */
export const ATTR_INPUT = 'input';
/** JSON text, what came out. */
export const ATTR_OUTPUT = 'output';
/** JSON text, an answer of the Responses API. */
export const ATTR_RESPONSE = 'response';
/** JSON text, how many tokens. */
export const ATTR_USAGE = 'usage';
/** Text, the model. */
export const ATTR_MODEL = 'model';
/** JSON text, the tools of an agent or call. */
export const ATTR_TOOLS = 'tools';
/** Text, the agent or function. */
export const ATTR_NAME = 'name';
/** Text, the agent that takes over. */
export const ATTR_HANDOFF_TO = 'gen_ai.handoff.to_agent';
