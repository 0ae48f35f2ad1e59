/**
 * LangSmith: what its SDKs send over OpenTelemetry. Inputs and outputs are whole, each in one JSON text under an old
 * name of the GenAI conventions, which means something else there.
 * @see https://docs.langchain.com/langsmith/trace-with-opentelemetry#supported-opentelemetry-attribute-and-event-mapping
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import type { SpanKind } from '#domain/span';
import * as genAi from '#semconv/gen-ai';
import * as langsmith from '#semconv/langsmith';
import * as openinference from '#semconv/openinference';
import { fillDocuments, fillValue, INPUT, OUTPUT } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { fillToolRun } from '../gen-ai/content.ts';
import { readJsonContainer, toJsonText } from '../json-value.ts';
import { fillCall, fillModels, fillProvider, readRequest, readSaid } from '../messages/fill-call.ts';
import { toPlainMessage } from '../messages/plain-message.ts';
import type { RequestBody } from '../messages/request-body.ts';
import { type ResponseBody, readResponseBody } from '../messages/response-body.ts';
import { fillMetadata, fillTags } from '../metadata.ts';
import { readPythonContainer } from '../python-repr.ts';
import { fillUsage, readUsage } from '../usage-object.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'langsmith';

export function speaks({ attributes }: SpanEvidence): boolean {
  return attributes.hasRoot('langsmith');
}

export function translate({ attributes }: SpanEvidence): void {
  const type = attributes.getText(langsmith.ATTR_LANGSMITH_SPAN_KIND)?.toLowerCase();
  attributes.fill(openinference.ATTR_SPAN_KIND, type === undefined ? undefined : KINDS.get(type));
  const metadata = collectMetadata(attributes);
  fillTags(attributes, attributes.get(langsmith.ATTR_LANGSMITH_SPAN_TAGS));
  fillMetadata(attributes, metadata);
  const input = attributes.get(genAi.ATTR_GEN_AI_PROMPT);
  const output = attributes.get(genAi.ATTR_GEN_AI_COMPLETION);
  // What they hold is read here, or is no conversation.
  attributes.claim(genAi.ATTR_GEN_AI_PROMPT, genAi.ATTR_GEN_AI_COMPLETION);
  switch (attributes.get(openinference.ATTR_SPAN_KIND)) {
    case 'LLM':
      fillModelCall(attributes, metadata, readRequest(readSaid(input)), readResponseBody(readSaid(output)));
      break;
    case 'TOOL':
      fillToolRun(attributes, input, readToolResult(readSaid(output)));
      break;
    case 'RETRIEVER':
      fillDocuments(attributes, openinference.ATTR_RETRIEVAL_DOCUMENTS, listDocuments(readSaid(output)));
      break;
    default:
  }
  fillValue(attributes, INPUT, input);
  fillValue(attributes, OUTPUT, output);
}

const KINDS: ReadonlyMap<string, SpanKind> = new Map<string, SpanKind>([
  ['llm', 'LLM'],
  ['chain', 'CHAIN'],
  ['tool', 'TOOL'],
  ['retriever', 'RETRIEVER'],
  ['embedding', 'EMBEDDING'],
  ['prompt', 'PROMPT'],
  ['parser', 'CHAIN'],
]);

/** The program's data and LangChain's, without settings of the process, which LangSmith copies into every span. */
function collectMetadata(attributes: FlatAttributes): JsonObject {
  const metadata = jsonObject();
  for (const [key, value] of attributes.entries()) {
    if (!key.startsWith(langsmith.PREFIX_LANGSMITH_METADATA)) continue;
    const rest = key.slice(langsmith.PREFIX_LANGSMITH_METADATA.length);
    if (/^LANG(?:SMITH|CHAIN)_[A-Z_]+$/.test(rest)) continue;
    metadata[rest] = (typeof value === 'string' ? readJsonContainer(value) : undefined) ?? value;
  }
  return metadata;
}

function fillModelCall(
  attributes: FlatAttributes,
  metadata: JsonObject,
  request: RequestBody | undefined,
  answer: ResponseBody | undefined,
): void {
  const { ls_model_name: named, ls_provider: providerName } = metadata;
  const requested = attributes.get(genAi.ATTR_GEN_AI_REQUEST_MODEL) ?? request?.model ?? named;
  const answered = attributes.get(genAi.ATTR_GEN_AI_RESPONSE_MODEL) ?? answer?.model;
  fillModels(attributes, requested, answered);
  fillProvider(attributes, providerName);
  attributes.fill(openinference.ATTR_LLM_INVOCATION_PARAMETERS, readParameters(request?.parameters, metadata));
  fillUsage(attributes, readUsage(collectUsage(attributes, metadata), 'inclusive'));
  fillCall(attributes, request, answer);
}

