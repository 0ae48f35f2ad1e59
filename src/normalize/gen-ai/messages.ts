/** Messages of the GenAI conventions, old and new, as OpenInference's. */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import { readJsonContainer, readJsonItems } from '../json-value.ts';
import { type MessagePart, readMessagePart, readToolCall } from './message-part.ts';

/** Messages as a span carries them: as they were, and in OpenInference's shape (`{message: {role, …}}`). */
export interface Messages {
  readonly sent: readonly JsonValue[];
  readonly read: readonly JsonObject[];
}

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
  if (value === undefined) return { sent: [], read: [] };
  const message = jsonObject();
  message['role'] = 'system';
  message['parts'] = (typeof value === 'string' ? readJsonContainer(value) : undefined) ?? value;
  return readMessages([message], 'system');
}

/** The text that is all of the conversation's side, apart from instructions of the system; `undefined` where there is more. */
export function onlyText({ read }: Messages): string | undefined {
  const said = read.map(({ message }) => message as JsonObject).filter(({ role }) => role !== 'system');
  const [only] = said;
  if (said.length !== 1 || only === undefined || only['tool_calls'] !== undefined) return undefined;
  return typeof only['content'] === 'string' ? only['content'] : undefined;
}

function listMessages(value: JsonValue | undefined): readonly JsonValue[] {
  const given = (typeof value === 'string' ? readJsonItems(value) : undefined) ?? value;
  if (Array.isArray(given)) return given;
  if (!isJsonObject(given)) return typeof given === 'string' && given !== '' ? [given] : [];
  if (Array.isArray(given['messages'])) return given['messages'];
  return isMessage(given) || typeof value !== 'string' ? [given] : [value];
}

function isMessage(value: JsonObject): boolean {
  return ['role', 'parts', 'content', 'tool_calls', 'message'].some((key) => value[key] !== undefined);
}

function readMessage(value: JsonValue, defaultRole: string): JsonObject[] {
  if (typeof value === 'string') return [wrap({ role: defaultRole, content: value })];
  if (!isJsonObject(value) || !isMessage(value)) return [];
  // A choice holds its message inside, or only the message's parts.
  const { message: inner, finish_reason: finishReason } = value;
  const message = isJsonObject(inner) ? inner : value;
  const role = typeof message['role'] === 'string' ? message['role'] : defaultRole;
  const parts = listParts(message['parts'] ?? message['content'] ?? (message === value ? inner : undefined));
  const answers = parts.filter((part) => part.type === 'tool_result');
  const read = answers.map(({ callId, text }) => wrap({ role: 'tool', tool_call_id: callId, content: text }));
  const rest = wrap({
    role,
    ...contentFields(parts),
    tool_calls: toolCalls(message, parts),
    name: text(message['name']),
    tool_call_id: role === 'tool' ? text(message['tool_call_id'] ?? message['id']) : undefined,
    finish_reason: text(finishReason ?? message['finish_reason']),
  });
  return answers.length > 0 && answers.length === parts.length ? read : [...read, rest];
}

/** Bare texts are one part together: as parts of their own, a short message could hold enough to fill a heap. */
function listParts(value: JsonValue | undefined): MessagePart[] {
  if (value === undefined || value === null) return [];
  const sent = Array.isArray(value) ? value : [value];
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

function toolCalls(message: JsonObject, parts: readonly MessagePart[]): JsonObject[] | undefined {
  const listed = Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isJsonObject) : [];
  const calls = [
    ...parts.filter((part) => part.type === 'tool_call').map(({ call }) => call),
    ...listed.map(readToolCall),
  ].map((call) => {
    const item = jsonObject();
    item['tool_call'] = call;
    return item;
  });
  return calls.length === 0 ? undefined : calls;
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
