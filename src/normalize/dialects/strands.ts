/**
 * Strands Agents: the GenAI conventions, in the first versions with names for the spans in the place of operations.
 * @see https://github.com/strands-agents/sdk-python/blob/main/src/strands/telemetry/tracer.py
 */
import type { SpanKind } from '#domain/span';
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import * as strands from '#semconv/strands';
import type { FlatAttributes } from '../flat-attributes.ts';
import { fillToolRun } from '../gen-ai/content.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'strands';

export function speaks({ scope, attributes }: SpanEvidence): boolean {
  if (scope.name.startsWith(strands.SCOPE_STRANDS)) return true;
  const provider = attributes.get(genAi.ATTR_GEN_AI_PROVIDER_NAME) ?? attributes.get(genAi.ATTR_GEN_AI_SYSTEM);
  return provider === strands.PROVIDER_STRANDS;
}

export function translate({ name: spanName, attributes }: SpanEvidence): void {
  if (attributes.get(genAi.ATTR_GEN_AI_OPERATION_NAME) !== undefined) return;
  attributes.fill(openinference.ATTR_SPAN_KIND, readFirstKind(spanName, attributes));
  if (attributes.get(openinference.ATTR_SPAN_KIND) === 'TOOL') {
    fillToolRun(
      attributes,
      attributes.get(openinference.ATTR_TOOL_PARAMETERS),
      attributes.get(strands.ATTR_TOOL_RESULT),
    );
  }
}

/** The kind in versions that named no operation. */
function readFirstKind(spanName: string, attributes: FlatAttributes): SpanKind | undefined {
  if (attributes.get(openinference.ATTR_TOOL_NAME) !== undefined) return 'TOOL';
  if (attributes.get(strands.ATTR_CYCLE_ID) !== undefined) return 'CHAIN';
  if (spanName === MODEL_SPAN) return 'LLM';
  return attributes.get(genAi.ATTR_GEN_AI_AGENT_NAME) === undefined ? undefined : 'AGENT';
}

const MODEL_SPAN = 'Model invoke';

export const docs: DialectDocs = {
  title: 'Strands Agents',
  checkedVersion: 'strands-agents 1.62.0',
  mappings: [
    {
      from: 'gen_ai.operation.name',
      to: 'openinference.span.kind',
      note: 'execute_event_loop_cycle, one step of an agent, is CHAIN. The first versions named no operations: the span name, event_loop.cycle_id and tool.name decide.',
    },
    { from: 'event gen_ai.choice: message, tool.result', to: 'llm.output_messages' },
    { from: 'tool.result', to: 'output.value', note: 'In the first versions, on the span of a tool.' },
    { from: 'gen_ai.tool.json_schema', to: 'tool.json_schema' },
  ],
  notCovered: [
    'gen_ai.agent.tools are names without definitions and are not translated; gen_ai.tool.json_schema is on the span of the tool.',
    'Strands names itself as the provider; the actual provider is not sent.',
  ],
};
