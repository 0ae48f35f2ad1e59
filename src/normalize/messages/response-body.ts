/**
 * Answers of models, as providers' APIs and frameworks give them: OpenAI's two APIs, Anthropic's, Gemini's, Bedrock's,
 * and what LangChain, LlamaIndex, Haystack and others make of them.
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import { joinMessages, type Messages, readMessages } from '../gen-ai/messages.ts';
import { readPythonContainer } from '../python-repr.ts';
import { type UsageReading, readUsage } from '../usage-object.ts';
import { readPlainMessages, toPlainMessage } from './plain-message.ts';

/** What an answer says; absent where it does not. */
export interface ResponseBody {
  readonly messages: Messages;
  readonly model: string | undefined;
  readonly id: string | undefined;
  readonly finishReason: string | undefined;
  readonly usage: UsageReading | undefined;
}

/** Reads an answer; a text is one, too. `undefined` where the value has no message. */
export function readResponseBody(value: JsonValue | undefined): ResponseBody | undefined {
  const body = unwrap(value);
  const messages = readAnswers(body);
  if (messages.read.length === 0) return undefined;
  const sources = sourcesOf(body);
  return {
    messages,
    model: firstText(sources, MODEL_KEYS),
    id: firstText(sources, ['id', 'response_id', 'responseId']),
    finishReason: firstText([...sources, ...choicesOf(body)], FINISH_KEYS),
    usage: usageOf(sources),
  };
}

/** Reads only what was used; also of an answer without messages. */
export function readResponseUsage(value: JsonValue | undefined): UsageReading | undefined {
  return usageOf(sourcesOf(unwrap(value)));
}

/** Where an answer says what is no message, the provider's own words first. */
function sourcesOf(body: JsonValue | undefined): JsonObject[] {
  if (Array.isArray(body)) return body.flatMap(detailsOfItem);
  if (!isJsonObject(body)) return [];
  const { raw } = body;
  return [...listOf(typeof raw === 'string' ? readPythonContainer(raw) : raw), body, ...detailsOf(body)];
}

function usageOf(sources: readonly JsonObject[]): UsageReading | undefined {
  const usage = sources.flatMap((source) => USAGE_KEYS.map((key) => source[key])).find(isJsonObject);
  return usage === undefined ? undefined : readUsage(usage);
}

const MODEL_KEYS: readonly string[] = ['model', 'model_name', 'modelVersion', 'model_version'];
const FINISH_KEYS: readonly string[] = ['finish_reason', 'finishReason', 'stop_reason', 'stopReason'];
const USAGE_KEYS: readonly string[] = ['usage', 'usage_metadata', 'usageMetadata', 'token_usage', 'tokenUsage'];

/** What an answer stands in where a framework has only one thing to give. */
function unwrap(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === 'string') return readPythonContainer(value) ?? value;
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value);
  const [key] = keys;
  return keys.length === 1 && key !== undefined && WRAPPERS.has(key) ? (value[key] ?? value) : value;
}

const WRAPPERS: ReadonlySet<string> = new Set(['output', 'response', 'result']);

function readAnswers(body: JsonValue | undefined): Messages {
  if (typeof body === 'string' || Array.isArray(body)) return readPlainMessages(body, 'assistant');
  if (!isJsonObject(body)) return NONE;
  const choices = choicesOf(body);
  if (choices.length > 0) return joinMessages(choices.map(readChoice));
  const { output, content, replies, message, role, text } = body;
  if (isJsonObject(output) && isJsonObject(output['message']))
    return readPlainMessages([output['message']], 'assistant');
  if (Array.isArray(output)) return joinItems(output);
  if (Array.isArray(replies)) return readPlainMessages(replies, 'assistant');
  if (isJsonObject(content) && Array.isArray(content['parts'])) return readPlainMessages([content], 'assistant');
  if (role !== undefined || body['lc'] !== undefined || content !== undefined || body['tool_calls'] !== undefined) {
    return readPlainMessages([body], 'assistant');
  }
  if (isJsonObject(message)) return readPlainMessages([message], 'assistant');
  return typeof text === 'string' ? readPlainMessages(text, 'assistant') : NONE;
}

const NONE: Messages = { sent: [], read: [] };

/** The alternatives that an answer has, in whichever list. */
function choicesOf(body: JsonValue | undefined): JsonObject[] {
  if (!isJsonObject(body)) return [];
  const lists = ['choices', 'candidates', 'generations'].map((key) => body[key]);
  const list = lists.find((value) => Array.isArray(value) && value.length > 0);
  return Array.isArray(list) ? list.flat().filter(isJsonObject) : [];
}

function readChoice(choice: JsonObject): Messages {
  const { message, delta, content, text } = choice;
  const inner = [message, delta, content].find(isJsonObject);
  if (inner === undefined) return readPlainMessages(typeof text === 'string' ? text : undefined, 'assistant');
  const read = toPlainMessage(inner);
  const reason = firstText([choice, ...listOf(choice['generation_info'] ?? choice['generationInfo'])], FINISH_KEYS);
  if (isJsonObject(read) && reason !== undefined) read['finish_reason'] = reason;
  return readMessages([read], 'assistant');
}

/** The items of the Responses API are parts of one message, as other APIs have them. */
function joinItems(items: readonly JsonValue[]): Messages {
  if (!items.some((item) => isJsonObject(item) && ITEM_TYPES.has(item['type'] ?? null))) {
    return readPlainMessages([...items], 'assistant');
  }
  const whole = jsonObject();
  whole['role'] = 'assistant';
  whole['content'] = items.filter(isJsonObject).flatMap((item): JsonValue[] => {
    const { content } = item;
    if (item['type'] !== 'message') return [item];
    return Array.isArray(content) ? content : content === undefined || content === null ? [] : [content];
  });
  return readMessages([whole], 'assistant');
}

const ITEM_TYPES: ReadonlySet<JsonValue> = new Set(['message', 'reasoning', 'function_call']);

/** Where frameworks keep what the API said beside the message. */
function detailsOf(body: JsonObject): JsonObject[] {
  const { llm_output: llmOutput, llmOutput: llmOutputJs, replies } = body;
  return [
    ...listOf(llmOutput ?? llmOutputJs),
    ...choicesOf(body).flatMap(({ message }) => detailsOfItem(message)),
    ...(Array.isArray(replies) ? replies.flatMap(detailsOfItem) : []),
    ...detailsOfMessage(body),
  ];
}

function detailsOfItem(item: JsonValue | undefined): JsonObject[] {
  const value = typeof item === 'string' ? readPythonContainer(item) : item;
  if (!isJsonObject(value)) return [];
  return detailsOfMessage(isJsonObject(value['kwargs']) ? value['kwargs'] : value);
}

/** LangChain's messages have the usage and the rest, each in a field of its own; Haystack's have both in one. */
function detailsOfMessage(message: JsonObject): JsonObject[] {
  const { response_metadata: metadata, usage_metadata: usage, _meta: privateMeta, meta } = message;
  const tokens = jsonObject();
  if (isJsonObject(usage)) tokens['usage_metadata'] = usage;
  const kept = privateMeta ?? meta;
  return [tokens, ...listOf(metadata), ...(Array.isArray(kept) ? kept.filter(isJsonObject) : listOf(kept))];
}

function listOf(value: JsonValue | undefined): JsonObject[] {
  return isJsonObject(value) ? [value] : [];
}

function firstText(sources: readonly JsonObject[], keys: readonly string[]): string | undefined {
  for (const source of sources) {
    for (const key of keys) {
      const value = source[key];
      if (typeof value === 'string' && value !== '') return value;
    }
  }
  return undefined;
}
