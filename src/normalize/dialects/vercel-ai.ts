/**
 * The Vercel AI SDK: `ai.*` of majors 3.3 to 6, and of 7 where it sends them beside the GenAI conventions.
 * @see https://ai-sdk.dev/docs/ai-sdk-core/telemetry#collected-data
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import type { SpanKind } from '#domain/span';
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import * as ai from '#semconv/vercel-ai';
import { fillDocuments, fillEmbeddings, fillTools, fillValue, INPUT, OUTPUT } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { fillMessages, fillToolRun } from '../gen-ai/content.ts';
import type { Messages } from '../gen-ai/messages.ts';
import { readProvider } from '../gen-ai/provider.ts';
import { readJsonContainer, readJsonItems, readJsonText, toJsonText } from '../json-value.ts';
import { fillMetadata } from '../metadata.ts';
import { readPlainMessages } from '../messages/plain-message.ts';
import { listTools, readRequestBody } from '../messages/request-body.ts';
import { toNumber } from '../number.ts';
import { fillUsage, readUsage, type UsageConvention } from '../usage-object.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'vercel-ai';

export function speaks({ attributes, scope }: SpanEvidence): boolean {
  return attributes.hasRoot('ai') || scope.name === ai.SCOPE_GEN_AI;
}

export function translate({ attributes, scope }: SpanEvidence): void {
  const own = collect(attributes);
  attributes.fill(openinference.ATTR_SPAN_KIND, readKind(attributes, scope.name));
  fillMetadata(attributes, own.data);
  const kind = attributes.get(openinference.ATTR_SPAN_KIND);
  if (kind === 'TOOL') fillTool(attributes);
  else {
    fillModel(attributes, kind);
    attributes.fill(openinference.ATTR_LLM_INVOCATION_PARAMETERS, readParameters(attributes, own.settings));
    completeUsage(attributes, kind, own.usage);
    fillUsage(attributes, readUsage(own.usage, conventionOf(attributes, kind, own.usage)));
    fillEmbedding(attributes);
    fillRanking(attributes);
    fillConversation(attributes);
  }
}

/** What stands under prefixes that the SDK continues with names of its own or of the program. */
interface Collected {
  readonly data: JsonObject;
  readonly settings: JsonObject;
  readonly usage: JsonObject;
}

function collect(attributes: FlatAttributes): Collected {
  const [data, settings, usage] = [jsonObject(), jsonObject(), jsonObject()];
  for (const [key, value] of attributes.entries()) {
    if (!key.startsWith('ai.')) continue;
    if (key.startsWith(ai.PREFIX_AI_USAGE)) setUsage(usage, key.slice(ai.PREFIX_AI_USAGE.length), value);
    else if (key.startsWith(ai.PREFIX_AI_SETTINGS_CONTEXT))
      data[key.slice(ai.PREFIX_AI_SETTINGS_CONTEXT.length)] = value;
    else if (key.startsWith(ai.PREFIX_AI_SETTINGS)) settings[key.slice(ai.PREFIX_AI_SETTINGS.length)] = value;
    else if (key.startsWith(ai.PREFIX_AI_TELEMETRY_METADATA)) {
      data[key.slice(ai.PREFIX_AI_TELEMETRY_METADATA.length)] = value;
    }
  }
  return { data, settings, usage };
}

/** Details are an object of their own: `inputTokenDetails.cacheReadTokens`. */
function setUsage(usage: JsonObject, path: string, value: JsonValue): void {
  const dot = path.indexOf('.');
  if (dot === -1) usage[path] = value;
  else {
    const details = (usage[path.slice(0, dot)] ??= jsonObject());
    if (isJsonObject(details)) details[path.slice(dot + 1)] = value;
  }
  if (path === 'tokens') usage['inputTokens'] ??= value;
}

function readKind(attributes: FlatAttributes, scopeName: string): SpanKind | undefined {
  const operation =
    attributes.getText(ai.ATTR_AI_OPERATION_ID) ?? attributes.getText(ai.ATTR_OPERATION_NAME)?.split(' ', 1)[0];
  if (operation?.startsWith('ai.'))
    return KINDS.get(operation.slice('ai.'.length)) ?? KINDS.get(operation.slice(operation.lastIndexOf('.') + 1));
  // Major 7 calls each of its functions the invocation of an agent; what it was in the majors before is no agent.
  const isCall = attributes.get(genAi.ATTR_GEN_AI_OPERATION_NAME) === 'invoke_agent';
  return isCall && scopeName === ai.SCOPE_GEN_AI ? 'CHAIN' : undefined;
}

