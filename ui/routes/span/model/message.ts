/** One message of a conversation with a model, in OpenInference's shape (`{message: {role, content, …}}`). */
import type { JsonObject, JsonValue } from '#base/json';
import { type MediaSource, readMediaSource } from './media.ts';
import { isEmpty, readList, readObject, readStructure, readText, restOf } from './read-json.ts';

/** Who speaks, as far as the view tells them apart. */
export type MessageRole = 'system' | 'user' | 'assistant' | 'tool' | 'other';

/** A call that a model asks for. */
export interface ToolCall {
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** JSON where it is JSON, else the text that was sent. */
  readonly arguments: JsonValue | undefined;
}

/** What a message is made of, in its order. */
export type MessagePart =
  | { readonly type: 'text'; readonly text: string }
  /** `text` is absent where the provider keeps it to itself. */
  | { readonly type: 'reasoning'; readonly text: string | undefined }
  | { readonly type: 'redacted' }
  | {
      readonly type: 'media';
      readonly medium: 'image' | 'audio' | 'video' | 'file';
      /** Absent where it was not recorded. */
      readonly source: MediaSource | undefined;
      readonly name: string | undefined;
      readonly transcript: string | undefined;
    }
  | { readonly type: 'tool_call'; readonly call: ToolCall }
  /** What is not understood, as it is. */
  | { readonly type: 'json'; readonly value: JsonValue };

/** See {@link readMessage}. */
export interface Message {
  readonly role: MessageRole;
  /** The role in the producer's own word. */
  readonly roleName: string;
  readonly name: string | undefined;
  readonly parts: readonly MessagePart[];
  /** Of a tool's answer: the call that it answers. */
  readonly toolCallId: string | undefined;
  readonly finishReason: string | undefined;
}

/** Reads a message; whatever has no place in it is kept as a part that is JSON. */
export function readMessage(item: JsonValue): Message {
  const wrapper = readObject(item);
  const message = readObject(wrapper?.['message']) ?? wrapper;
  if (message === undefined) return { ...NOBODY, parts: isEmpty(item) ? [] : [plainPart(item)] };
  const roleName = readText(message['role']) ?? '';
  return {
    role: ROLES.get(roleName.toLowerCase()) ?? 'other',
    roleName,
    name: readText(message['name']),
    parts: readParts(message),
    toolCallId: readText(message['tool_call_id']),
    finishReason: readText(message['finish_reason']),
  };
}

function readParts(message: JsonObject): MessagePart[] {
  const content = message['content'];
  const rest = restOf(message, MESSAGE_FIELDS);
  const contents = readList(message['contents']);
  const calls = readList(message['tool_calls']);
  const items = (contents ?? []).map(readContentItem);
  const listed = (calls ?? []).map((call) => readToolCallItem(call) ?? plainPart(call));
  return [
    ...(isEmpty(content) ? [] : readContent(content as JsonValue)),
    ...items,
    ...listed.filter((part) => !items.some((item) => isSameCall(item, part))),
    ...readLegacyCall(message),
    ...(contents === undefined && !isEmpty(message['contents']) ? [plainPart(message['contents'] as JsonValue)] : []),
    ...(calls === undefined && !isEmpty(message['tool_calls']) ? [plainPart(message['tool_calls'] as JsonValue)] : []),
    ...(rest === undefined ? [] : [{ type: 'json' as const, value: rest }]),
  ];
}

/** A call that stands among the contents, for its order's sake, is often listed a second time. */
function isSameCall(one: MessagePart, other: MessagePart): boolean {
  return (
    one.type === 'tool_call' && other.type === 'tool_call' && one.call.id !== undefined && one.call.id === other.call.id
  );
}

/** The content is a text, or by some a list of parts as the provider has them. */
function readContent(content: JsonValue): MessagePart[] {
  return Array.isArray(content) ? content.map(readContentItem) : [plainPart(content)];
}

