/**
 * LlamaIndex's own OpenTelemetry integration: everything is in events of the span.
 * @see https://developers.llamaindex.ai/python/framework/module_guides/observability/
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import { attributeAt } from '#domain/attributes';
import type { SpanEvent, SpanKind } from '#domain/span';
import * as llamaindex from '#semconv/llamaindex';
import * as openinference from '#semconv/openinference';
import { fillDocuments, fillEmbeddings, fillValue, INPUT, OUTPUT } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { readJsonItems } from '../json-value.ts';
import { fillCall, fillModels } from '../messages/fill-call.ts';
import { readPlainMessages } from '../messages/plain-message.ts';
import { readResponseBody } from '../messages/response-body.ts';
import { unflatten } from '#domain/unflatten';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'llamaindex';

export function speaks({ attributes, scope }: SpanEvidence): boolean {
  return scope.name === llamaindex.SCOPE_LLAMAINDEX || attributes.hasRoot('llamaindex');
}

export function translate({ attributes, events }: SpanEvidence): void {
  for (const { name: eventName, kind, fill } of READERS) {
    const event = events.findLast((candidate) => candidate.name === eventName);
    if (event === undefined) continue;
    attributes.fill(openinference.ATTR_SPAN_KIND, kind);
    fill(attributes, toFields(event));
  }
  attributes.fill(openinference.ATTR_SPAN_KIND, 'CHAIN');
}

/** How one event is read; those of one span, in this order. */
interface Reader {
  readonly name: string;
  readonly kind: SpanKind;
  readonly fill: (attributes: FlatAttributes, fields: JsonObject) => void;
}

const READERS: readonly Reader[] = [
  { name: llamaindex.EVENT_LLM_CHAT_END, kind: 'LLM', fill: fillChatEnd },
  { name: llamaindex.EVENT_LLM_CHAT_START, kind: 'LLM', fill: fillChatStart },
  { name: llamaindex.EVENT_LLM_COMPLETION_END, kind: 'LLM', fill: fillChatEnd },
  { name: llamaindex.EVENT_LLM_COMPLETION_START, kind: 'LLM', fill: fillChatStart },
  { name: llamaindex.EVENT_EMBEDDING_END, kind: 'EMBEDDING', fill: fillEmbeddingEnd },
  {
    name: llamaindex.EVENT_EMBEDDING_START,
    kind: 'EMBEDDING',
    fill: (attributes, fields) => attributes.fill(openinference.ATTR_EMBEDDING_MODEL_NAME, modelOf(fields)),
  },
  { name: llamaindex.EVENT_RETRIEVAL_START, kind: 'RETRIEVER', fill: fillQuery },
  {
    name: llamaindex.EVENT_RETRIEVAL_END,
    kind: 'RETRIEVER',
    fill: (attributes, fields) => fillNodes(attributes, openinference.ATTR_RETRIEVAL_DOCUMENTS, fields),
  },
  { name: llamaindex.EVENT_RERANK_START, kind: 'RERANKER', fill: fillRerankStart },
  {
    name: llamaindex.EVENT_RERANK_END,
    kind: 'RERANKER',
    fill: (attributes, fields) => fillNodes(attributes, openinference.ATTR_RERANKER_OUTPUT_DOCUMENTS, fields),
  },
  { name: llamaindex.EVENT_QUERY_START, kind: 'CHAIN', fill: fillQuery },
  { name: llamaindex.EVENT_QUERY_END, kind: 'CHAIN', fill: fillAnswer },
  { name: llamaindex.EVENT_AGENT_CHAT_START, kind: 'AGENT', fill: fillQuery },
  { name: llamaindex.EVENT_AGENT_CHAT_END, kind: 'AGENT', fill: fillAnswer },
];

/** The event's fields, nested again, lists of objects read from their texts. */
function toFields({ attributes }: SpanEvent): JsonObject {
  return unflatten(
    Object.keys(attributes).map((key): [string, JsonValue] => {
      const value = attributes[key] ?? null;
      return [key, (typeof value === 'string' ? readJsonItems(value) : undefined) ?? value];
    }),
  );
}

