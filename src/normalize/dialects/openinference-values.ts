/**
 * What some instrumentations of OpenInference leave out of their attributes and have in the whole input and output:
 * ids of calls, results of tools, pictures, definitions of tools, the model that answered, cached tokens, ids of documents.
 * @see https://github.com/Arize-ai/openinference/tree/main/python/instrumentation
 */
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json';
import * as openinference from '#semconv/openinference';
import type { FlatAttributes } from '../flat-attributes.ts';
import { completeMessages } from '../messages/complete-messages.ts';
import { fillCall, readRequest, readSaid } from '../messages/fill-call.ts';
import { readResponseBody, readResponseUsage } from '../messages/response-body.ts';
import { fillUsage } from '../usage-object.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'openinference-values';

export function speaks({ scope }: SpanEvidence): boolean {
  return scope.name.includes('openinference') && INSTRUMENTATION.test(scope.name) && !COMPLETE.test(scope.name);
}

const INSTRUMENTATION = /^(?:openinference\.instrumentation\.|@arizeai\/openinference-instrumentation-)\w/;

/** Instrumentations of clients, whose attributes have all that their values have. */
const COMPLETE = /[.-](?:openai|anthropic|bedrock|google_genai|google-genai|vertexai|mcp|google_adk)$/;

export function translate({ attributes, scope }: SpanEvidence): void {
  attributes.isDeriving = true;
  if (scope.name.endsWith('.smolagents')) readRoles(attributes);
  switch (attributes.get(openinference.ATTR_SPAN_KIND)) {
    case 'LLM':
      completeCall(attributes);
      break;
    case 'EMBEDDING': {
      const usage = readResponseUsage(readSaid(attributes.get(openinference.ATTR_OUTPUT_VALUE)));
      if (usage !== undefined) fillUsage(attributes, usage);
      break;
    }
    case 'RETRIEVER':
      completeDocuments(attributes, readSaid(attributes.get(openinference.ATTR_OUTPUT_VALUE)));
      break;
    default:
  }
}

/** The roles that smolagents' messages have when it sends them. */
function readRoles(attributes: FlatAttributes): void {
  for (const [key, value] of attributes.entries()) {
    if (typeof value !== 'string' || !ROLE.test(key)) continue;
    const role = ROLES.get(value);
    if (role !== undefined) attributes.rewrite(key, role);
  }
}

const ROLE = /^llm\.(?:in|out)put_messages\.\d+\.message\.role$/;
const ROLES: ReadonlyMap<string, string> = new Map([
  ['tool-call', 'assistant'],
  ['tool-response', 'user'],
]);

function completeCall(attributes: FlatAttributes): void {
  const input = attributes.get(openinference.ATTR_INPUT_VALUE);
  const output = attributes.get(openinference.ATTR_OUTPUT_VALUE);
  const request = readRequest(readSaid(input));
  const answer = readResponseBody(readSaid(output));
  if (request !== undefined) completeMessages(attributes, openinference.ATTR_LLM_INPUT_MESSAGES, request.messages.read);
  if (answer !== undefined) completeMessages(attributes, openinference.ATTR_LLM_OUTPUT_MESSAGES, answer.messages.read);
  fillCall(attributes, request, answer);
}

/** Adds what a document is called, where both lists have the same contents. */
function completeDocuments(attributes: FlatAttributes, output: JsonValue | undefined): void {
  const said = isJsonObject(output) ? output['documents'] : output;
  for (const [at, item] of (Array.isArray(said) ? said : []).entries()) {
    if (isJsonObject(item))
      completeDocument(attributes, `${openinference.ATTR_RETRIEVAL_DOCUMENTS}.${at}.document`, item);
  }
}

function completeDocument(attributes: FlatAttributes, path: string, item: JsonObject): void {
  const content = item['page_content'] ?? item['pageContent'] ?? item['content'];
  if (content === undefined || attributes.get(`${path}.content`) !== content) return;
  const { id, score } = item;
  if (typeof id === 'string' || typeof id === 'number') attributes.fill(`${path}.id`, id);
  attributes.fill(`${path}.score`, score);
}

export const docs: DialectDocs = {
  title: 'OpenInference, content found only in whole values',
  checkedVersion:
    'instrumentations of November 2026 for Haystack, LangChain (Python and JavaScript), LiteLLM, smolagents',
  mappings: [
    {
      from: 'input.value of a model call',
      to: 'llm.input_messages, llm.tools',
      isDerived: true,
      note: 'Only what is missing, and only if the number and roles of the messages agree. JSON, Python’s repr, LangChain’s serialisation.',
    },
    {
      from: 'output.value of a model call',
      to: 'llm.output_messages, llm.response.model_name, llm.finish_reason, llm.token_count.*',
      isDerived: true,
      note: 'Details of counts only if the sums agree.',
    },
    { from: 'output.value of an embedding', to: 'llm.token_count.prompt', isDerived: true },
    {
      from: 'output.value of a retriever',
      to: 'retrieval.documents.N.document.id, retrieval.documents.N.document.score',
      isDerived: true,
    },
    {
      from: 'roles tool-call and tool-response of smolagents',
      to: 'assistant and user',
      isDerived: true,
      note: 'smolagents sends them.',
    },
  ],
  notCovered: ['Values of chains and agents are shown unchanged.'],
};
