import { describe, expect, it } from 'vitest';
import { flatAttributes, readSpan } from '../../../test/support/dialect-span.ts';

describe('AutoGen', () => {
  it.each([
    ['invoke_agent', 'AGENT'],
    ['create_agent', 'AGENT'],
    ['execute_tool', 'TOOL'],
  ])('%s is %s', (operation, kind) => {
    const attributes = { 'gen_ai.operation.name': operation, 'gen_ai.system': 'autogen', 'gen_ai.tool.name': 'f' };
    const span = readSpan({ scope: 'autogen-core', attributes });
    expect(span).toMatchObject({ kind, provider: null });
    expect(flatAttributes(span)).not.toHaveProperty('llm.system');
  });

  it('takes a message between agents for a step', () => {
    const attributes = { 'messaging.operation': 'process', 'messaging.destination': 'writer.(default)-A' };
    expect(readSpan({ scope: 'autogen SingleThreadedAgentRuntime', attributes }).kind).toBe('CHAIN');
    expect(readSpan({ attributes }).kind).toBe('UNKNOWN');
  });
});
