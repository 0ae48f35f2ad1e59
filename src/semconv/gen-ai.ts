/**
 * OpenTelemetry's conventions for generative AI: all names since 1.27, with those that were renamed since.
 * @see https://github.com/open-telemetry/semantic-conventions/blob/main/docs/gen-ai/gen-ai-spans.md
 * @see https://github.com/open-telemetry/semantic-conventions/blob/main/docs/registry/attributes/gen-ai.md
 */
/** Text, what is done: `chat`, `execute_tool`, … */
export const ATTR_GEN_AI_OPERATION_NAME = 'gen_ai.operation.name';
/** Text, who answers. */
export const ATTR_GEN_AI_PROVIDER_NAME = 'gen_ai.provider.name';
/** Text, the session. */
export const ATTR_GEN_AI_CONVERSATION_ID = 'gen_ai.conversation.id';
/** Text, the model asked for. */
export const ATTR_GEN_AI_REQUEST_MODEL = 'gen_ai.request.model';
/** Number. */
export const ATTR_GEN_AI_REQUEST_TEMPERATURE = 'gen_ai.request.temperature';
/** Number. */
export const ATTR_GEN_AI_REQUEST_TOP_P = 'gen_ai.request.top_p';
/** Number. */
export const ATTR_GEN_AI_REQUEST_TOP_K = 'gen_ai.request.top_k';
/** Integer. */
export const ATTR_GEN_AI_REQUEST_MAX_TOKENS = 'gen_ai.request.max_tokens';
/** Number. */
export const ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY = 'gen_ai.request.frequency_penalty';
/** Number. */
export const ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY = 'gen_ai.request.presence_penalty';
/** Integer. */
export const ATTR_GEN_AI_REQUEST_SEED = 'gen_ai.request.seed';
/** Boolean, whether the answer was streamed. */
export const ATTR_GEN_AI_REQUEST_STREAM = 'gen_ai.request.stream';
/** Integer, how many answers were asked for. */
export const ATTR_GEN_AI_REQUEST_CHOICE_COUNT = 'gen_ai.request.choice.count';
/** List of texts. */
export const ATTR_GEN_AI_REQUEST_STOP_SEQUENCES = 'gen_ai.request.stop_sequences';
/** List of texts, of embeddings. */
export const ATTR_GEN_AI_REQUEST_ENCODING_FORMATS = 'gen_ai.request.encoding_formats';
/** Text, the provider's id of the answer. */
export const ATTR_GEN_AI_RESPONSE_ID = 'gen_ai.response.id';
/** Text, the model that answered. */
export const ATTR_GEN_AI_RESPONSE_MODEL = 'gen_ai.response.model';
/** List of texts, one for each answer. */
export const ATTR_GEN_AI_RESPONSE_FINISH_REASONS = 'gen_ai.response.finish_reasons';
/** Integer, cached tokens included, though not by all. */
export const ATTR_GEN_AI_USAGE_INPUT_TOKENS = 'gen_ai.usage.input_tokens';
/** Integer, reasoning included. */
export const ATTR_GEN_AI_USAGE_OUTPUT_TOKENS = 'gen_ai.usage.output_tokens';
/** Integer, from a cache. */
export const ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS = 'gen_ai.usage.cache_read.input_tokens';
/** Integer, into a cache. */
export const ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS = 'gen_ai.usage.cache_creation.input_tokens';
/** Integer. */
export const ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS = 'gen_ai.usage.reasoning.output_tokens';
/** Integer, tokens in that were sound. */
export const ATTR_GEN_AI_USAGE_AUDIO_INPUT_TOKENS = 'gen_ai.usage.audio.input_tokens';
/** Integer, tokens out that were sound. */
export const ATTR_GEN_AI_USAGE_AUDIO_OUTPUT_TOKENS = 'gen_ai.usage.audio.output_tokens';
/** Text, the workflow that runs. */
export const ATTR_GEN_AI_WORKFLOW_NAME = 'gen_ai.workflow.name';
/** Text, the managed prompt that was used. */
export const ATTR_GEN_AI_PROMPT_NAME = 'gen_ai.prompt.name';
/** Text, which version of the managed prompt. */
export const ATTR_GEN_AI_PROMPT_VERSION = 'gen_ai.prompt.version';
/** What the keys of values put into a prompt template begin with. */
export const PREFIX_GEN_AI_PROMPT_VARIABLE = 'gen_ai.prompt.variable.';
/** Text, the agent that acts. */
export const ATTR_GEN_AI_AGENT_NAME = 'gen_ai.agent.name';
/** List of parts, structured or as JSON text. */
export const ATTR_GEN_AI_SYSTEM_INSTRUCTIONS = 'gen_ai.system_instructions';
/** List of messages, structured or as JSON text. */
export const ATTR_GEN_AI_INPUT_MESSAGES = 'gen_ai.input.messages';
/** List of messages, structured or as JSON text. */
export const ATTR_GEN_AI_OUTPUT_MESSAGES = 'gen_ai.output.messages';
/** Text, the tool that runs. */
export const ATTR_GEN_AI_TOOL_NAME = 'gen_ai.tool.name';
/** Text, what it is for. */
export const ATTR_GEN_AI_TOOL_DESCRIPTION = 'gen_ai.tool.description';
/** Text, the call that it answers. */
export const ATTR_GEN_AI_TOOL_CALL_ID = 'gen_ai.tool.call.id';
/** Anything, structured or as JSON text. */
export const ATTR_GEN_AI_TOOL_CALL_ARGUMENTS = 'gen_ai.tool.call.arguments';
/** Anything, structured or as JSON text. */
export const ATTR_GEN_AI_TOOL_CALL_RESULT = 'gen_ai.tool.call.result';
/** List of definitions, structured or as JSON text. */
export const ATTR_GEN_AI_TOOL_DEFINITIONS = 'gen_ai.tool.definitions';
/** Text, what was looked for. */
export const ATTR_GEN_AI_RETRIEVAL_QUERY_TEXT = 'gen_ai.retrieval.query.text';
/** List of `{id, score}`, structured or as JSON text. */
export const ATTR_GEN_AI_RETRIEVAL_DOCUMENTS = 'gen_ai.retrieval.documents';
/** Integer. */
export const ATTR_GEN_AI_EMBEDDINGS_DIMENSION_COUNT = 'gen_ai.embeddings.dimension.count';

