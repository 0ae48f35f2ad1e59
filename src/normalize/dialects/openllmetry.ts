/**
 * OpenLLMetry (Traceloop): workflows with names of its own, model calls in the GenAI conventions and, before there were
 * any, in flattened lists.
 * @see https://github.com/traceloop/openllmetry
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import type { SpanKind } from '#domain/span';
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import * as traceloop from '#semconv/openllmetry';
import { fillDocuments, fillTools, fillValue, INPUT, OUTPUT } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { fillEmbedded, fillMessages, fillToolRun } from '../gen-ai/content.ts';
import { kindOfOperation } from '../gen-ai/kind.ts';
import { readMessages } from '../gen-ai/messages.ts';
import { readStructure } from '../gen-ai/structure.ts';
import { readJsonContainer } from '../json-value.ts';
import { fillMetadata } from '../metadata.ts';
import { unflatten } from '#domain/unflatten';
import type { DialectDocs, SpanEvidence } from './dialect.ts';
import { fillAnthropicBlocks, isOfAnthropic } from '../openllmetry/anthropic-blocks.ts';
import { unwrapInput, unwrapOutput } from '../openllmetry/entity.ts';

export const name = 'openllmetry';

export function speaks(span: SpanEvidence): boolean {
  const { attributes, events } = span;
  return (
    attributes.hasRoot('traceloop') ||
    attributes.get(traceloop.ATTR_REQUEST_TYPE) !== undefined ||
    (attributes.hasRoot('gen_ai') && (hasList(attributes, traceloop.LIST_GEN_AI_PROMPT) || isOfAnthropic(span))) ||
    (attributes.hasRoot('llm') && hasList(attributes, traceloop.LIST_LLM_PROMPTS)) ||
    events.some(isFound)
  );
}

export function translate(span: SpanEvidence): void {
  const { attributes } = span;
  attributes.fill(openinference.ATTR_SPAN_KIND, readKind(span));
  fillMetadata(attributes, readAssociations(attributes));
  fillPrompt(attributes);
  const kind = attributes.get(openinference.ATTR_SPAN_KIND);
  fillEntity(attributes, kind);
  fillLists(attributes, kind);
  if (isOfAnthropic(span)) fillAnthropicBlocks(span);
  for (const key of FINISH_REASON_KEYS) attributes.fill(openinference.ATTR_LLM_FINISH_REASON, attributes.getText(key));
  const found = span.events.filter(isFound).map(({ attributes: fields }) => readFound(fields));
  fillDocuments(attributes, openinference.ATTR_RETRIEVAL_DOCUMENTS, found);
}

const FINISH_REASON_KEYS: readonly string[] = [
  traceloop.ATTR_RESPONSE_FINISH_REASON,
  'llm.response.stop_reason',
  'gen_ai.response.finish_reason',
  'gen_ai.response.stop_reason',
];

function readKind({ attributes, events }: SpanEvidence): SpanKind | undefined {
  const kind = attributes.getText(traceloop.ATTR_SPAN_KIND);
  const operation = kindOfOperation(attributes.getText(genAi.ATTR_GEN_AI_OPERATION_NAME) ?? '');
  // A task is any step; where the operation says which, it is that.
  if (kind === 'task') return operation ?? 'CHAIN';
  const requestType = attributes.getText(traceloop.ATTR_REQUEST_TYPE);
  return (
    KINDS.get(kind ?? '') ??
    operation ??
    REQUEST_KINDS.get(requestType ?? '') ??
    (events.some(isFound) ? 'RETRIEVER' : undefined)
  );
}

/** LangChain's chains and agents are both workflows, whatever operation is named beside. */
const KINDS: ReadonlyMap<string, SpanKind> = new Map<string, SpanKind>([
  ['workflow', 'CHAIN'],
  ['agent', 'AGENT'],
  ['tool', 'TOOL'],
  ['llm', 'LLM'],
]);

const REQUEST_KINDS: ReadonlyMap<string, SpanKind> = new Map<string, SpanKind>([
  ['chat', 'LLM'],
  ['completion', 'LLM'],
  ['embedding', 'EMBEDDING'],
  ['rerank', 'RERANKER'],
]);

/** What a program says of its session, its user and others. */
function readAssociations(attributes: FlatAttributes): JsonObject {
  const data = jsonObject();
  if (!attributes.hasRoot('traceloop')) return data;
  for (const [key, value] of attributes.entries()) {
    if (key.startsWith(traceloop.PREFIX_ASSOCIATION)) data[key.slice(traceloop.PREFIX_ASSOCIATION.length)] = value;
  }
  return data;
}

