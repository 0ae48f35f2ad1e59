/**
 * Microsoft Agent Framework: the names beside those of the GenAI conventions.
 * @see https://github.com/microsoft/agent-framework/blob/main/python/packages/core/agent_framework/observability.py
 */
/** What the scopes of its spans begin with, in Python. */
export const SCOPE_AGENT_FRAMEWORK = 'agent_framework';
/** What the scopes of its spans end with, in .NET. */
export const SCOPE_AGENT_FRAMEWORK_NET = 'Microsoft.Agents.AI';
/** Text, the workflow that is built or runs. */
export const ATTR_WORKFLOW_ID = 'workflow.id';
/** Text, the step of a workflow. */
export const ATTR_EXECUTOR_ID = 'executor.id';
/** Text, the way from one step to others. */
export const ATTR_EDGE_GROUP_TYPE = 'edge_group.type';
/** Text, what goes from step to step. */
export const ATTR_MESSAGE_TYPE = 'message.type';
