/**
 * Mastra: the GenAI conventions for calls of models and tools, names of its own for agents, workflows and their steps.
 * @see https://github.com/mastra-ai/mastra/tree/main/observability/otel-exporter
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import type { SpanKind } from '#domain/span';
import * as genAi from '#semconv/gen-ai';
import * as mastra from '#semconv/mastra';
import * as openinference from '#semconv/openinference';
import { fillValue, INPUT, OUTPUT } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { fillMessages, fillToolRun } from '../gen-ai/content.ts';
import { joinInstructions, NO_MESSAGES, readMessages, readSystemInstructions } from '../gen-ai/messages.ts';
import { readJsonContainer } from '../json-value.ts';
import { fillMetadata, fillTags } from '../metadata.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'mastra';

export function speaks({ attributes }: SpanEvidence): boolean {
  return attributes.hasRoot('mastra') && attributes.getText(mastra.ATTR_SPAN_TYPE) !== undefined;
}

export function translate({ attributes }: SpanEvidence): void {
  const spanType = (attributes.getText(mastra.ATTR_SPAN_TYPE) ?? '').toLowerCase();
  attributes.fill(openinference.ATTR_SPAN_KIND, readKind(attributes, spanType));
  fillMetadata(attributes, readMetadata(attributes));
  attributes.fill(openinference.ATTR_SESSION_ID, attributes.getText(mastra.ATTR_THREAD_ID));
  fillTags(attributes, readJsonContainer(attributes.getText(mastra.ATTR_TAGS) ?? ''));
  const given = attributes.get(mastra.inputKey(spanType)) ?? attributes.get(mastra.ATTR_INPUT);
  const said = readAnswer(attributes.get(mastra.outputKey(spanType)) ?? attributes.get(mastra.ATTR_OUTPUT));
  const kind = attributes.get(openinference.ATTR_SPAN_KIND);
  // Calls have what they say in the names of the conventions.
  if (kind === 'LLM') return;
  if (kind === 'TOOL') {
    fillToolRun(attributes, attributes.get(mastra.ATTR_TOOL_INPUT), attributes.get(mastra.ATTR_TOOL_OUTPUT));
    return;
  }
  if (kind === 'AGENT') fillConversation(attributes, given, said);
  fillValue(attributes, INPUT, given);
  fillValue(attributes, OUTPUT, said.text ?? said.whole);
}

/** The loop around a call has the type that the call has in versions that do not tell them apart. */
function readKind(attributes: FlatAttributes, spanType: string): SpanKind {
  const operation = attributes.getText(genAi.ATTR_GEN_AI_OPERATION_NAME);
  if (operation === 'chat' || operation === 'tool_selection') return 'LLM';
  return KINDS.get(spanType) ?? 'CHAIN';
}

const KINDS: ReadonlyMap<string, SpanKind> = new Map<string, SpanKind>([
  ['agent_run', 'AGENT'],
  ['tool_call', 'TOOL'],
  ['mcp_tool_call', 'TOOL'],
  ['client_tool_call', 'TOOL'],
  ['provider_tool_call', 'TOOL'],
  ['rag_embedding', 'EMBEDDING'],
  ['scorer_run', 'EVALUATOR'],
  ['classifier_evaluation', 'EVALUATOR'],
]);

function readMetadata(attributes: FlatAttributes): JsonObject {
  const data = jsonObject();
  for (const [key, value] of attributes.entries()) {
    if (!key.startsWith(mastra.PREFIX_METADATA)) continue;
    data[key.slice(mastra.PREFIX_METADATA.length)] =
      (typeof value === 'string' ? readJsonContainer(value) : undefined) ?? value;
  }
  return data;
}

/** What came out, and the text of it where that is what somebody said. */
interface Answer {
  readonly whole: JsonValue | undefined;
  readonly text: string | undefined;
}

function readAnswer(whole: JsonValue | undefined): Answer {
  const read = typeof whole === 'string' ? readJsonContainer(whole) : whole;
  const text = isJsonObject(read) ? read['text'] : undefined;
  return { whole, text: typeof text === 'string' && text !== '' ? text : undefined };
}

function fillConversation(attributes: FlatAttributes, given: JsonValue | undefined, { text }: Answer): void {
  const instructions = readSystemInstructions(attributes.get(genAi.ATTR_GEN_AI_SYSTEM_INSTRUCTIONS));
  const input = given === undefined ? NO_MESSAGES : joinInstructions(instructions, readMessages(given, 'user'));
  fillMessages(attributes, input, readMessages(text, 'assistant'));
}

export const docs: DialectDocs = {
  title: 'Mastra',
  checkedVersion: '@mastra/otel-exporter 0.3.3 to 1.4.0, from their sources, without a recording',
  mappings: [
    {
      from: 'mastra.span.type',
      to: 'openinference.span.kind',
      note: 'agent_run is AGENT, calls of tools are TOOL, rag_embedding is EMBEDDING, scorer_run and classifier_evaluation are EVALUATOR, any other is CHAIN. The span with the operation chat (or tool_selection) is LLM: model_inference, or model_generation in versions without it.',
    },
    { from: 'mastra.*.input', to: 'input.value, llm.input_messages', note: 'Messages on agents. input in version 0.' },
    {
      from: 'mastra.*.output',
      to: 'output.value, llm.output_messages',
      note: 'The text of an answer, or the whole output. Messages on agents. output in version 0.',
    },
    {
      from: 'gen_ai.tool.input, gen_ai.tool.output',
      to: 'tool.parameters, input.value, output.value',
      note: 'Version 0.',
    },
    { from: 'mastra.metadata.*', to: 'metadata, session.id, user.id', note: 'sessionId or threadId, userId.' },
    { from: 'threadId', to: 'session.id', note: 'Version 0.' },
    { from: 'mastra.tags', to: 'tag.tags' },
  ],
  notCovered: [
    'The exporter keeps only the text of an answer with calls of tools; the calls are on the spans of the tools.',
    'The names of an agent’s tools (gen_ai.tool.definitions) have no definitions and are not translated.',
    'mastra.completion_start_time and the details of steps (mastra.*.status and the like) keep their own names.',
  ],
};
