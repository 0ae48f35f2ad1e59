/**
 * MLflow's tracing. Each value is JSON in a text, texts too.
 * @see https://mlflow.org/docs/latest/genai/concepts/span/
 */

/** Text: `LLM`, `CHAT_MODEL`, `TOOL`, … */
export const ATTR_MLFLOW_SPAN_TYPE = 'mlflow.spanType';
/** Anything, what went in. */
export const ATTR_MLFLOW_SPAN_INPUTS = 'mlflow.spanInputs';
/** Anything, what came out. */
export const ATTR_MLFLOW_SPAN_OUTPUTS = 'mlflow.spanOutputs';
/** Object, counts of tokens. */
export const ATTR_MLFLOW_CHAT_TOKEN_USAGE = 'mlflow.chat.tokenUsage';
/** List of definitions. */
export const ATTR_MLFLOW_CHAT_TOOLS = 'mlflow.chat.tools';
/** List of messages, up to major 2. */
export const ATTR_MLFLOW_CHAT_MESSAGES = 'mlflow.chat.messages';
/** Text. */
export const ATTR_MLFLOW_LLM_MODEL = 'mlflow.llm.model';
/** Text. */
export const ATTR_MLFLOW_LLM_PROVIDER = 'mlflow.llm.provider';
/** Object, US dollars. */
export const ATTR_MLFLOW_LLM_COST = 'mlflow.llm.cost';
/** Text, the end user. */
export const ATTR_MLFLOW_TRACE_USER = 'mlflow.trace.user';
/** Text, the conversation. */
export const ATTR_MLFLOW_TRACE_SESSION = 'mlflow.trace.session';
