/**
 * Langfuse: what its SDKs and its instrumentations send, all under names of its own.
 * @see https://langfuse.com/integrations/native/opentelemetry#property-mapping
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import type { SpanKind } from '#domain/span';
import { ATTR_GEN_AI_OPERATION_NAME } from '#semconv/gen-ai';
import * as langfuse from '#semconv/langfuse';
import { ATTR_LITELLM_CALL_TYPE } from '#semconv/litellm';
import * as openinference from '#semconv/openinference';
import { fillDocuments, fillValue, INPUT, OUTPUT } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { readJsonText, toJsonText } from '../json-value.ts';
import { fillEmbeddingCall, listNumberedVectors } from '../messages/embedding-body.ts';
import { fillCall, fillProvider, readRequest, readSaid, readSaidObject } from '../messages/fill-call.ts';
import { readPlainMessages } from '../messages/plain-message.ts';
import type { RequestBody } from '../messages/request-body.ts';
import { readResponseBody } from '../messages/response-body.ts';
import { fillMetadata, fillTags } from '../metadata.ts';
import { toInteger, toNumber } from '../number.ts';
import { fillUsage, readUsage, type UsageReading } from '../usage-object.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'langfuse';

export function speaks({ attributes }: SpanEvidence): boolean {
  return attributes.hasRoot('langfuse');
}

export function translate({ attributes, name: spanName }: SpanEvidence): void {
  const type = attributes.getText(langfuse.ATTR_LANGFUSE_OBSERVATION_TYPE)?.toLowerCase();
  const isEmbedding = type === 'generation' && isOfEmbedding(spanName, attributes);
  attributes.fill(openinference.ATTR_SPAN_KIND, isEmbedding ? 'EMBEDDING' : KINDS.get(type ?? ''));
  const metadata = fillProgramData(attributes);
  const input = attributes.get(langfuse.ATTR_LANGFUSE_OBSERVATION_INPUT);
  const output = attributes.get(langfuse.ATTR_LANGFUSE_OBSERVATION_OUTPUT);
  const kind = attributes.get(openinference.ATTR_SPAN_KIND);
  const [given, gave] = READ_KINDS.has(kind ?? null) ? [readSaid(input), readSaid(output)] : [];
  fillValue(attributes, INPUT, input, given);
  fillValue(attributes, OUTPUT, output, gave);
  switch (kind) {
    case 'LLM':
      fillModel(attributes, openinference.ATTR_LLM_MODEL_NAME, metadata);
      fillCall(attributes, readToolMessages(given) ?? readRequest(given), readResponseBody(gave));
      break;
    case 'EMBEDDING':
      fillModel(attributes, openinference.ATTR_EMBEDDING_MODEL_NAME, metadata);
      fillEmbeddingCall(attributes, given, gave ?? listNumberedVectors(attributes));
      break;
    case 'RETRIEVER':
      fillDocuments(attributes, openinference.ATTR_RETRIEVAL_DOCUMENTS, listDocuments(gave));
      break;
    case 'TOOL':
      fillTool(attributes, spanName, given, gave);
      break;
    default:
  }
}

/** LiteLLM and the JavaScript wrapper of OpenAI's client have generations only; what was called is said elsewhere. */
function isOfEmbedding(spanName: string, attributes: FlatAttributes): boolean {
  const operation = attributes.getText(ATTR_GEN_AI_OPERATION_NAME);
  if (operation !== undefined) return operation === 'embeddings';
  return EMBEDDING_CALL.test(attributes.getText(ATTR_LITELLM_CALL_TYPE) ?? spanName);
}

/** `aembedding` is asynchronous; the wrapper names spans after the client and the part of it that was called. */
const EMBEDDING_CALL = /^(?:a?embedding|\w*OpenAI\.embeddings)$/;

/** Of other kinds the texts are all there is to say. */
const READ_KINDS: ReadonlySet<JsonValue> = new Set(['LLM', 'EMBEDDING', 'RETRIEVER', 'TOOL']);

const KINDS: ReadonlyMap<string, SpanKind> = new Map<string, SpanKind>([
  ['generation', 'LLM'],
  ['embedding', 'EMBEDDING'],
  ['agent', 'AGENT'],
  ['tool', 'TOOL'],
  ['chain', 'CHAIN'],
  ['span', 'CHAIN'],
  ['event', 'CHAIN'],
  ['retriever', 'RETRIEVER'],
  ['guardrail', 'GUARDRAIL'],
  ['evaluator', 'EVALUATOR'],
]);

