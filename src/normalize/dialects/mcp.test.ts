import { describe, expect, it } from 'vitest';
import { flatAttributes, readSpan } from '../../../test/support/dialect-span.ts';

describe('the Model Context Protocol', () => {
  it.each([
    ['tools/call get_weather', { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'get_weather' }],
    ['MCP send tools/call get_weather', {}],
    ['tools/call get_weather', {}],
  ])('runs a tool: %s', (name, attributes) => {
    const span = readSpan({ name, attributes: { 'mcp.method.name': 'tools/call', ...attributes } });
    expect(span.kind).toBe('TOOL');
    expect(flatAttributes(span)['tool.name']).toBe('get_weather');
  });

  it('names no tool where nothing does', () => {
    const span = readSpan({ name: 'POST', attributes: { 'mcp.method.name': 'tools/call' } });
    expect(span.kind).toBe('TOOL');
    expect(flatAttributes(span)).not.toHaveProperty('tool.name');
  });

  it.each([
    ['prompts/get', 'PROMPT'],
    ['initialize', 'UNKNOWN'],
    ['tools/list', 'UNKNOWN'],
  ])('%s is %s', (method, kind) => {
    expect(readSpan({ name: method, attributes: { 'mcp.method.name': method } }).kind).toBe(kind);
  });

  it('reads a resource', () => {
    const attributes = { 'mcp.method.name': 'resources/read', 'mcp.resource.uri': 'file:///a' };
    expect(readSpan({ attributes }).input?.value).toBe('file:///a');
  });

  it('has connections, which are no conversations', () => {
    const attributes = { 'mcp.method.name': 'tools/list', 'mcp.session.id': 's' };
    expect(readSpan({ attributes }).sessionId).toBeNull();
  });
});