const KINDS: ReadonlyMap<string, SpanKind> = new Map<string, SpanKind>([
  ['generateText', 'CHAIN'],
  ['streamText', 'CHAIN'],
  ['generateObject', 'CHAIN'],
  ['streamObject', 'CHAIN'],
  ['doGenerate', 'LLM'],
  ['doStream', 'LLM'],
  ['embed', 'EMBEDDING'],
  ['embedMany', 'EMBEDDING'],
  ['doEmbed', 'EMBEDDING'],
  ['rerank', 'RERANKER'],
  ['doRerank', 'RERANKER'],
  ['toolCall', 'TOOL'],
]);

function fillTool(attributes: FlatAttributes): void {
  attributes.fill(openinference.ATTR_TOOL_NAME, attributes.get(ai.ATTR_AI_TOOL_CALL_NAME));
  attributes.fill(openinference.ATTR_TOOL_ID, attributes.get(ai.ATTR_AI_TOOL_CALL_ID));
  const result = attributes.get(ai.ATTR_AI_TOOL_CALL_RESULT) ?? attributes.get(genAi.ATTR_GEN_AI_TOOL_CALL_RESULT);
  fillToolRun(attributes, attributes.get(ai.ATTR_AI_TOOL_CALL_ARGS), unquote(result));
}

/** The SDK writes each result as JSON: a text stands in quotes. */
function unquote(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string' || !value.startsWith('"')) return value;
  const read = readJsonText(value);
  return typeof read === 'string' ? read : value;
}

function fillModel(attributes: FlatAttributes, kind: JsonValue | undefined): void {
  const requested = attributes.get(ai.ATTR_AI_MODEL_ID);
  const answered = attributes.get(ai.ATTR_AI_RESPONSE_MODEL);
  if (kind === 'EMBEDDING') attributes.fill(openinference.ATTR_EMBEDDING_MODEL_NAME, answered ?? requested);
  else if (kind === 'RERANKER') attributes.fill(openinference.ATTR_RERANKER_MODEL_NAME, answered ?? requested);
  else {
    attributes.fill(openinference.ATTR_LLM_MODEL_NAME, answered ?? requested);
    attributes.fill(openinference.ATTR_LLM_REQUEST_MODEL_NAME, requested);
    attributes.fill(openinference.ATTR_LLM_RESPONSE_MODEL_NAME, answered);
  }
  const providerName = attributes.getText(ai.ATTR_AI_MODEL_PROVIDER);
  if (providerName !== undefined) {
    const { provider, system } = readProvider(providerNameOf(providerName));
    attributes.fill(openinference.ATTR_LLM_PROVIDER, provider);
    attributes.fill(openinference.ATTR_LLM_SYSTEM, system);
  }
  const reason = attributes.get(ai.ATTR_AI_RESPONSE_FINISH_REASON) ?? attributes.get(ai.ATTR_AI_FINISH_REASON);
  attributes.fill(openinference.ATTR_LLM_FINISH_REASON, reason);
}

/** Of `openai.chat` the provider, in the GenAI conventions' name where that is another. */
function providerNameOf(text: string): string {
  if (text.startsWith('google.vertex')) return 'gcp.vertex_ai';
  const [first = text] = text.split('.', 1);
  return PROVIDER_NAMES.get(first) ?? first;
}

const PROVIDER_NAMES: ReadonlyMap<string, string> = new Map([
  ['amazon-bedrock', 'aws.bedrock'],
  ['azure-openai', 'azure.ai.openai'],
  ['azure', 'azure.ai.openai'],
  ['google', 'gcp.gemini'],
  ['vertex', 'gcp.vertex_ai'],
  ['mistral', 'mistral_ai'],
]);

/**
 * Up to major 5 the SDK passed on what Anthropic and Bedrock count, cached tokens beside the input; from 6 on it adds
 * them, and says how many were not cached.
 */
function conventionOf(attributes: FlatAttributes, kind: JsonValue | undefined, usage: JsonObject): UsageConvention {
  const provider = attributes.getText(ai.ATTR_AI_MODEL_PROVIDER);
  const countsBeside = provider !== undefined && /(?:^|\.)anthropic|^amazon-bedrock/.test(provider);
  if (!countsBeside || isJsonObject(usage['inputTokenDetails'])) return 'inclusive';
  // Of several calls the metadata are those of the last.
  const text = kind === 'LLM' ? attributes.getText(ai.ATTR_AI_RESPONSE_PROVIDER_METADATA) : undefined;
  const metadata = text === undefined ? undefined : readJsonContainer(text);
  const said = isJsonObject(metadata) ? (metadata['anthropic'] ?? metadata['bedrock']) : undefined;
  const own = isJsonObject(said) && isJsonObject(said['usage']) ? said['usage'] : said;
  if (isJsonObject(own)) {
    usage['cachedInputTokens'] ??= own['cacheReadInputTokens'] ?? own['cache_read_input_tokens'] ?? null;
    usage['cacheWriteInputTokens'] ??=
      own['cacheCreationInputTokens'] ?? own['cacheWriteInputTokens'] ?? own['cache_creation_input_tokens'] ?? null;
  }
  return 'exclusive';
}