function readContentItem(item: JsonValue): MessagePart {
  const holder = readObject(item);
  if (holder === undefined) return plainPart(item);
  const content = readObject(holder['message_content']) ?? holder;
  const call = holder['tool_call'] ?? content['tool_call'];
  if (call !== undefined) return readToolCallItem(call) ?? plainPart(item);
  return readTyped(content) ?? { type: 'json', value: content };
}

/** The part by its own word for what it is; by what it holds where it has none. */
function readTyped(content: JsonObject): MessagePart | undefined {
  const type = readText(content['type'])?.toLowerCase() ?? '';
  const text = readText(content['text']);
  if (type === 'reasoning' || type === 'thinking' || type === 'redacted_thinking') {
    return { type: 'reasoning', text: text ?? readText(content['thinking']) };
  }
  if (type === 'tool_use' || type === 'tool_call') return readToolCallItem(content);
  for (const [medium, field] of MEDIA_FIELDS) {
    if (content[field] !== undefined) return readMedia(medium, content, content[field]);
  }
  if (text === undefined) return readLeftOut(type);
  return TEXT_TYPES.has(type) ? plainPart(text) : { type: 'json', value: readStructure(text) ?? text };
}

/** OpenInference names the medium twice: `{image: {image: {url}}}`. */
function readMedia(medium: 'image' | 'audio' | 'video' | 'file', content: JsonObject, field: JsonValue): MessagePart {
  const outer = readObject(field);
  const inner = readObject(outer?.[medium] ?? outer?.['document']) ?? outer;
  const url = typeof field === 'string' ? field : readText(inner?.['url'] ?? inner?.['data']);
  const transcript = readText(inner?.['transcript']);
  const name = readText(inner?.['name'] ?? inner?.['filename'] ?? inner?.['mime_type']);
  if (url === undefined && transcript === undefined && name === undefined) return { type: 'json', value: content };
  if (url === REDACTED) return { type: 'redacted' };
  return { type: 'media', medium, source: url === undefined ? undefined : readMediaSource(url), name, transcript };
}

function readToolCallItem(item: JsonValue): MessagePart | undefined {
  const holder = readObject(item);
  const call = readObject(holder?.['tool_call']) ?? holder;
  if (call === undefined) return undefined;
  const target = readObject(call['function']) ?? call;
  const name = readText(target['name']);
  const id = readText(call['id']);
  if (name === undefined && id === undefined) return undefined;
  return { type: 'tool_call', call: { id, name, arguments: readStructure(target['arguments'] ?? target['input']) } };
}

function readLegacyCall(message: JsonObject): MessagePart[] {
  const name = readText(message['function_call_name']);
  if (name === undefined) return [];
  const given = readStructure(message['function_call_arguments_json']);
  return [{ type: 'tool_call', call: { id: undefined, name, arguments: given } }];
}

function plainPart(value: JsonValue): MessagePart {
  const text = readText(value);
  if (text === undefined) return { type: 'json', value };
  return text === REDACTED ? { type: 'redacted' } : { type: 'text', text };
}

/** What OpenInference's masking leaves of a text. */
const REDACTED = '__REDACTED__';

const NOBODY = {
  role: 'other',
  roleName: '',
  name: undefined,
  toolCallId: undefined,
  finishReason: undefined,
} as const;

const ROLES: ReadonlyMap<string, MessageRole> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['tool-response', 'tool'],
  ['tool-call', 'assistant'],
]);

/** A medium of which the producer says no more than what it was. */
function readLeftOut(type: string): MessagePart | undefined {
  if (type !== 'image' && type !== 'audio' && type !== 'video') return undefined;
  return { type: 'media', medium: type, source: undefined, name: undefined, transcript: undefined };
}

const TEXT_TYPES: ReadonlySet<string> = new Set(['', 'text', 'input_text', 'output_text', 'refusal']);

const MEDIA_FIELDS = [
  ['image', 'image'],
  ['image', 'image_url'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['file', 'document'],
  ['file', 'file'],
] as const;

const MESSAGE_FIELDS: ReadonlySet<string> = new Set([
  'role',
  'name',
  'content',
  'contents',
  'tool_calls',
  'tool_call_id',
  'finish_reason',
  'function_call_name',
  'function_call_arguments_json',
]);