/** Adds session, user, tags and metadata; gives the metadata of the observation over that of its trace. */
function fillProgramData(attributes: FlatAttributes): JsonObject {
  attributes.fill(openinference.ATTR_SESSION_ID, attributes.get(langfuse.ATTR_LANGFUSE_SESSION_ID));
  attributes.fill(openinference.ATTR_USER_ID, attributes.get(langfuse.ATTR_LANGFUSE_USER_ID));
  fillTags(attributes, attributes.get(langfuse.ATTR_LANGFUSE_TRACE_TAGS));
  const metadata = jsonObject();
  const own = jsonObject();
  for (const [key, value] of attributes.entries()) {
    if (key.startsWith(langfuse.ATTR_LANGFUSE_TRACE_METADATA)) {
      addMetadata(metadata, key.slice(langfuse.ATTR_LANGFUSE_TRACE_METADATA.length), value);
    } else if (key.startsWith(langfuse.ATTR_LANGFUSE_OBSERVATION_METADATA)) {
      addMetadata(own, key.slice(langfuse.ATTR_LANGFUSE_OBSERVATION_METADATA.length), value);
    }
  }
  fillMetadata(attributes, Object.assign(metadata, own));
  return metadata;
}

/** Each value is JSON in a text; without a key it is the object of all. */
function addMetadata(metadata: JsonObject, rest: string, value: JsonValue): void {
  const said = typeof value === 'string' ? (readJsonText(value) ?? value) : value;
  if (rest.startsWith('.')) metadata[rest.slice(1)] = said;
  else if (rest === '' && isJsonObject(said)) Object.assign(metadata, said);
}

function fillModel(attributes: FlatAttributes, modelKey: string, metadata: JsonObject): void {
  attributes.fill(modelKey, attributes.get(langfuse.ATTR_LANGFUSE_OBSERVATION_MODEL_NAME));
  const parameters = attributes.getText(langfuse.ATTR_LANGFUSE_OBSERVATION_MODEL_PARAMETERS);
  if (parameters !== '{}') attributes.fill(openinference.ATTR_LLM_INVOCATION_PARAMETERS, parameters);
  // LangChain's callbacks say them in the metadata.
  const { ls_provider: providerName, ls_model_name: requested } = metadata;
  if (typeof requested === 'string') attributes.fill(openinference.ATTR_LLM_REQUEST_MODEL_NAME, requested);
  fillProvider(attributes, providerName);
  attributes.fill(openinference.ATTR_PROMPT_ID, attributes.get(langfuse.ATTR_LANGFUSE_OBSERVATION_PROMPT_NAME));
  const version = attributes.get(langfuse.ATTR_LANGFUSE_OBSERVATION_PROMPT_VERSION);
  if (version !== undefined) attributes.fill(openinference.ATTR_LLM_PROMPT_TEMPLATE_VERSION, toJsonText(version));
  const usage = readSaidObject(attributes.get(langfuse.ATTR_LANGFUSE_OBSERVATION_USAGE_DETAILS));
  if (usage !== undefined) fillUsage(attributes, readUsageDetails(usage));
  const cost = readSaidObject(attributes.get(langfuse.ATTR_LANGFUSE_OBSERVATION_COST_DETAILS));
  if (cost !== undefined) fillCost(attributes, cost);
}

/**
 * Langfuse's own names stand for parts that lie beside one another (`input` is what was not cached), unless the total
 * says otherwise; other names are those of a provider, as it counts.
 */
function readUsageDetails(usage: JsonObject): UsageReading {
  const [input, output, total] = ['input', 'output', 'total'].map((key) => toInteger(usage[key]));
  if (input === undefined && output === undefined) return readUsage(usage);
  const count = (keys: readonly string[]) =>
    keys.map((key) => toInteger(usage[key])).find((value) => value !== undefined);
  const cacheRead = count(CACHE_READ_NAMES);
  const cacheWrite = count(CACHE_WRITE_NAMES);
  const reasoning = count(REASONING_NAMES);
  const promptAudio = count(INPUT_AUDIO_NAMES);
  const completionAudio = count(OUTPUT_AUDIO_NAMES);
  const isInclusive = total !== undefined && total === (input ?? 0) + (output ?? 0);
  const prompt = isInclusive ? input : sum(input, cacheRead, cacheWrite, promptAudio);
  const completion = isInclusive ? output : sum(output, reasoning, completionAudio);
  return { prompt, completion, total, cacheRead, cacheWrite, reasoning, promptAudio, completionAudio };
}

const CACHE_READ_NAMES = [
  'input_cache_read',
  'input_cached_tokens',
  'cache_read_input_tokens',
  'input_cache_read_tokens',
];
const CACHE_WRITE_NAMES = ['input_cache_creation', 'cache_creation_input_tokens', 'input_cache_write'];
const REASONING_NAMES = ['output_reasoning', 'output_reasoning_tokens', 'reasoning_tokens'];
const INPUT_AUDIO_NAMES = ['input_audio', 'input_audio_tokens'];
const OUTPUT_AUDIO_NAMES = ['output_audio', 'output_audio_tokens'];

