/** Messages of the GenAI conventions, old and new, as OpenInference's. */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import { readJsonContainer, readJsonItems, toJsonText } from '../json-value.ts';
import { type MessagePart, readMessagePart } from './message-part.ts';
import { readToolCall } from './tool-call.ts';

/** Messages as a span carries them: as they were, and in OpenInference's shape (`{message: {role, …}}`). */
export interface Messages {
  readonly sent: readonly JsonValue[];
  readonly read: readonly JsonObject[];
}

/** Nobody said anything. */
export const NO_MESSAGES: Messages = { sent: [], read: [] };

/**
 * Reads messages from a structured value or from JSON text; a text that is no JSON is one message. What is no message
 * is left out, its neighbours are not.
 */
export function readMessages(value: JsonValue | undefined, defaultRole: string): Messages {
  const sent = listMessages(value);
  return { sent, read: sent.flatMap((message) => readMessage(message, defaultRole)) };
}

/** The messages one after the other. */
export function joinMessages(parts: readonly Messages[]): Messages {
  return { sent: parts.flatMap(({ sent }) => sent), read: parts.flatMap(({ read }) => read) };
}

/** Instructions of the system, a list of parts, as the message they are. */
export function readSystemInstructions(value: JsonValue | undefined): Messages {
  if (value === undefined || isEmptyList(value)) return NO_MESSAGES;
  const message = jsonObject();
  message['role'] = 'system';
  message['parts'] = (typeof value === 'string' ? readJsonContainer(value) : undefined) ?? value;
  return readMessages([message], 'system');
}

/** Instructions before the messages; not a second time where the messages begin with them. */
export function joinInstructions(instructions: Messages, messages: Messages): Messages {
  const [told] = instructions.read.map(messageOf);
  const isThere = messages.read.map(messageOf).some((one) => one['role'] === 'system' && isSaying(one, told));
  return isThere ? messages : joinMessages([instructions, messages]);
}

/** The text that is all of the conversation's side, apart from instructions of the system; `undefined` where there is more. */
export function onlyText({ read }: Messages): string | undefined {
  const said = read.map(messageOf).filter(({ role }) => role !== 'system');
  const [only] = said;
  if (said.length !== 1 || only === undefined || only['tool_calls'] !== undefined) return undefined;
  return typeof only['content'] === 'string' ? only['content'] : undefined;
}

/** The texts of one message in OpenInference's shape. */
export function messageTexts(item: JsonObject): string[] {
  const { content, contents } = messageOf(item);
  if (typeof content === 'string') return [content];
  return listOf(contents).flatMap((holder) => {
    const part = isJsonObject(holder) ? holder['message_content'] : undefined;
    return isJsonObject(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : [];
  });
}

/** The calls that are asked for, in OpenInference's shape, in their order. */
export function listCalls({ read }: Messages): JsonObject[] {
  return read
    .flatMap((item) => listOf(messageOf(item)['tool_calls']))
    .map((item) => (isJsonObject(item) ? item['tool_call'] : undefined))
    .filter(isJsonObject);
}

/** The arguments of the first call that is asked for. */
export function firstArguments(messages: Messages): JsonValue | undefined {
  const target = listCalls(messages)[0]?.['function'];
  return isJsonObject(target) ? target['arguments'] : undefined;
}

/** What the first tool that answers says; JSON if it shows more than text. */
export function firstAnswer({ read }: Messages): string | undefined {
  const answer = read.map(messageOf).find(({ role }) => role === 'tool');
  const said = answer?.['content'] ?? answer?.['contents'];
  return said === undefined ? undefined : toJsonText(said);
}

function listMessages(value: JsonValue | undefined): readonly JsonValue[] {
  const given = (typeof value === 'string' ? readJsonItems(value) : undefined) ?? value;
  if (Array.isArray(given)) return given;
  if (!isJsonObject(given)) return typeof given === 'string' && given !== '' ? [given] : [];
  if (Array.isArray(given['messages'])) return given['messages'];
  return isMessage(given) || typeof value !== 'string' ? [given] : [value];
}

function isMessage(value: JsonObject): boolean {
  return MESSAGE_KEYS.some((key) => value[key] !== undefined);
}

const MESSAGE_KEYS: readonly string[] = ['role', 'parts', 'content', 'tool_calls', 'function_call', 'message'];

function readMessage(value: JsonValue, defaultRole: string): JsonObject[] {
  if (typeof value === 'string') return [wrap({ role: defaultRole, content: value })];
  if (!isJsonObject(value)) return [];
  if (ITEM_TYPES.has(value['type'] ?? null)) return readItem(value);
  if (!isMessage(value)) return [];
  // A choice holds its message inside, or only the message's parts.
  const { message: inner, finish_reason: finishReason } = value;
  const outer = isJsonObject(inner) ? inner : value;
  // Gemini's content holds the parts, and who says them.
  const message = isGeminiContent(outer['content']) ? outer['content'] : outer;
  const role = readRole(message['role'] ?? outer['role'], defaultRole);
  const parts = [
    ...readThoughts(message),
    ...listParts(message['parts'] ?? message['content'] ?? (outer === value ? inner : undefined)),
  ];
  const answers = parts.filter((part) => part.type === 'tool_result');
  const read = answers.map(({ callId, text: said, contents }) =>
    wrap({
      role: 'tool',
      tool_call_id: callId,
      ...(contents.length > 0 ? contentFields(contents) : { content: said }),
    }),
  );
  if (answers.length > 0 && answers.length === parts.length) return read;
  const rest = wrap({
    role,
    ...contentFields(parts),
    // Some libraries have the calls of a choice beside its message.
    tool_calls: toolCalls(outer, parts) ?? (outer === value ? undefined : toolCalls(value, [])),
    name: text(message['name']),
    tool_call_id: role === 'tool' ? text(message['tool_call_id'] ?? message['id']) : undefined,
    finish_reason: text(finishReason ?? message['finish_reason']),
  });
  // A provider's own tools answer after the call, in one message with it.
  return role === 'assistant' ? [rest, ...read] : [...read, rest];
}

/** What a model thought, as services that speak OpenAI's language have it: beside the content. */
function readThoughts(message: JsonObject): MessagePart[] {
  const thoughts = text(message['reasoning_content']);
  if (thoughts === undefined) return [];
  const content = jsonObject();
  content['type'] = 'reasoning';
  content['text'] = thoughts;
  return [{ type: 'content', content }];
}

function isGeminiContent(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && Array.isArray(value['parts']);
}

/** Items of OpenAI's Responses API that stand among messages and are none. */
const ITEM_TYPES: ReadonlySet<JsonValue> = new Set(['function_call', 'function_call_output', 'reasoning']);

function readItem(item: JsonObject): JsonObject[] {
  const message = jsonObject();
  message['role'] = 'assistant';
  message['parts'] = [item];
  return readMessage(message, 'assistant');
}

/** Roles in the words of the conventions; who is unknown is who the place of the message says. */
function readRole(role: JsonValue | undefined, defaultRole: string): string {
  if (typeof role !== 'string' || role === '' || role === 'unknown') return defaultRole;
  return ROLES.get(role.toLowerCase()) ?? role;
}

const ROLES: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
]);