/** LangSmith normalises usage to LangChain's, whose details are parts. */
function collectUsage(attributes: FlatAttributes, metadata: JsonObject): JsonObject {
  const text = attributes.getText(langsmith.ATTR_LANGSMITH_USAGE_METADATA);
  const said = text === undefined ? metadata['usage_metadata'] : readJsonContainer(text);
  if (isJsonObject(said)) return said;
  const usage = jsonObject();
  for (const [name, key] of USAGE_KEYS) {
    const value = attributes.get(key);
    const details = typeof value === 'string' ? (readPythonContainer(value) ?? value) : value;
    if (details !== undefined) usage[name] = details;
  }
  return usage;
}

const USAGE_KEYS: readonly (readonly [name: string, key: string])[] = [
  ['input_tokens', genAi.ATTR_GEN_AI_USAGE_INPUT_TOKENS],
  ['output_tokens', genAi.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS],
  ['total_tokens', genAi.ATTR_GEN_AI_USAGE_TOTAL_TOKENS],
  ['input_token_details', langsmith.ATTR_GEN_AI_USAGE_INPUT_TOKEN_DETAILS],
  ['output_token_details', langsmith.ATTR_GEN_AI_USAGE_OUTPUT_TOKEN_DETAILS],
];

function readParameters(parameters: JsonObject | undefined, metadata: JsonObject): string | undefined {
  const all = Object.assign(jsonObject(), parameters);
  for (const [key, parameter] of METADATA_PARAMETERS) {
    const value = metadata[key];
    if (value !== undefined && value !== null) all[parameter] ??= value;
  }
  return Object.keys(all).length === 0 ? undefined : toJsonText(all);
}

const METADATA_PARAMETERS: readonly (readonly [key: string, parameter: string])[] = [
  ['ls_temperature', 'temperature'],
  ['ls_max_tokens', 'max_tokens'],
  ['ls_stop', 'stop'],
];

/** What the tool gave, out of the object that every output is; a message of LangChain is its content. */
function readToolResult(whole: JsonValue | undefined): JsonValue | undefined {
  const result = isJsonObject(whole) && Object.keys(whole).length === 1 ? (whole['output'] ?? whole) : whole;
  const message =
    isJsonObject(result) && (result['tool_call_id'] ?? result['lc']) !== undefined ? toPlainMessage(result) : undefined;
  return isJsonObject(message) && typeof message['content'] === 'string' ? message['content'] : result;
}

function listDocuments(value: JsonValue | undefined): JsonValue[] {
  const list = isJsonObject(value) ? (value['output'] ?? value['documents']) : value;
  return Array.isArray(list) ? list : [];
}

export const docs: DialectDocs = {
  title: 'LangSmith',
  checkedVersion: 'langsmith 0.14.17 (Python)',
  mappings: [
    {
      from: 'langsmith.span.kind',
      to: 'openinference.span.kind',
      note: 'It decides, because gen_ai.operation.name says embeddings for a retriever.',
    },
    {
      from: 'gen_ai.prompt',
      to: 'input.value, llm.input_messages, llm.tools, llm.invocation_parameters, tool.parameters',
      note: 'All inputs of a run as one JSON text.',
    },
    {
      from: 'gen_ai.completion',
      to: 'output.value, llm.output_messages, llm.response.model_name, retrieval.documents',
      note: 'All outputs of a run as one JSON text.',
    },
    {
      from: 'langsmith.usage_metadata, langsmith.metadata.usage_metadata, gen_ai.usage.*_tokens, gen_ai.usage.*_token_details',
      to: 'llm.token_count.*',
      note: 'The details are Python reprs.',
    },
    {
      from: 'langsmith.metadata.*',
      to: 'metadata, session.id, user.id',
      note: 'Settings of the process (LANGSMITH_*) keep their own names only.',
    },
    {
      from: 'langsmith.metadata.ls_model_name, langsmith.metadata.ls_provider, langsmith.metadata.ls_temperature, langsmith.metadata.ls_max_tokens, langsmith.metadata.ls_stop',
      to: 'llm.request.model_name, llm.provider, llm.invocation_parameters',
    },
    { from: 'langsmith.span.tags', to: 'tag.tags' },
  ],
  notCovered: [
    'langsmith.trace.session_name and .session_id name a LangSmith project, not a conversation, and keep their own names.',
  ],
};