/** Major 4 has reasoning and cached tokens, which are parts of the others, only among what the provider says. */
function completeUsage(attributes: FlatAttributes, kind: JsonValue | undefined, usage: JsonObject): void {
  if (kind !== 'LLM' || usage['promptTokens'] === undefined) return;
  const text = attributes.getText(ai.ATTR_AI_RESPONSE_PROVIDER_METADATA);
  const metadata = text === undefined ? undefined : readJsonContainer(text);
  for (const said of isJsonObject(metadata) ? Object.values(metadata).filter(isJsonObject) : []) {
    if (said['reasoningTokens'] !== undefined) usage['reasoningTokens'] ??= said['reasoningTokens'];
    if (said['cachedPromptTokens'] !== undefined) usage['cachedInputTokens'] ??= said['cachedPromptTokens'];
  }
}

function readParameters(attributes: FlatAttributes, settings: JsonObject): string | undefined {
  const parameters = jsonObject();
  for (const [key, parameter] of PARAMETERS) {
    const value = settings[key];
    if (value !== undefined && value !== null) parameters[parameter] = value;
  }
  const choice = readToolChoice(attributes.getText(ai.ATTR_AI_PROMPT_TOOL_CHOICE));
  if (choice !== undefined) parameters['tool_choice'] = choice;
  return Object.keys(parameters).length === 0 ? undefined : toJsonText(parameters);
}

