/**
 * OpenInference: the names in which every span is read, whatever dialect it was sent in.
 * @see https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md
 */

/** Resource: text, the project that the spans belong to. */
export const ATTR_PROJECT_NAME = 'openinference.project.name';

// Every span: https://github.com/Arize-ai/openinference/blob/main/spec/traces.md
/** Text, the kind of step; letter case does not matter. */
export const ATTR_SPAN_KIND = 'openinference.span.kind';
/** Text, all that went in. */
export const ATTR_INPUT_VALUE = 'input.value';
/** Text, the media type of the input. */
export const ATTR_INPUT_MIME_TYPE = 'input.mime_type';
/** Text, all that came out. */
export const ATTR_OUTPUT_VALUE = 'output.value';
/** Text, the media type of the output. */
export const ATTR_OUTPUT_MIME_TYPE = 'output.mime_type';
/** JSON text, free data. */
export const ATTR_METADATA = 'metadata';
/** Text, the conversation. */
export const ATTR_SESSION_ID = 'session.id';
/** Text, the end user. */
export const ATTR_USER_ID = 'user.id';
/** List of texts. */
export const ATTR_TAG_TAGS = 'tag.tags';
/** Text, the agent that acts. */
export const ATTR_AGENT_NAME = 'agent.name';
/** Text, the step in a graph of steps. */
export const ATTR_GRAPH_NODE_ID = 'graph.node.id';
/** List of `{evaluation: {name, score, label, explanation}}`, what evaluators found. */
export const ATTR_EVALUATIONS = 'evaluations';

// Model calls: https://github.com/Arize-ai/openinference/blob/main/spec/llm_spans.md
/** Text, the model that answered where it is known, else the one asked for. */
export const ATTR_LLM_MODEL_NAME = 'llm.model_name';
/** Text, the model asked for. */
export const ATTR_LLM_REQUEST_MODEL_NAME = 'llm.request.model_name';
/** Text, the model that answered. */
export const ATTR_LLM_RESPONSE_MODEL_NAME = 'llm.response.model_name';
/** Text, who hosts the model. */
export const ATTR_LLM_PROVIDER = 'llm.provider';
/** Text, the family of products that the model is of. */
export const ATTR_LLM_SYSTEM = 'llm.system';
/** JSON text, the parameters of the request without its messages. */
export const ATTR_LLM_INVOCATION_PARAMETERS = 'llm.invocation_parameters';
/** Text, why the model stopped. */
export const ATTR_LLM_FINISH_REASON = 'llm.finish_reason';
/** List of `{message}`, the prompt. */
export const ATTR_LLM_INPUT_MESSAGES = 'llm.input_messages';
/** List of `{message}`, the answers. */
export const ATTR_LLM_OUTPUT_MESSAGES = 'llm.output_messages';
/** Of a part of a message: text, what it is. */
export const ATTR_MESSAGE_CONTENT_TYPE = 'message_content.type';
/** List of `{tool: {json_schema}}`, the tools offered. */
export const ATTR_LLM_TOOLS = 'llm.tools';
/** JSON text, the values put into a prompt template. */
export const ATTR_LLM_PROMPT_TEMPLATE_VARIABLES = 'llm.prompt_template.variables';
/** Text, the prompt template. */
export const ATTR_LLM_PROMPT_TEMPLATE_TEMPLATE = 'llm.prompt_template.template';
/** Text, the version of the prompt template. */
export const ATTR_LLM_PROMPT_TEMPLATE_VERSION = 'llm.prompt_template.version';
/** Text, the managed prompt. */
export const ATTR_PROMPT_ID = 'prompt.id';
/** Integer, tokens in, cached ones included. */
export const ATTR_LLM_TOKEN_COUNT_PROMPT = 'llm.token_count.prompt';
/** Integer, tokens out, reasoning included. */
export const ATTR_LLM_TOKEN_COUNT_COMPLETION = 'llm.token_count.completion';
/** Integer, tokens in and out. */
export const ATTR_LLM_TOKEN_COUNT_TOTAL = 'llm.token_count.total';
/** Integer, tokens in that came from a cache. */
export const ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_READ = 'llm.token_count.prompt_details.cache_read';
/** Integer, tokens in that were put into a cache. */
export const ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_WRITE = 'llm.token_count.prompt_details.cache_write';
/** Integer, cached tokens in, in older producers. */
export const ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_INPUT = 'llm.token_count.prompt_details.cache_input';
/** Integer, tokens in that were sound. */
export const ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_AUDIO = 'llm.token_count.prompt_details.audio';
/** Integer, tokens out that were reasoning. */
export const ATTR_LLM_TOKEN_COUNT_COMPLETION_DETAILS_REASONING = 'llm.token_count.completion_details.reasoning';
/** Integer, tokens out that were sound. */
export const ATTR_LLM_TOKEN_COUNT_COMPLETION_DETAILS_AUDIO = 'llm.token_count.completion_details.audio';
/** Number, what the input cost in US dollars. */
export const ATTR_LLM_COST_PROMPT = 'llm.cost.prompt';
/** Number, what the input that was read from a cache cost in US dollars. */
export const ATTR_LLM_COST_PROMPT_DETAILS_CACHE_READ = 'llm.cost.prompt_details.cache_read';
/** Number, what the input that was written to a cache cost in US dollars. */
export const ATTR_LLM_COST_PROMPT_DETAILS_CACHE_WRITE = 'llm.cost.prompt_details.cache_write';
/** Number, what the reasoning cost in US dollars. */
export const ATTR_LLM_COST_COMPLETION_DETAILS_REASONING = 'llm.cost.completion_details.reasoning';
/** Number, what the output cost in US dollars. */
export const ATTR_LLM_COST_COMPLETION = 'llm.cost.completion';
/** Number, what the call cost in US dollars. */
export const ATTR_LLM_COST_TOTAL = 'llm.cost.total';

