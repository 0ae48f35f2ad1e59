import { describe, expect, it } from 'vitest';
import { flatAttributes, readSpan } from '../../../test/support/dialect-span.ts';

describe('Agent Framework', () => {
  it.each([
    ['workflow.run', { 'workflow.id': 'w' }],
    ['executor.process', { 'executor.id': 'e', 'executor.type': 'AgentExecutor' }],
    ['edge_group.process', { 'edge_group.type': 'SingleEdgeGroup' }],
    ['message.send', { 'message.type': 'standard' }],
  ])('takes %s for a step', (name, attributes) => {
    expect(readSpan({ name, scope: 'agent_framework', attributes }).kind).toBe('CHAIN');
  });

  it('names the step of a workflow', () => {
    const attributes = { 'executor.id': 'writer' };
    expect(flatAttributes(readSpan({ scope: 'agent_framework', attributes }))['graph.node.id']).toBe('writer');
  });

  it('names itself as the provider of an agent, which is none, and reasons as JSON', () => {
    const span = readSpan({
      scope: 'agent_framework',
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': 'microsoft.agent_framework',
        'gen_ai.response.finish_reasons': '["stop"]',
      },
    });
    expect(span).toMatchObject({ kind: 'AGENT', provider: null });
    expect(flatAttributes(span)).toMatchObject({ 'llm.finish_reason': 'stop' });
    expect(flatAttributes(span)).not.toHaveProperty('llm.system');
  });
});
