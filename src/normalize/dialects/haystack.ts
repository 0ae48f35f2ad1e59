/**
 * Haystack's own tracing. Content is there where HAYSTACK_CONTENT_TRACING_ENABLED is set.
 * @see https://docs.haystack.deepset.ai/docs/tracing
 */
import { isJsonObject, type JsonValue } from '#base/json';
import type { SpanKind } from '#domain/span';
import * as haystack from '#semconv/haystack';
import * as openinference from '#semconv/openinference';
import { fillDocuments, fillValue, INPUT, OUTPUT } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { fillToolRun } from '../gen-ai/content.ts';
import { fillCall, readRequest, readSaid } from '../messages/fill-call.ts';
import { readResponseBody } from '../messages/response-body.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'haystack';

export function speaks({ attributes }: SpanEvidence): boolean {
  return attributes.hasRoot('haystack');
}

export function translate({ attributes, name: spanName }: SpanEvidence): void {
  attributes.fill(openinference.ATTR_SPAN_KIND, readKind(attributes, spanName));
  const input = firstOf(attributes, INPUT_KEYS);
  const output = firstOf(attributes, OUTPUT_KEYS);
  const given = readSaid(input);
  const gave = readSaid(output);
  switch (attributes.get(openinference.ATTR_SPAN_KIND)) {
    case 'LLM':
      fillCall(attributes, readRequest(given), readResponseBody(gave));
      break;
    case 'TOOL':
      attributes.fill(openinference.ATTR_TOOL_NAME, attributes.get(haystack.ATTR_HAYSTACK_TOOL_NAME));
      attributes.fill(openinference.ATTR_TOOL_DESCRIPTION, attributes.get(haystack.ATTR_HAYSTACK_TOOL_DESCRIPTION));
      attributes.fill(openinference.ATTR_TOOL_ID, attributes.get(haystack.ATTR_HAYSTACK_TOOL_CALL_ID));
      fillToolRun(attributes, input, output);
      break;
    case 'RETRIEVER':
      fillDocuments(attributes, openinference.ATTR_RETRIEVAL_DOCUMENTS, documentsOf(gave));
      break;
    case 'RERANKER':
      fillDocuments(attributes, openinference.ATTR_RERANKER_INPUT_DOCUMENTS, documentsOf(given));
      fillDocuments(attributes, openinference.ATTR_RERANKER_OUTPUT_DOCUMENTS, documentsOf(gave));
      break;
    case 'EMBEDDING':
      fillEmbedder(attributes, gave);
      break;
    default:
  }
  fillValue(attributes, INPUT, input, given);
  fillValue(attributes, OUTPUT, output, gave);
}

function readKind(attributes: FlatAttributes, spanName: string): SpanKind | undefined {
  const named = SPAN_KINDS.get(spanName);
  if (named !== undefined) return named;
  const type = attributes.getText(haystack.ATTR_HAYSTACK_COMPONENT_TYPE);
  return (type === undefined ? undefined : KINDS.find(([end]) => type.endsWith(end))?.[1]) ?? 'CHAIN';
}

const SPAN_KINDS: ReadonlyMap<string, SpanKind> = new Map<string, SpanKind>([
  [haystack.SPAN_HAYSTACK_AGENT_RUN, 'AGENT'],
  [haystack.SPAN_HAYSTACK_AGENT_STEP_LLM, 'LLM'],
  [haystack.SPAN_HAYSTACK_AGENT_STEP_TOOL, 'TOOL'],
]);

/** Haystack names the classes of components for what they do. */
const KINDS: readonly (readonly [end: string, kind: SpanKind])[] = [
  ['Generator', 'LLM'],
  ['Embedder', 'EMBEDDING'],
  ['Retriever', 'RETRIEVER'],
  ['Ranker', 'RERANKER'],
  ['PromptBuilder', 'PROMPT'],
  ['ToolInvoker', 'TOOL'],
  ['Agent', 'AGENT'],
  ['Evaluator', 'EVALUATOR'],
];

const INPUT_KEYS: readonly string[] = [
  haystack.ATTR_HAYSTACK_COMPONENT_INPUT,
  haystack.ATTR_HAYSTACK_AGENT_STEP_LLM_INPUT,
  haystack.ATTR_HAYSTACK_AGENT_STEP_TOOL_INPUT,
  haystack.ATTR_HAYSTACK_AGENT_INPUT,
  haystack.ATTR_HAYSTACK_PIPELINE_INPUT_DATA,
];
const OUTPUT_KEYS: readonly string[] = [
  haystack.ATTR_HAYSTACK_COMPONENT_OUTPUT,
  haystack.ATTR_HAYSTACK_AGENT_STEP_LLM_OUTPUT,
  haystack.ATTR_HAYSTACK_AGENT_STEP_TOOL_OUTPUT,
  haystack.ATTR_HAYSTACK_AGENT_OUTPUT,
  haystack.ATTR_HAYSTACK_PIPELINE_OUTPUT_DATA,
];

function firstOf(attributes: FlatAttributes, keys: readonly string[]): JsonValue | undefined {
  return keys.map((key) => attributes.get(key)).find((value) => value !== undefined && value !== '');
}

function documentsOf(said: JsonValue | undefined): JsonValue[] {
  const documents = isJsonObject(said) ? said['documents'] : undefined;
  return Array.isArray(documents) ? documents : [];
}

/** What an embedder says beside its vectors: model and usage. */
function fillEmbedder(attributes: FlatAttributes, said: JsonValue | undefined): void {
  const meta = isJsonObject(said) ? said['meta'] : undefined;
  if (!isJsonObject(meta)) return;
  attributes.fill(openinference.ATTR_EMBEDDING_MODEL_NAME, meta['model']);
}

export const docs: DialectDocs = {
  title: 'Haystack',
  checkedVersion: 'haystack-ai 3.4.1, from its sources, without a recording',
  mappings: [
    {
      from: 'haystack.component.type, the names of spans',
      to: 'openinference.span.kind',
      note: 'From the end of the class name: Generator is LLM; Embedder, Retriever, Ranker, PromptBuilder, ToolInvoker, Agent and Evaluator are what they say; any other is CHAIN.',
    },
    {
      from: 'haystack.component.input, haystack.agent.input, haystack.agent.step.llm.input, haystack.agent.step.tool.input, haystack.pipeline.input_data',
      to: 'input.value, llm.input_messages, llm.tools, reranker.input_documents',
    },
    {
      from: 'haystack.component.output, haystack.agent.output, haystack.agent.step.llm.output, haystack.agent.step.tool.output, haystack.pipeline.output_data',
      to: 'output.value, llm.output_messages, llm.token_count.*, llm.model_name, retrieval.documents, reranker.output_documents',
    },
    {
      from: 'haystack.tool.name, haystack.tool.description, haystack.tool.call.id',
      to: 'tool.name, tool.description, tool.id',
    },
  ],
  notCovered: ['The vectors of embedders stay in their output.'],
};
