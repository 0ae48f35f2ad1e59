/**
 * Langfuse's own attributes, of its SDKs for Python (3 and later) and JavaScript (4 and later).
 * @see https://langfuse.com/integrations/native/opentelemetry#property-mapping
 */

/** Text: `generation`, `tool`, `span`, … */
export const ATTR_LANGFUSE_OBSERVATION_TYPE = 'langfuse.observation.type';
/** Text or JSON text, what went in. */
export const ATTR_LANGFUSE_OBSERVATION_INPUT = 'langfuse.observation.input';
/** Text or JSON text, what came out. */
export const ATTR_LANGFUSE_OBSERVATION_OUTPUT = 'langfuse.observation.output';
/** Text, the model that answered where it is known. */
export const ATTR_LANGFUSE_OBSERVATION_MODEL_NAME = 'langfuse.observation.model.name';
/** JSON text. */
export const ATTR_LANGFUSE_OBSERVATION_MODEL_PARAMETERS = 'langfuse.observation.model.parameters';
/** JSON text, counts of tokens by names that are the producer's. */
export const ATTR_LANGFUSE_OBSERVATION_USAGE_DETAILS = 'langfuse.observation.usage_details';
/** JSON text, US dollars by the names of the counts. */
export const ATTR_LANGFUSE_OBSERVATION_COST_DETAILS = 'langfuse.observation.cost_details';
/** Text, the prompt of Langfuse's library. */
export const ATTR_LANGFUSE_OBSERVATION_PROMPT_NAME = 'langfuse.observation.prompt.name';
/** Integer, the version of the prompt. */
export const ATTR_LANGFUSE_OBSERVATION_PROMPT_VERSION = 'langfuse.observation.prompt.version';
/** JSON text, or the beginning of the keys of its fields. */
export const ATTR_LANGFUSE_OBSERVATION_METADATA = 'langfuse.observation.metadata';
/** JSON text, or the beginning of the keys of its fields. */
export const ATTR_LANGFUSE_TRACE_METADATA = 'langfuse.trace.metadata';
/** List of texts. */
export const ATTR_LANGFUSE_TRACE_TAGS = 'langfuse.trace.tags';
/** Text, also sent as OpenInference has it. */
export const ATTR_LANGFUSE_SESSION_ID = 'langfuse.session.id';
/** Text, also sent as OpenInference has it. */
export const ATTR_LANGFUSE_USER_ID = 'langfuse.user.id';