// Tools: https://github.com/Arize-ai/openinference/blob/main/spec/tool_calling.md
/** Text, the tool. */
export const ATTR_TOOL_NAME = 'tool.name';
/** Text, what the tool is for. */
export const ATTR_TOOL_DESCRIPTION = 'tool.description';
/** JSON text, in practice the arguments of the run, or the schema of them. */
export const ATTR_TOOL_PARAMETERS = 'tool.parameters';
/** Text, the call that the run answers. */
export const ATTR_TOOL_ID = 'tool.id';
/** JSON text, the definition of the tool. */
export const ATTR_TOOL_JSON_SCHEMA = 'tool.json_schema';

// Retrieval, embeddings, reranking: https://github.com/Arize-ai/openinference/blob/main/spec/embedding_spans.md
/** List of `{document: {id, content, score, metadata}}`, what was found. */
export const ATTR_RETRIEVAL_DOCUMENTS = 'retrieval.documents';
/** List of `{embedding: {text, vector}}`. */
export const ATTR_EMBEDDING_EMBEDDINGS = 'embedding.embeddings';
/** Text, the model of an embedding. */
export const ATTR_EMBEDDING_MODEL_NAME = 'embedding.model_name';
/** JSON text, the parameters of the request for embeddings without its texts. */
export const ATTR_EMBEDDING_INVOCATION_PARAMETERS = 'embedding.invocation_parameters';
/** List of `{document}`, what was to be ranked. */
export const ATTR_RERANKER_INPUT_DOCUMENTS = 'reranker.input_documents';
/** List of `{document}`, the best first. */
export const ATTR_RERANKER_OUTPUT_DOCUMENTS = 'reranker.output_documents';
/** Text, what was looked for. */
export const ATTR_RERANKER_QUERY = 'reranker.query';
/** Text, the model of a reranker. */
export const ATTR_RERANKER_MODEL_NAME = 'reranker.model_name';

// Decisions: models that answer typed questions.
/** Text, the model. */
export const ATTR_DECISION_MODEL_NAME = 'decision.model_name';
/** Text, the model asked for. */
export const ATTR_DECISION_REQUEST_MODEL_NAME = 'decision.request.model_name';
/** Text, the model that answered. */
export const ATTR_DECISION_RESPONSE_MODEL_NAME = 'decision.response.model_name';
/** Text, who hosts the model. */
export const ATTR_DECISION_PROVIDER = 'decision.provider';
/** Text, the family of products that the model is of. */
export const ATTR_DECISION_SYSTEM = 'decision.system';
/** Integer, tokens in. */
export const ATTR_DECISION_TOKEN_COUNT_INPUT = 'decision.token_count.input';
/** Integer, tokens out. */
export const ATTR_DECISION_TOKEN_COUNT_OUTPUT = 'decision.token_count.output';

/** The media type of an input or output that is JSON. */
export const MIME_TYPE_JSON = 'application/json';
/** The media type of any other; what is not known reads as this. */
export const MIME_TYPE_TEXT = 'text/plain';
