/**
 * Messages in the forms that frameworks have for themselves, as those that `readMessages` reads: LangChain's, the Vercel AI
 * SDK's, Haystack's, smolagents' and LlamaIndex's, also as Python prints them. A value of another form stays as it is.
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import { type Messages, readMessages } from '../gen-ai/messages.ts';
import { readPythonContainer } from '../python-repr.ts';
import { toPlainPart } from './plain-part.ts';

/** Reads a list of messages, or of lists of them, as frameworks send batches; also one message alone, and a text. */
export function readPlainMessages(value: JsonValue | undefined, defaultRole: string): Messages {
  return readMessages(listMessages(value).map(toPlainMessage), defaultRole);
}

function listMessages(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined || value === null || value === '') return [];
  if (!Array.isArray(value)) return [value];
  // A batch of one conversation; of several, each is read one after the other.
  return value.every((item) => Array.isArray(item) && !isRoleAndText(item)) ? value.flat() : value;
}

/** The message with a role, parts and calls of the conventions. */
export function toPlainMessage(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    const read = readPythonContainer(value);
    return isJsonObject(read) && roleOf(read) !== undefined ? toPlainMessage(read) : value;
  }
  if (isRoleAndText(value)) return toMessage(value[0], Object.assign(jsonObject(), { content: value[1] }));
  if (!isJsonObject(value)) return value;
  const { lc, id, kwargs, data, type } = value;
  if (lc !== undefined && isJsonObject(kwargs)) return toMessage(roleOfClass(id) ?? roleOf(kwargs), kwargs);
  if (isJsonObject(data) && isRole(type)) return toMessage(type, data);
  const role = roleOf(value);
  return role === undefined || isPlain(role, value) ? value : toMessage(role, value);
}

/** Whether there is nothing to be done: most messages are of this kind. */
function isPlain(role: JsonValue, message: JsonObject): boolean {
  if (role !== message['role'] || !isRole(role) || ROLES.get(role) !== role) return false;
  if (message['tool_calls'] !== undefined && Array.isArray(message['content'])) return false;
  return !FRAMEWORK_KEYS.some((key) => message[key] !== undefined);
}

const FRAMEWORK_KEYS: readonly string[] = ['additional_kwargs', '_content', 'blocks', 'toolCalls', 'reasoning'];

/** LangChain takes a message as the pair of its role and its text. */
function isRoleAndText(value: JsonValue): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && isRole(value[0]) && typeof value[1] === 'string';
}

function isRole(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && ROLES.has(value);
}

function roleOf(message: JsonObject): JsonValue | undefined {
  const { role, _role: privateRole, type } = message;
  const named = typeof type === 'string' ? type.replace(/MessageChunk$/, '') : undefined;
  return role ?? privateRole ?? (isRole(named) ? named : undefined);
}

/** LangChain's serialisation has the class of a message at the end of its id. */
function roleOfClass(id: JsonValue | undefined): string | undefined {
  const className = Array.isArray(id) ? id.at(-1) : undefined;
  return typeof className === 'string' ? CLASS_ROLES.get(className.replace(/Chunk$/, '')) : undefined;
}

const CLASS_ROLES: ReadonlyMap<string, string> = new Map([
  ['SystemMessage', 'system'],
  ['HumanMessage', 'user'],
  ['AIMessage', 'assistant'],
  ['ToolMessage', 'tool'],
  ['FunctionMessage', 'function'],
]);

/** What frameworks call roles. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ['system', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['human', 'user'],
  ['ai', 'assistant'],
  ['AI', 'assistant'],
  // As smolagents sends them.
  ['tool-call', 'assistant'],
  ['tool-response', 'user'],
]);

function toMessage(role: JsonValue | undefined, fields: JsonObject): JsonObject {
  const { additional_kwargs: kwargs } = fields;
  const more = isJsonObject(kwargs) ? kwargs : jsonObject();
  const calls = listCalls(fields['tool_calls'] ?? fields['toolCalls'], more['tool_calls']);
  const content = CONTENT_KEYS.map((key) => fields[key]).find((value) => value !== undefined && value !== null);
  const message = jsonObject();
  const read: Readonly<Record<string, JsonValue | undefined>> = {
    role: isRole(role) ? ROLES.get(role) : role,
    content: withoutCalls(content, calls),
    tool_calls: calls.length > 0 ? calls : fields['function_call'],
    tool_call_id: fields['tool_call_id'] ?? more['tool_call_id'],
    name: fields['name'],
    finish_reason: fields['finish_reason'],
    reasoning_content: fields['reasoning_content'] ?? fields['reasoning'],
  };
  for (const [key, value] of Object.entries(read)) if (value !== undefined && value !== null) message[key] = value;
  return message;
}

const CONTENT_KEYS: readonly string[] = ['content', '_content', 'parts', 'blocks'];

/** The first of the lists that has calls, in the form that `readToolCall` reads. */
function listCalls(...lists: readonly (JsonValue | undefined)[]): JsonObject[] {
  const listed = lists.find((list) => Array.isArray(list) && list.length > 0);
  return Array.isArray(listed) ? listed.filter(isJsonObject).map(toPlainCall) : [];
}

/** The Vercel AI SDK names the fields of a call for what they are of. */
function toPlainCall(call: JsonObject): JsonObject {
  const { toolCallId, toolName } = call;
  if (toolCallId === undefined && toolName === undefined) return call;
  const copy = Object.assign(jsonObject(), call);
  if (toolCallId !== undefined) copy['id'] ??= toolCallId;
  if (toolName !== undefined) copy['name'] ??= toolName;
  return copy;
}

/** The content, without parts that repeat a call of the message. */
function withoutCalls(content: JsonValue | undefined, calls: readonly JsonObject[]): JsonValue | undefined {
  if (!Array.isArray(content) || calls.length === 0) return content;
  const known = new Set(calls.map(({ id }) => id));
  const isKnownCall = (part: JsonObject): boolean =>
    CALL_TYPES.has(part['type'] ?? null) && typeof part['id'] === 'string' && known.has(part['id']);
  return content.filter((part) => !isJsonObject(part) || !isKnownCall(toPlainPart(part)));
}

const CALL_TYPES: ReadonlySet<JsonValue> = new Set(['tool_call', 'tool_use']);
