/**
 * Microsoft Agent Framework: the GenAI conventions, and workflows with names of their own.
 * @see https://github.com/microsoft/agent-framework/blob/main/python/packages/core/agent_framework/observability.py
 */
import * as agentFramework from '#semconv/agent-framework';
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'agent-framework';

export function speaks({ scope }: SpanEvidence): boolean {
  return (
    scope.name.startsWith(agentFramework.SCOPE_AGENT_FRAMEWORK) ||
    scope.name.endsWith(agentFramework.SCOPE_AGENT_FRAMEWORK_NET)
  );
}

export function translate({ attributes }: SpanEvidence): void {
  if (attributes.get(genAi.ATTR_GEN_AI_OPERATION_NAME) !== undefined) return;
  if (WORKFLOW_KEYS.some((key) => attributes.get(key) !== undefined)) {
    attributes.fill(openinference.ATTR_SPAN_KIND, 'CHAIN');
  }
  attributes.fill(openinference.ATTR_GRAPH_NODE_ID, attributes.getText(agentFramework.ATTR_EXECUTOR_ID));
}

const WORKFLOW_KEYS: readonly string[] = [
  agentFramework.ATTR_WORKFLOW_ID,
  agentFramework.ATTR_EXECUTOR_ID,
  agentFramework.ATTR_EDGE_GROUP_TYPE,
  agentFramework.ATTR_MESSAGE_TYPE,
];

export const docs: DialectDocs = {
  title: 'Microsoft Agent Framework',
  checkedVersion: 'agent-framework-core 1.23.0 (Python)',
  mappings: [
    {
      from: 'workflow.id, executor.id, edge_group.type, message.type',
      to: 'openinference.span.kind',
      note: 'CHAIN: a workflow, its steps, and the messages between them.',
    },
    { from: 'executor.id', to: 'graph.node.id' },
  ],
  notCovered: ['The definition of a workflow (workflow.definition) is not translated.'],
};
