/**
 * The Vercel AI SDK's own attributes: majors 3.3 to 6, and what 7 sends beside the GenAI conventions.
 * @see https://ai-sdk.dev/docs/ai-sdk-core/telemetry#collected-data
 */

/** The scope of major 7 (`@ai-sdk/otel`). */
export const SCOPE_GEN_AI = 'gen_ai';

/** Text, what is done: `ai.generateText`, `ai.generateText.doGenerate`, … */
export const ATTR_AI_OPERATION_ID = 'ai.operationId';
/** Text, the operation and the function's id. */
export const ATTR_OPERATION_NAME = 'operation.name';
/** Text, such as `openai.chat`. */
export const ATTR_AI_MODEL_PROVIDER = 'ai.model.provider';
/** Text, the model asked for. */
export const ATTR_AI_MODEL_ID = 'ai.model.id';
/** JSON text, `{system, prompt, messages}`. */
export const ATTR_AI_PROMPT = 'ai.prompt';
/** JSON text, a list of messages. */
export const ATTR_AI_PROMPT_MESSAGES = 'ai.prompt.messages';
/** List of JSON texts. */
export const ATTR_AI_PROMPT_TOOLS = 'ai.prompt.tools';
/** JSON text. */
export const ATTR_AI_PROMPT_TOOL_CHOICE = 'ai.prompt.toolChoice';
/** Text. */
export const ATTR_AI_RESPONSE_TEXT = 'ai.response.text';
/** Text. */
export const ATTR_AI_RESPONSE_REASONING = 'ai.response.reasoning';
/** JSON text, a list of calls. */
export const ATTR_AI_RESPONSE_TOOL_CALLS = 'ai.response.toolCalls';
/** JSON text. */
export const ATTR_AI_RESPONSE_OBJECT = 'ai.response.object';
/** JSON text, a list of files. */
export const ATTR_AI_RESPONSE_FILES = 'ai.response.files';
/** Text. */
export const ATTR_AI_RESPONSE_FINISH_REASON = 'ai.response.finishReason';
/** Text, the model that answered. */
export const ATTR_AI_RESPONSE_MODEL = 'ai.response.model';
/** JSON text, what only this provider says, by its name. */
export const ATTR_AI_RESPONSE_PROVIDER_METADATA = 'ai.response.providerMetadata';
/** Text, the tool. */
export const ATTR_AI_TOOL_CALL_NAME = 'ai.toolCall.name';
/** Text. */
export const ATTR_AI_TOOL_CALL_ID = 'ai.toolCall.id';
/** JSON text. */
export const ATTR_AI_TOOL_CALL_ARGS = 'ai.toolCall.args';
/** JSON text. */
export const ATTR_AI_TOOL_CALL_RESULT = 'ai.toolCall.result';
/** JSON text, what one embedding is made of. */
export const ATTR_AI_VALUE = 'ai.value';
/** List of JSON texts. */
export const ATTR_AI_VALUES = 'ai.values';
/** JSON text, one vector. */
export const ATTR_AI_EMBEDDING = 'ai.embedding';
/** List of JSON texts. */
export const ATTR_AI_EMBEDDINGS = 'ai.embeddings';
/** List of JSON texts, what is to be ranked. */
export const ATTR_AI_DOCUMENTS = 'ai.documents';
/** List of JSON texts, `{originalIndex, score}`. */
export const ATTR_AI_RANKING = 'ai.ranking';

/** Counts of tokens. */
export const PREFIX_AI_USAGE = 'ai.usage.';
/** Parameters of the call. */
export const PREFIX_AI_SETTINGS = 'ai.settings.';
/** The program's own data, up to major 6. */
export const PREFIX_AI_TELEMETRY_METADATA = 'ai.telemetry.metadata.';
/** The program's own data, in major 7. */
export const PREFIX_AI_SETTINGS_CONTEXT = 'ai.settings.context.';

// Up to major 3.4.
/** Renamed to the response's text. */
export const ATTR_AI_RESULT_TEXT = 'ai.result.text';
/** Renamed to the response's calls. */
export const ATTR_AI_RESULT_TOOL_CALLS = 'ai.result.toolCalls';
/** Renamed to the response's object. */
export const ATTR_AI_RESULT_OBJECT = 'ai.result.object';
/** Renamed to the response's finish reason. */
export const ATTR_AI_FINISH_REASON = 'ai.finishReason';