// Of OpenAI alone: https://github.com/open-telemetry/semantic-conventions/blob/main/docs/gen-ai/openai.md
/** Text. */
export const ATTR_OPENAI_REQUEST_SERVICE_TIER = 'openai.request.service_tier';

// Renamed since; old libraries still send them.
/** Renamed to the provider’s name: text. */
export const ATTR_GEN_AI_SYSTEM = 'gen_ai.system';
/** Renamed to input tokens: integer. */
export const ATTR_GEN_AI_USAGE_PROMPT_TOKENS = 'gen_ai.usage.prompt_tokens';
/** Renamed to output tokens: integer. */
export const ATTR_GEN_AI_USAGE_COMPLETION_TOKENS = 'gen_ai.usage.completion_tokens';
/** Replaced by input messages: text, often JSON. */
export const ATTR_GEN_AI_PROMPT = 'gen_ai.prompt';
/** Replaced by output messages: text, often JSON. */
export const ATTR_GEN_AI_COMPLETION = 'gen_ai.completion';
/** Removed: text. */
export const ATTR_GEN_AI_OPENAI_REQUEST_RESPONSE_FORMAT = 'gen_ai.openai.request.response_format';
/** Moved to the seed of any request: integer. */
export const ATTR_GEN_AI_OPENAI_REQUEST_SEED = 'gen_ai.openai.request.seed';
/** Moved to OpenAI’s own names: text. */
export const ATTR_GEN_AI_OPENAI_REQUEST_SERVICE_TIER = 'gen_ai.openai.request.service_tier';