/** Names of the OpenAI API, as OpenInference has them. */
const PARAMETERS: readonly (readonly [key: string, parameter: string])[] = [
  ['temperature', 'temperature'],
  ['topP', 'top_p'],
  ['topK', 'top_k'],
  ['maxOutputTokens', 'max_tokens'],
  ['maxTokens', 'max_tokens'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['presencePenalty', 'presence_penalty'],
  ['stopSequences', 'stop'],
  ['seed', 'seed'],
];

function readToolChoice(text: string | undefined): JsonValue | undefined {
  const choice = text === undefined ? undefined : readJsonContainer(text);
  if (!isJsonObject(choice)) return text;
  return choice['toolName'] === undefined ? choice['type'] : choice;
}

function fillEmbedding(attributes: FlatAttributes): void {
  const texts = readList(attributes.get(ai.ATTR_AI_VALUES) ?? attributes.get(ai.ATTR_AI_VALUE));
  const vectors = readList(attributes.get(ai.ATTR_AI_EMBEDDINGS) ?? attributes.get(ai.ATTR_AI_EMBEDDING));
  fillEmbeddings(attributes, texts, vectors);
  if (texts.length === 1) fillValue(attributes, INPUT, texts[0]);
  else if (texts.length > 1) fillValue(attributes, INPUT, texts);
}

/** Each item of the list is JSON, or one JSON text is the only item. */
function readList(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map((item) =>
    typeof item === 'string' ? (readJsonText(item) ?? item) : item,
  );
}

function fillRanking(attributes: FlatAttributes): void {
  const documents = readList(attributes.get(ai.ATTR_AI_DOCUMENTS));
  if (documents.length === 0) return;
  fillDocuments(attributes, openinference.ATTR_RERANKER_INPUT_DOCUMENTS, documents.map(toDocument));
  const ranked = readList(attributes.get(ai.ATTR_AI_RANKING))
    .filter(isJsonObject)
    .flatMap((item) => {
      const place = toNumber(item['index']);
      const document = place === undefined ? undefined : documents[place];
      return document === undefined
        ? []
        : [Object.assign(toDocument(document), { score: item['relevanceScore'] ?? null })];
    });
  fillDocuments(attributes, openinference.ATTR_RERANKER_OUTPUT_DOCUMENTS, ranked);
}

function toDocument(value: JsonValue): JsonObject {
  const document = jsonObject();
  document['content'] = toJsonText(value);
  return document;
}

function fillConversation(attributes: FlatAttributes): void {
  fillTools(attributes, listTools(attributes.get(ai.ATTR_AI_PROMPT_TOOLS)));
  const prompt = attributes.getText(ai.ATTR_AI_PROMPT_MESSAGES) ?? attributes.getText(ai.ATTR_AI_PROMPT);
  if (prompt !== undefined) fillValue(attributes, INPUT, prompt);
  const answer = readAnswer(attributes);
  if (answer !== undefined) fillValue(attributes, OUTPUT, answer.value);
  const isTold = attributes.hasNamespace(openinference.ATTR_LLM_INPUT_MESSAGES);
  fillMessages(attributes, isTold ? NO_MESSAGES : readPrompt(prompt), answer?.messages ?? NO_MESSAGES);
}

const NO_MESSAGES: Messages = { sent: [], read: [] };

/** Reads what the SDK was asked: a list of messages, or the object around them. */
export function readPrompt(text: string | undefined): Messages {
  if (text === undefined) return NO_MESSAGES;
  const read = readJsonItems(text);
  if (Array.isArray(read)) return readPlainMessages(read, 'user');
  return readRequestBody(read)?.messages ?? readPlainMessages(text, 'user');
}

/** Reads what the model said, with the value that shows it best. */
export function readAnswer(attributes: FlatAttributes): { value: JsonValue; messages: Messages } | undefined {
  const text = attributes.getText(ai.ATTR_AI_RESPONSE_TEXT) ?? attributes.getText(ai.ATTR_AI_RESULT_TEXT);
  const object = attributes.getText(ai.ATTR_AI_RESPONSE_OBJECT) ?? attributes.getText(ai.ATTR_AI_RESULT_OBJECT);
  const calls = attributes.get(ai.ATTR_AI_RESPONSE_TOOL_CALLS) ?? attributes.get(ai.ATTR_AI_RESULT_TOOL_CALLS);
  const reasoning = attributes.getText(ai.ATTR_AI_RESPONSE_REASONING);
  const said = text ?? object;
  const value = said ?? calls ?? reasoning;
  if (value === undefined) return undefined;
  const message = jsonObject();
  message['role'] = 'assistant';
  message['parts'] = [
    ...(reasoning === undefined ? [] : [toPart('reasoning', reasoning)]),
    ...(said === undefined ? [] : [toPart('text', said)]),
    ...readFiles(attributes.getText(ai.ATTR_AI_RESPONSE_FILES)),
  ];
  const listed = typeof calls === 'string' ? readJsonItems(calls) : calls;
  if (Array.isArray(listed)) message['toolCalls'] = listed;
  return { value, messages: readPlainMessages([message], 'assistant') };
}

function readFiles(text: string | undefined): JsonObject[] {
  const files = text === undefined ? undefined : readJsonItems(text);
  if (!Array.isArray(files)) return [];
  return files.filter(isJsonObject).map((file) => Object.assign(jsonObject(), file, { type: 'file' }));
}

function toPart(type: string, content: string): JsonObject {
  const part = jsonObject();
  part['type'] = type;
  part['content'] = content;
  return part;
}

export const docs: DialectDocs = {
  title: 'Vercel AI SDK',
  checkedVersion: 'ai 3.3 to 7.0.173',
  mappings: [
    {
      from: 'ai.operationId, operation.name',
      to: 'openinference.span.kind',
      note: 'generateText and its like are CHAIN, doGenerate and doStream LLM, embed, embedMany and doEmbed EMBEDDING, toolCall TOOL, rerank RERANKER. In version 7, invoke_agent is CHAIN, too, because every function has that operation.',
    },
    {
      from: 'ai.model.id, ai.response.model',
      to: 'llm.model_name, llm.request.model_name, llm.response.model_name, embedding.model_name, reranker.model_name',
    },
    { from: 'ai.model.provider', to: 'llm.provider, llm.system', note: 'The part before the first dot.' },
    { from: 'ai.settings.*, ai.prompt.toolChoice', to: 'llm.invocation_parameters' },
    { from: 'ai.prompt.messages, ai.prompt', to: 'llm.input_messages, input.value' },
    { from: 'ai.prompt.tools', to: 'llm.tools' },
    {
      from: 'ai.response.text, ai.response.object, ai.response.reasoning, ai.response.toolCalls, ai.response.files; up to 3.4 ai.result.*',
      to: 'llm.output_messages, output.value',
    },
    { from: 'ai.response.finishReason, ai.finishReason', to: 'llm.finish_reason' },
    {
      from: 'ai.usage.*',
      to: 'llm.token_count.*',
      note: 'Anthropic and Bedrock up to version 5 exclude cached tokens from the input: they are added, from ai.response.providerMetadata if they are only there. Version 4 has reasoning and cached tokens of OpenAI and compatible providers only in ai.response.providerMetadata (reasoningTokens, cachedPromptTokens).',
    },
    {
      from: 'ai.toolCall.name, ai.toolCall.id, ai.toolCall.args, ai.toolCall.result',
      to: 'tool.name, tool.id, tool.parameters, input.value, output.value',
    },
    { from: 'ai.value, ai.values, ai.embedding, ai.embeddings', to: 'embedding.embeddings' },
    { from: 'ai.documents, ai.ranking', to: 'reranker.input_documents, reranker.output_documents' },
    { from: 'ai.telemetry.metadata.*, ai.settings.context.*', to: 'metadata, session.id, user.id, tag.tags' },
  ],
  notCovered: ['Times of streams (ai.response.msToFirstChunk and the like) keep their own names.'],
};
