/**
 * Strands Agents: the GenAI conventions, in the first versions with names for the spans in the place of operations.
 * @see https://github.com/strands-agents/sdk-python/blob/main/src/strands/telemetry/tracer.py
 */
import type { SpanEvent, SpanKind } from '#domain/span';
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import * as strands from '#semconv/strands';
import { fillDocuments, fillValue, INPUT, OUTPUT } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { lastContent } from '../gen-ai/carriers.ts';
import { fillToolRun } from '../gen-ai/content.ts';
import { readJsonItems } from '../json-value.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'strands';

export function speaks({ scope, attributes }: SpanEvidence): boolean {
  if (scope.name.startsWith(strands.SCOPE_STRANDS)) return true;
  const provider = attributes.get(genAi.ATTR_GEN_AI_PROVIDER_NAME) ?? attributes.get(genAi.ATTR_GEN_AI_SYSTEM);
  return provider === strands.PROVIDER_STRANDS;
}

export function translate({ name: spanName, attributes, events }: SpanEvidence): void {
  const operation = attributes.get(genAi.ATTR_GEN_AI_OPERATION_NAME);
  if (operation !== undefined) {
    if (typeof operation === 'string' && operation.startsWith(strands.PREFIX_MEMORY)) {
      fillMemory(attributes, events, operation);
    }
    return;
  }
  attributes.fill(openinference.ATTR_SPAN_KIND, readFirstKind(spanName, attributes));
  if (attributes.get(openinference.ATTR_SPAN_KIND) === 'TOOL') {
    fillToolRun(
      attributes,
      attributes.get(openinference.ATTR_TOOL_PARAMETERS),
      attributes.get(strands.ATTR_TOOL_RESULT),
    );
  }
}

/** What an agent looked up in its memory, or kept there. */
function fillMemory(attributes: FlatAttributes, events: readonly SpanEvent[], operation: string): void {
  const isSearch = operation === strands.OPERATION_MEMORY_SEARCH;
  attributes.fill(openinference.ATTR_SPAN_KIND, isSearch ? 'RETRIEVER' : 'CHAIN');
  const own = attributes.getText(strands.ATTR_CONTENT);
  if (!isSearch) {
    fillValue(attributes, INPUT, lastContent(events, strands.EVENT_MEMORY_CONTENT) ?? own);
    return;
  }
  const results = lastContent(events, strands.EVENT_MEMORY_RESULTS) ?? own;
  const read = typeof results === 'string' ? readJsonItems(results) : undefined;
  const found = Array.isArray(read) ? read : undefined;
  // A search that failed has only its query.
  fillValue(
    attributes,
    INPUT,
    lastContent(events, strands.EVENT_MEMORY_QUERY) ?? (found === undefined ? own : undefined),
  );
  if (found === undefined) return;
  fillDocuments(attributes, openinference.ATTR_RETRIEVAL_DOCUMENTS, found);
  fillValue(attributes, OUTPUT, results);
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
    {
      from: 'events memory.query, memory.content, memory.results: content',
      to: 'input.value, output.value, retrieval.documents',
      note: 'memory.search is RETRIEVER, other operations on the memory are CHAIN. On the span as content, if events are switched off: then the query of a search is not sent.',
    },
    { from: 'gen_ai.tool.json_schema', to: 'tool.json_schema' },
  ],
  notCovered: [
    'gen_ai.agent.tools are names without definitions and are not translated; gen_ai.tool.json_schema is on the span of the tool.',
    'Strands names itself as the provider; the actual provider is not sent.',
  ],
};