function fillPrompt(attributes: FlatAttributes): void {
  for (const [from, to] of PROMPT_KEYS) attributes.fill(to, attributes.get(from));
}

const PROMPT_KEYS: readonly (readonly [from: string, to: string])[] = [
  [traceloop.ATTR_PROMPT_KEY, openinference.ATTR_PROMPT_ID],
  [traceloop.ATTR_PROMPT_VERSION, openinference.ATTR_LLM_PROMPT_TEMPLATE_VERSION],
  [traceloop.ATTR_PROMPT_TEMPLATE, openinference.ATTR_LLM_PROMPT_TEMPLATE_TEMPLATE],
  [traceloop.ATTR_PROMPT_TEMPLATE_VARIABLES, openinference.ATTR_LLM_PROMPT_TEMPLATE_VARIABLES],
];

/** What went into a function or step, and what came out. */
function fillEntity(attributes: FlatAttributes, kind: JsonValue | undefined): void {
  const entity = attributes.getText(traceloop.ATTR_ENTITY_NAME);
  const input = unwrapInput(
    attributes.getText(traceloop.ATTR_ENTITY_INPUT) ?? attributes.getText(traceloop.ATTR_MCP_REQUEST_ARGUMENT),
  );
  const output = unwrapOutput(
    attributes.getText(traceloop.ATTR_ENTITY_OUTPUT) ?? attributes.getText(traceloop.ATTR_MCP_RESPONSE_VALUE),
  );
  if (kind === 'AGENT') attributes.fill(openinference.ATTR_AGENT_NAME, entity);
  if (kind === 'TOOL') {
    attributes.fill(openinference.ATTR_TOOL_NAME, attributes.getText(genAi.ATTR_GEN_AI_TOOL_NAME) ?? entity);
    attributes.fill(openinference.ATTR_TOOL_ID, attributes.getText(genAi.ATTR_GEN_AI_TOOL_CALL_ID) ?? input.callId);
    fillToolRun(attributes, input.value, output.value);
    return;
  }
  if (kind === 'RETRIEVER') fillDocuments(attributes, openinference.ATTR_RETRIEVAL_DOCUMENTS, output.documents);
  fillValue(attributes, INPUT, input.value);
  fillValue(attributes, OUTPUT, output.value);
}

/** Messages and tools of versions before the conventions had them in one attribute. */
function fillLists(attributes: FlatAttributes, kind: JsonValue | undefined): void {
  const said = readList(attributes, traceloop.LIST_GEN_AI_PROMPT, traceloop.LIST_LLM_PROMPTS);
  const input = readMessages(said.map(readContent), 'user');
  if (kind === 'EMBEDDING') {
    fillEmbedded(attributes, input);
    return;
  }
  const answered = readList(attributes, traceloop.LIST_GEN_AI_COMPLETION, traceloop.LIST_LLM_COMPLETIONS);
  fillMessages(attributes, input, readMessages(answered.map(readContent), 'assistant'));
  const functions = readList(attributes, traceloop.LIST_REQUEST_FUNCTIONS);
  fillTools(attributes, functions.map(readParameters));
}

function hasList(attributes: FlatAttributes, list: string): boolean {
  for (const [key] of attributes.entries()) if (isOfList(key, list)) return true;
  return false;
}

/** The items of the first of the lists that is there. However far apart the indexes are, it takes as long as there are keys. */
function readList(attributes: FlatAttributes, ...lists: readonly string[]): JsonObject[] {
  for (const list of lists) {
    const entries: [string, JsonValue][] = [];
    for (const [key, value] of attributes.entries()) {
      if (isOfList(key, list)) entries.push([`list${key.slice(list.length)}`, value]);
    }
    const items = entries.length === 0 ? undefined : unflatten(entries)['list'];
    if (Array.isArray(items)) return items.filter(isJsonObject);
  }
  return [];
}

/** Whether the key continues the list with an index. */
function isOfList(key: string, list: string): boolean {
  return key.startsWith(list) && key.charCodeAt(list.length) === DOT && isDigit(key.charCodeAt(list.length + 1));
}

const DOT = 0x2e;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/**
 * What is more than a text is JSON of a list of parts. What a model thought is a message of its own by the package for
 * Anthropic; the prompt of a completion stands under the name of who said it.
 */
