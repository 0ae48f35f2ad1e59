/**
 * Messages, in the forms that providers and frameworks have for themselves, as messages of the GenAI conventions, which
 * `readMessages` reads: OpenAI's two APIs, Anthropic's, Gemini's, Bedrock's, LangChain's, the Vercel AI SDK's,
 * Haystack's, smolagents' and LlamaIndex's. A value of another form stays as it is.
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

/** LangChain takes a message as the pair of its role and its text. */
function isRoleAndText(value: JsonValue): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && ROLES.has(value[0]);
}

/** The message with a role, parts and calls of the conventions. */
export function toPlainMessage(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    const read = readPythonContainer(value);
    return isJsonObject(read) && roleOf(read) !== undefined ? toPlainMessage(read) : value;
  }
  if (isRoleAndText(value)) return message(value[0], { content: value[1] });
  if (!isJsonObject(value)) return value;
  const { lc, kwargs, data, type } = value;
  if (lc !== undefined && isJsonObject(kwargs)) return toPlainMessage(withClassRole(kwargs, value['id']));
  if (isJsonObject(data) && typeof type === 'string' && ROLES.has(type)) return message(type, data);
  return readItem(value) ?? message(roleOf(value), value);
}

/** What the Responses API has beside messages: calls, their results, reasoning. */
function readItem(item: JsonObject): JsonObject | undefined {
  const { type, role } = item;
  if (typeof type !== 'string' || role !== undefined) return undefined;
  const itemRole = ITEM_ROLES.get(type);
  if (itemRole === undefined) return undefined;
  return message(itemRole, { content: [toPlainPart(item)] });
}

const ITEM_ROLES: ReadonlyMap<string, string> = new Map([
  ['function_call', 'assistant'],
  ['reasoning', 'assistant'],
  ['function_call_output', 'tool'],
]);

function message(role: JsonValue | undefined, fields: JsonObject | Readonly<Record<string, JsonValue>>): JsonObject {
  const read = jsonObject();
  for (const key of ['name', 'tool_call_id', 'finish_reason'] as const) {
    const value = fields[key];
    if (typeof value === 'string') read[key] = value;
  }
  if (role !== undefined) read['role'] = typeof role === 'string' ? (ROLES.get(role) ?? role) : role;
  const calls = callsOf(fields);
  if (calls.length > 0) read['tool_calls'] = calls;
  const content = CONTENT_KEYS.map((key) => fields[key]).find((value) => value !== undefined && value !== null);
  const parts = partsOf(content, calls);
  if (parts !== undefined) read['content'] = parts;
  if (read['tool_call_id'] === undefined && read['role'] === 'tool' && typeof fields['toolCallId'] === 'string') {
    read['tool_call_id'] = fields['toolCallId'];
  }
  const reasoning = fields['reasoning_content'] ?? fields['reasoning'];
  return typeof reasoning === 'string' && reasoning !== '' ? withReasoning(read, reasoning) : read;
}

const CONTENT_KEYS: readonly string[] = ['content', '_content', 'parts', 'blocks'];

/** Frameworks repeat a call's part of the content among the calls of the message. */
function partsOf(content: JsonValue | undefined, calls: readonly JsonObject[]): JsonValue | undefined {
  if (isJsonObject(content)) return [toPlainPart(content)];
  if (!Array.isArray(content)) return content;
  const known = new Set(calls.map(({ id }) => id));
  return content
    .map((part) => (isJsonObject(part) ? toPlainPart(part) : part))
    .filter(
      (part) => !(isJsonObject(part) && CALL_TYPES.has(part['type'] ?? null) && known.has(part['id'] as JsonValue)),
    );
}

const CALL_TYPES: ReadonlySet<JsonValue> = new Set(['tool_call', 'tool_use']);

function callsOf(fields: JsonObject | Readonly<Record<string, JsonValue>>): JsonObject[] {
  const { tool_calls: calls, toolCalls, additional_kwargs: more } = fields;
  const listed = [calls, toolCalls, isJsonObject(more) ? more['tool_calls'] : undefined].find(
    (list) => Array.isArray(list) && list.length > 0,
  );
  if (Array.isArray(listed)) return listed.filter(isJsonObject).map(toPlainCall);
  const { function_call: legacyCall } = fields;
  return isJsonObject(legacyCall) ? [legacyCall] : [];
}

/** LangChain and the Vercel AI SDK have the arguments in `args`, others where `readToolCall` looks for them. */
function toPlainCall(call: JsonObject): JsonObject {
  const { args, toolCallId, toolName } = call;
  if (args === undefined && toolCallId === undefined) return call;
  const read = jsonObject();
  const id = call['id'] ?? toolCallId;
  const name = call['name'] ?? toolName;
  if (id !== undefined) read['id'] = id;
  if (name !== undefined) read['name'] = name;
  const given = args ?? call['input'] ?? call['arguments'];
  if (given !== undefined) read['arguments'] = given;
  return read;
}

function withReasoning(read: JsonObject, reasoning: string): JsonObject {
  const part = jsonObject();
  part['type'] = 'reasoning';
  part['content'] = reasoning;
  const { content } = read;
  const rest = Array.isArray(content) ? content : content === undefined || content === '' ? [] : [content];
  read['content'] = [part, ...rest.map((item) => (typeof item === 'string' ? toTextPart(item) : item))];
  return read;
}

function toTextPart(text: string): JsonObject {
  const part = jsonObject();
  part['type'] = 'text';
  part['content'] = text;
  return part;
}

/** LangChain's serialisation has the class of a message at the end of its id. */
function withClassRole(fields: JsonObject, id: JsonValue | undefined): JsonObject {
  const className = Array.isArray(id) ? id.at(-1) : undefined;
  const role = typeof className === 'string' ? CLASS_ROLES.get(className.replace(/Chunk$/, '')) : undefined;
  if (role !== undefined) fields['role'] ??= role;
  return fields;
}

const CLASS_ROLES: ReadonlyMap<string, string> = new Map([
  ['SystemMessage', 'system'],
  ['HumanMessage', 'user'],
  ['AIMessage', 'assistant'],
  ['ToolMessage', 'tool'],
  ['FunctionMessage', 'function'],
]);

function roleOf(value: JsonObject): JsonValue | undefined {
  const { role, _role: privateRole, type } = value;
  return role ?? privateRole ?? (typeof type === 'string' ? ROLES.get(type.replace(/MessageChunk$/, '')) : undefined);
}

/** What frameworks call roles: LangChain, Gemini, smolagents. Any other is the role as sent. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ['system', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['human', 'user'],
  ['ai', 'assistant'],
  ['AI', 'assistant'],
  ['model', 'assistant'],
  ['tool-call', 'assistant'],
  ['tool-response', 'user'],
]);