/** Bare texts are one part together: as parts of their own, a short message could hold enough to fill a heap. */
function listParts(value: JsonValue | undefined): MessagePart[] {
  const sent = listOf(value);
  const parts = sent.filter(isJsonObject).map(readMessagePart);
  const texts = sent.filter((part) => typeof part === 'string');
  return texts.length === 0 ? parts : [{ type: 'text', text: texts.join('\n') }, ...parts];
}

/** One text is the content, anything else a list of contents. */
function contentFields(parts: readonly MessagePart[]): { content?: string; contents?: JsonObject[] } {
  const shown = parts.filter((part) => part.type === 'text' || part.type === 'content');
  const [first] = shown;
  if (first === undefined) return {};
  if (shown.length === 1 && first.type === 'text') return { content: first.text };
  return {
    contents: shown.map((part) => {
      const item = jsonObject();
      item['message_content'] = part.type === 'text' ? textContent(part.text) : part.content;
      return item;
    }),
  };
}

function textContent(value: string): JsonObject {
  const content = jsonObject();
  content['type'] = 'text';
  content['text'] = value;
  return content;
}

/** The calls among the parts and beside them; some libraries have the same in both. */
function toolCalls(message: JsonObject, parts: readonly MessagePart[]): JsonObject[] | undefined {
  const among = parts.filter((part) => part.type === 'tool_call').map(({ call }) => call);
  const beside = [...listOf(message['tool_calls']), ...listOf(message['function_call'])]
    .filter(isJsonObject)
    .map(readToolCall);
  const ids = new Set(among.map(({ id }) => id));
  const calls = [...among, ...beside.filter(({ id }) => id === undefined || !ids.has(id))].map((call) => {
    const item = jsonObject();
    item['tool_call'] = call;
    return item;
  });
  return calls.length === 0 ? undefined : calls;
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function isEmptyList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0;
}

function messageOf({ message }: JsonObject): JsonObject {
  return message as JsonObject;
}

function isSaying(one: JsonObject, other: JsonObject | undefined): boolean {
  return other !== undefined && toJsonText(contentOf(one)) === toJsonText(contentOf(other));
}

function contentOf({ content, contents }: JsonObject): JsonValue {
  return content ?? contents ?? null;
}

function wrap(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const message = jsonObject();
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) message[key] = value;
  const item = jsonObject();
  item['message'] = message;
  return item;
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