function readContent(message: JsonObject): JsonObject {
  const { role, user } = message;
  if (typeof user === 'string') message['content'] ??= user;
  const { content } = message;
  if (role === 'thinking' && typeof content === 'string') {
    message['role'] = 'assistant';
    message['content'] = [Object.assign(jsonObject(), { type: 'reasoning', text: content })];
    return message;
  }
  const parts = typeof content === 'string' ? readStructure(content) : undefined;
  if (parts !== undefined) message['content'] = parts;
  return message;
}

function readParameters(definition: JsonObject): JsonObject {
  for (const key of ['parameters', 'input_schema']) {
    const text = definition[key];
    const schema = typeof text === 'string' ? readJsonContainer(text) : undefined;
    if (schema !== undefined) definition[key] = schema;
  }
  return definition;
}

function isFound({ name: eventName }: { readonly name: string }): boolean {
  return eventName === traceloop.EVENT_DB_QUERY_RESULT || eventName === traceloop.EVENT_DB_SEARCH_RESULT;
}

/** A document of a vector store, each field under the whole name of the event. */
function readFound(fields: JsonObject): JsonObject {
  const document = jsonObject();
  for (const [field, name] of FOUND_FIELDS) {
    const value =
      fields[`${traceloop.EVENT_DB_QUERY_RESULT}.${name}`] ?? fields[`${traceloop.EVENT_DB_SEARCH_RESULT}.${name}`];
    if (value === undefined) continue;
    document[field] ??=
      (typeof value === 'string' && field === 'metadata' ? readJsonContainer(value) : undefined) ?? value;
  }
  return document;
}

const FOUND_FIELDS: readonly (readonly [field: string, name: string])[] = [
  ['id', 'id'],
  ['content', 'document'],
  ['score', 'score'],
  ['metadata', 'metadata'],
  ['metadata', 'entity'],
];

export const docs: DialectDocs = {
  title: 'OpenLLMetry (Traceloop)',
  checkedVersion: '0.62.4; older versions from 0.5, from their sources',
  mappings: [
    {
      from: 'traceloop.span.kind, llm.request.type',
      to: 'openinference.span.kind',
      note: 'workflow is CHAIN whatever gen_ai.operation.name says; task follows the operation, otherwise CHAIN.',
    },
    {
      from: 'traceloop.association.properties.*',
      to: 'session.id, user.id, tag.tags, metadata',
      note: 'session_id, thread_id and conversation_id, user_id, tags; all of them form the metadata.',
    },
    {
      from: 'traceloop.entity.input, traceloop.entity.output',
      to: 'input.value, output.value, tool.parameters, retrieval.documents',
      note: 'Without the wrapper: {"args", "kwargs"} of a function, {"inputs", "tags", "metadata", "kwargs"} of LangChain.',
    },
    { from: 'traceloop.entity.name', to: 'tool.name, agent.name' },
    {
      from: 'traceloop.prompt.key, .version, .template, .template_variables',
      to: 'prompt.id, llm.prompt_template.version, .template, .variables',
    },
    { from: 'gen_ai.prompt.N.*, llm.prompts.N.*', to: 'llm.input_messages, embedding.embeddings' },
    {
      from: 'gen_ai.completion.N.*, llm.completions.N.*',
      to: 'llm.output_messages',
      note: 'A message of the role thinking is reasoning of the assistant.',
    },
    { from: 'llm.request.functions.N.*', to: 'llm.tools' },
    {
      from: 'llm.response.finish_reason, llm.response.stop_reason, gen_ai.response.finish_reason, gen_ai.response.stop_reason',
      to: 'llm.finish_reason',
    },
    { from: 'events db.query.result, db.search.result', to: 'retrieval.documents' },
    { from: 'mcp.request.argument, mcp.response.value', to: 'tool.parameters, input.value, output.value' },
    {
      from: 'log records gen_ai.choice of the Anthropic instrumentation',
      to: 'llm.output_messages',
      note: 'One for each block of the answer, joined into one message.',
    },
  ],
  notCovered: [
    'A tool result in a log record names no call, so it is not joined to one.',
    'Its package for LangChain (0.20 to 0.62.4) sends the input, output and cached tokens of a call, but not its reasoning tokens. Only the input of the next step repeats them, if there is one; each span is read by itself.',
    'An image that the SDK uploads elsewhere is not in the span.',
    'If it sends messages as log records, its package for Anthropic leaves out the model and the parameters of a call, on the span and in the records.',
    'gen_ai.workflow.nodes and gen_ai.workflow.edges of LangGraph are not translated.',
  ],
};
