/**
 * The Model Context Protocol, on the side of the client and of the server.
 * @see https://github.com/open-telemetry/semantic-conventions/blob/main/docs/gen-ai/mcp.md
 */
import * as genAi from '#semconv/gen-ai';
import * as mcp from '#semconv/mcp';
import * as openinference from '#semconv/openinference';
import { fillValue, INPUT } from '../fill.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'mcp';

export function speaks({ attributes }: SpanEvidence): boolean {
  return attributes.hasRoot('mcp') && attributes.getText(mcp.ATTR_MCP_METHOD_NAME) !== undefined;
}

export function translate({ name: spanName, attributes }: SpanEvidence): void {
  switch (attributes.get(mcp.ATTR_MCP_METHOD_NAME)) {
    case mcp.METHOD_TOOLS_CALL:
      attributes.fill(openinference.ATTR_SPAN_KIND, 'TOOL');
      attributes.fill(
        openinference.ATTR_TOOL_NAME,
        attributes.getText(genAi.ATTR_GEN_AI_TOOL_NAME) ?? targetOf(spanName),
      );
      break;
    case mcp.METHOD_PROMPTS_GET:
      attributes.fill(openinference.ATTR_SPAN_KIND, 'PROMPT');
      break;
    case mcp.METHOD_RESOURCES_READ:
      fillValue(attributes, INPUT, attributes.getText(mcp.ATTR_MCP_RESOURCE_URI));
      break;
    default:
  }
}

/** The conventions name the span by the method and its target; libraries put words of their own before. */
function targetOf(spanName: string): string | undefined {
  const [, target] = TOOLS_CALL.exec(spanName) ?? [];
  return target;
}

const TOOLS_CALL = /(?:^|\s)tools\/call (\S.{0,255})$/;

export const docs: DialectDocs = {
  title: 'Model Context Protocol',
  checkedVersion: 'semantic conventions 1.41, mcp 2.3.0 (Python)',
  mappings: [
    {
      from: 'mcp.method.name',
      to: 'openinference.span.kind',
      note: 'tools/call is TOOL, prompts/get PROMPT; other operations of the protocol have no kind.',
    },
    { from: 'gen_ai.tool.name, or the span name after tools/call', to: 'tool.name' },
    { from: 'mcp.resource.uri', to: 'input.value', note: 'For resources/read.' },
  ],
  notCovered: ['mcp.session.id is a connection, not a conversation, and is not translated.'],
};