function sum(first: number | undefined, ...parts: readonly (number | undefined)[]): number | undefined {
  return first === undefined ? undefined : parts.reduce<number>((total, part) => total + (part ?? 0), first);
}

function fillCost(attributes: FlatAttributes, cost: JsonObject): void {
  attributes.fill(openinference.ATTR_LLM_COST_PROMPT, toNumber(cost['input']));
  attributes.fill(openinference.ATTR_LLM_COST_COMPLETION, toNumber(cost['output']));
  attributes.fill(openinference.ATTR_LLM_COST_TOTAL, toNumber(cost['total']));
}

/** LangChain's callback gives the tools that were offered as messages of tools, each with its definition as content. */
function readToolMessages(list: JsonValue | undefined): RequestBody | undefined {
  if (!Array.isArray(list)) return undefined;
  const tools = list.flatMap((item) =>
    isJsonObject(item) && isDefinition(item) ? [item['content'] as JsonObject] : [],
  );
  if (tools.length === 0) return undefined;
  const messages = list.filter((item) => !(isJsonObject(item) && isDefinition(item)));
  return { messages: readPlainMessages(messages, 'user'), tools, parameters: jsonObject(), model: undefined };
}

function isDefinition({ role, content, tool_call_id: callId }: JsonObject): boolean {
  return role === 'tool' && callId === undefined && isJsonObject(content) && content['type'] === 'function';
}

/** A tool is named by its observation; a decorated function gets its arguments in Python's two kinds. */
function fillTool(
  attributes: FlatAttributes,
  spanName: string,
  given: JsonValue | undefined,
  result: JsonValue | undefined,
): void {
  attributes.fill(openinference.ATTR_TOOL_NAME, spanName);
  const isDecorated = isJsonObject(given) && Array.isArray(given['args']) && isJsonObject(given['kwargs']);
  const parameters = isDecorated && (given['args'] as JsonValue[]).length === 0 ? given['kwargs'] : given;
  if (parameters !== undefined) attributes.fill(openinference.ATTR_TOOL_PARAMETERS, toJsonText(parameters));
  if (isJsonObject(result)) attributes.fill(openinference.ATTR_TOOL_ID, result['tool_call_id']);
}

function listDocuments(value: JsonValue | undefined): JsonValue[] {
  const list = isJsonObject(value) ? (value['documents'] ?? value['results']) : value;
  return Array.isArray(list) ? list : [];
}

export const docs: DialectDocs = {
  title: 'Langfuse',
  checkedVersion: 'langfuse 5.0.4 (Python), @langfuse/openai 5.11.1 (JavaScript)',
  mappings: [
    {
      from: 'langfuse.observation.type',
      to: 'openinference.span.kind',
      note: 'generation is LLM, or EMBEDDING if gen_ai.operation.name, litellm.call_type or the span name OpenAI.embeddings says so; span and event are CHAIN.',
    },
    {
      from: 'langfuse.observation.input',
      to: 'input.value, llm.input_messages, llm.tools, llm.request.model_name, tool.parameters, embedding.embeddings',
    },
    {
      from: 'langfuse.observation.output',
      to: 'output.value, llm.output_messages, llm.response.model_name, llm.finish_reason, retrieval.documents, tool.id',
    },
    { from: 'langfuse.observation.model.name', to: 'llm.model_name, embedding.model_name' },
    { from: 'langfuse.observation.model.parameters', to: 'llm.invocation_parameters' },
    {
      from: 'langfuse.observation.usage_details',
      to: 'llm.token_count.*',
      note: 'input and output exclude their parts, unless the total shows that they include them; names of a provider have the provider’s meaning.',
    },
    { from: 'langfuse.observation.cost_details', to: 'llm.cost.*' },
    {
      from: 'langfuse.observation.prompt.name, langfuse.observation.prompt.version',
      to: 'prompt.id, llm.prompt_template.version',
    },
    {
      from: 'langfuse.observation.metadata, langfuse.trace.metadata',
      to: 'metadata',
      note: 'The observation’s takes precedence over the trace’s.',
    },
    {
      from: 'ls_provider, ls_model_name in the metadata',
      to: 'llm.provider, llm.system, llm.request.model_name',
      note: 'Of LangChain’s callback.',
    },
    { from: 'langfuse.trace.tags', to: 'tag.tags' },
    { from: 'langfuse.session.id, langfuse.user.id', to: 'session.id, user.id' },
    { from: 'the name of a tool observation', to: 'tool.name' },
  ],
  notCovered: [
    'langfuse.observation.level and .status_message keep their own names; the status of a span is the OpenTelemetry status.',
    'Images and audio that the SDK uploaded to Langfuse are only references in the text.',
    'langfuse.trace.name, .input and .output, langfuse.release, .version, .environment and .experiment.* keep their own names.',
  ],
};