function fillChatStart(attributes: FlatAttributes, fields: JsonObject): void {
  fillModels(attributes, modelOf(fields), undefined);
  const messages = readPlainMessages(fields['messages'] ?? fields['prompt'], 'user');
  fillCall(attributes, { messages, tools: [], parameters: parametersOf(fields), model: undefined }, undefined);
}

function fillChatEnd(attributes: FlatAttributes, fields: JsonObject): void {
  const answer = readResponseBody(fields['response']);
  const messages = readPlainMessages(fields['messages'] ?? fields['prompt'], 'user');
  fillCall(attributes, { messages, tools: [], parameters: jsonObject(), model: undefined }, answer);
}

function fillEmbeddingEnd(attributes: FlatAttributes, { chunks, embeddings }: JsonObject): void {
  const texts = Array.isArray(chunks) ? chunks : typeof chunks === 'string' ? [chunks] : [];
  fillEmbeddings(attributes, texts, Array.isArray(embeddings) ? embeddings : []);
  if (texts.length > 0) fillValue(attributes, INPUT, texts.length === 1 ? texts[0] : texts);
}

/** A question is a text, or a bundle with the text in it. */
function fillQuery(attributes: FlatAttributes, fields: JsonObject): void {
  const said = fields['str_or_query_bundle'] ?? fields['query'] ?? fields['user_msg'];
  fillValue(attributes, INPUT, isJsonObject(said) ? (said['query_str'] ?? said) : said);
}

function fillAnswer(attributes: FlatAttributes, { response }: JsonObject): void {
  fillValue(attributes, OUTPUT, isJsonObject(response) ? (response['response'] ?? response) : response);
}

function fillRerankStart(attributes: FlatAttributes, fields: JsonObject): void {
  fillQuery(attributes, fields);
  attributes.fill(openinference.ATTR_RERANKER_MODEL_NAME, fields['model_name']);
  fillNodes(attributes, openinference.ATTR_RERANKER_INPUT_DOCUMENTS, fields);
}

function fillNodes(attributes: FlatAttributes, key: string, { nodes }: JsonObject): void {
  if (!Array.isArray(nodes)) return;
  fillDocuments(attributes, key, nodes);
  if (key !== openinference.ATTR_RERANKER_INPUT_DOCUMENTS) fillValue(attributes, OUTPUT, nodes);
}

function modelOf(fields: JsonObject): JsonValue | undefined {
  return attributeAt(fields, 'model_dict.model') ?? attributeAt(fields, 'model_dict.model_name');
}

function parametersOf(fields: JsonObject): JsonObject {
  const parameters = jsonObject();
  for (const key of ['temperature', 'max_tokens']) {
    const value = attributeAt(fields, `model_dict.${key}`);
    if (typeof value === 'number') parameters[key] = value;
  }
  return parameters;
}

export const docs: DialectDocs = {
  title: 'LlamaIndex',
  checkedVersion: 'llama-index-observability-otel 0.7.0, from its sources, without a recording',
  mappings: [
    { from: 'the names of events', to: 'openinference.span.kind', note: 'A span without any of them is CHAIN.' },
    {
      from: 'LLMChatStartEvent, LLMCompletionStartEvent: messages, prompt, model_dict.*',
      to: 'llm.input_messages, llm.model_name, llm.invocation_parameters',
    },
    {
      from: 'LLMChatEndEvent, LLMCompletionEndEvent: response.*',
      to: 'llm.output_messages, llm.response.model_name, llm.token_count.*',
    },
    { from: 'EmbeddingStartEvent, EmbeddingEndEvent', to: 'embedding.model_name, embedding.embeddings' },
    { from: 'RetrievalStartEvent, RetrievalEndEvent', to: 'input.value, retrieval.documents' },
    {
      from: 'ReRankStartEvent, ReRankEndEvent',
      to: 'reranker.model_name, reranker.input_documents, reranker.output_documents',
    },
    {
      from: 'QueryStartEvent, QueryEndEvent, AgentChatWithStepStartEvent, AgentChatWithStepEndEvent',
      to: 'input.value, output.value',
    },
  ],
  notCovered: ['Events of synthesis, structured predictions and steps of agents are shown as events.'],
};
