/**
 * Claude Code and the Claude Agent SDK, which runs it: spans, span events and log records of the command line tool.
 * @see https://code.claude.com/docs/en/monitoring-usage
 */
/** The scope of its spans. */
export const SCOPE_CLAUDE_CODE = 'com.anthropic.claude_code.tracing';
/** The scope of its log records. */
export const SCOPE_CLAUDE_CODE_EVENTS = 'com.anthropic.claude_code.events';
/** What the names of its spans and log records begin with. */
export const PREFIX_CLAUDE_CODE = 'claude_code.';

/** Text: `interaction`, `llm_request`, `tool`, `tool.execution`, `tool.blocked_on_user`, `hook`. */
export const ATTR_SPAN_TYPE = 'span.type';
/** Text, on the spans of calls and on log records: the provider's id of the call. */
export const ATTR_REQUEST_ID = 'request_id';
/** Text, what the user said. */
export const ATTR_USER_PROMPT = 'user_prompt';
/** Text under headings, what is new in the prompt of a call. */
export const ATTR_NEW_CONTEXT = 'new_context';
/** Text, what the program told the model to be. */
export const ATTR_USER_SYSTEM_PROMPT = 'user_system_prompt';
/** JSON text, a list of the tools that a call may use: their names, and hashes of their definitions. */
export const ATTR_TOOLS = 'tools';
/** Text, what the model said. */
export const ATTR_RESPONSE_MODEL_OUTPUT = 'response.model_output';
/** Integer, what came neither from a cache nor went into one. */
export const ATTR_INPUT_TOKENS = 'input_tokens';
/** Integer. */
export const ATTR_OUTPUT_TOKENS = 'output_tokens';
/** Integer, beside the input. */
export const ATTR_CACHE_READ_TOKENS = 'cache_read_tokens';
/** Integer, beside the input. */
export const ATTR_CACHE_CREATION_TOKENS = 'cache_creation_tokens';
/** Text, the tool with its server's name before it. */
export const ATTR_TOOL_NAME = 'tool_name';
/** JSON text, what a tool was given, with a heading before it in detailed tracing. */
export const ATTR_TOOL_INPUT = 'tool_input';
/** Text, the command of a shell tool. */
export const ATTR_FULL_COMMAND = 'full_command';
/** Text, the file of a tool that reads or writes one. */
export const ATTR_FILE_PATH = 'file_path';

/** A span event: what a tool was given and what it gave. */
export const EVENT_TOOL_OUTPUT = 'tool.output';
/** A log record: what the model said, as `response`. */
export const EVENT_ASSISTANT_RESPONSE = 'assistant_response';
/** A log record: model, tokens and cost of a call. */
export const EVENT_API_REQUEST = 'api_request';
/** A log record or span event: the whole request as JSON, as `body`. */
export const EVENT_API_REQUEST_BODY = 'api_request_body';
/** A log record or span event: the whole answer as JSON, as `body`. */
export const EVENT_API_RESPONSE_BODY = 'api_response_body';
/** A log record: what a tool was given, as `tool_input`. */
export const EVENT_TOOL_RESULT = 'tool_result';

/** What log records call the source of a request that names the session, which the turn did not make. */
export const SOURCE_SESSION_TITLE = 'generate_session_title';
/** What log records call every tool of every MCP server. */
export const ANY_MCP_TOOL = 'mcp_tool';
/** What stands for a content that was not to be sent. */
export const REDACTED = '<REDACTED>';
