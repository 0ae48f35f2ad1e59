/**
 * Anthropic's own spans, of its client libraries and of its service.
 * @see https://platform.claude.com/docs/en/api/opentelemetry/spans
 */
/** What the scopes of its libraries begin with. */
export const SCOPE_ANTHROPIC_SDK = 'com.anthropic.sdk';
/** What the scopes of its service begin with. */
export const SCOPE_ANTHROPIC_PLATFORM = 'com.anthropic.claude-platform';
/** Text, why the model stopped. */
export const ATTR_STOP_REASON = 'anthropic.message.stop_reason';
/** JSON text, the content blocks that a tool gave. */
export const ATTR_TOOL_RESULT_CONTENT = 'anthropic.tool_result.content';
/** Text: `enabled`, … */
export const ATTR_THINKING_TYPE = 'anthropic.thinking.type';
/** Integer. */
export const ATTR_THINKING_BUDGET_TOKENS = 'anthropic.thinking.budget_tokens';