// Never in the conventions, but what libraries of them send.
/** Never a convention: text, the thread of an assistant. */
export const ATTR_GEN_AI_THREAD_ID = 'gen_ai.thread.id';
/** Never a convention: boolean, stream under another name. */
export const ATTR_GEN_AI_REQUEST_IS_STREAM = 'gen_ai.request.is_stream';
/** Never a convention: boolean, stream under another name. */
export const ATTR_GEN_AI_IS_STREAMING = 'gen_ai.is_streaming';
/** Never a convention: text or JSON text. */
export const ATTR_GEN_AI_REQUEST_RESPONSE_FORMAT = 'gen_ai.request.response_format';
/** Never a convention: text. */
export const ATTR_GEN_AI_REQUEST_REASONING_EFFORT = 'gen_ai.request.reasoning_effort';
/** Never a convention: text or JSON text. */
export const ATTR_GEN_AI_REQUEST_TOOL_CHOICE = 'gen_ai.request.tool_choice';
/** Never a convention: text. */
export const ATTR_GEN_AI_REQUEST_SERVICE_TIER = 'gen_ai.request.service_tier';
/** Never a convention: integer. */
export const ATTR_GEN_AI_REQUEST_EMBEDDING_DIMENSION = 'gen_ai.request.embedding_dimension';
/** Never a convention: number, what the call cost in US dollars. */
export const ATTR_GEN_AI_USAGE_COST = 'gen_ai.usage.cost';
/** Never a convention: integer. */
export const ATTR_GEN_AI_USAGE_TOTAL_TOKENS = 'gen_ai.usage.total_tokens';
/** Never a convention: cache creation under another name. */
export const ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS = 'gen_ai.usage.cache_write.input_tokens';
/** Never a convention: cache read under another name. */
export const ATTR_GEN_AI_USAGE_FLAT_CACHE_READ_INPUT_TOKENS = 'gen_ai.usage.cache_read_input_tokens';
/** Never a convention: cache creation under another name. */
export const ATTR_GEN_AI_USAGE_FLAT_CACHE_CREATION_INPUT_TOKENS = 'gen_ai.usage.cache_creation_input_tokens';
/** Never a convention: cache creation under another name. */
export const ATTR_GEN_AI_USAGE_FLAT_CACHE_WRITE_INPUT_TOKENS = 'gen_ai.usage.cache_write_input_tokens';
/** Never a convention: reasoning tokens under another name. */
export const ATTR_GEN_AI_USAGE_REASONING_TOKENS = 'gen_ai.usage.reasoning_tokens';
/** Never a convention: JSON text, the definition of the tool that runs. */
export const ATTR_GEN_AI_TOOL_JSON_SCHEMA = 'gen_ai.tool.json_schema';

// Events: https://github.com/open-telemetry/semantic-conventions/blob/main/docs/gen-ai/gen-ai-events.md
/** An event with the attributes that a span can have, messages among them. */
export const EVENT_GEN_AI_CLIENT_INFERENCE_OPERATION_DETAILS = 'gen_ai.client.inference.operation.details';
/** An event for a message of the prompt. */
export const EVENT_GEN_AI_SYSTEM_MESSAGE = 'gen_ai.system.message';
/** An event for a message of the prompt. */
export const EVENT_GEN_AI_USER_MESSAGE = 'gen_ai.user.message';
/** An event for a message of the prompt. */
export const EVENT_GEN_AI_ASSISTANT_MESSAGE = 'gen_ai.assistant.message';
/** An event for the answer of a tool in the prompt. */
export const EVENT_GEN_AI_TOOL_MESSAGE = 'gen_ai.tool.message';
/** An event for the answer of a tool, as old OpenLIT names it. */
export const EVENT_GEN_AI_TOOLS_MESSAGE = 'gen_ai.tools.message';
/** An event for one answer. */
export const EVENT_GEN_AI_CHOICE = 'gen_ai.choice';
/** An event for the whole prompt. */
export const EVENT_GEN_AI_CONTENT_PROMPT = 'gen_ai.content.prompt';
/** An event for all answers. */
export const EVENT_GEN_AI_CONTENT_COMPLETION = 'gen_ai.content.completion';

/** An event for what an evaluator found. */
export const EVENT_GEN_AI_EVALUATION_RESULT = 'gen_ai.evaluation.result';

/** Of an event: text, what was evaluated. */
export const ATTR_GEN_AI_EVALUATION_NAME = 'gen_ai.evaluation.name';
/** Of an event: number. */
export const ATTR_GEN_AI_EVALUATION_SCORE_VALUE = 'gen_ai.evaluation.score.value';
/** Of an event: text, what the score means. */
export const ATTR_GEN_AI_EVALUATION_SCORE_LABEL = 'gen_ai.evaluation.score.label';
/** Of an event: text, why. */
export const ATTR_GEN_AI_EVALUATION_EXPLANATION = 'gen_ai.evaluation.explanation';
/** Of an event: its whole body as JSON text, where a library turned a log event into a span event. */
export const ATTR_GEN_AI_EVENT_CONTENT = 'gen_ai.event.content';

/**
 * Google's own, of the span of a function that a model called: `<name>.type` and `<name>.value` of each parameter. Newer
 * versions have the same names inside of `gen_ai.tool.call.arguments`.
 */
export const PREFIX_CODE_FUNCTION_PARAMETERS = 'code.function.parameters.';
/** Google's own: what the function gave. */
export const ATTR_CODE_FUNCTION_RETURN_VALUE = 'code.function.return.value';
