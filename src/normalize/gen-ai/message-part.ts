/**
 * Parts of a message, in the forms that libraries of the GenAI conventions send: the conventions' own, and those of
 * providers that some pass on.
 * @see https://github.com/open-telemetry/semantic-conventions/blob/main/docs/gen-ai/gen-ai-input-messages.json
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import { toJsonText } from '../json-value.ts';
import { toPlainPart } from '../messages/plain-part.ts';
import { mediaContent, readConventionMedia, readLeftOutMedia } from './media.ts';
import { readAnsweredId, readToolCall, toolResultText } from './tool-call.ts';

/** What a part is to OpenInference. */
export type MessagePart =
  | { readonly type: 'text'; readonly text: string }
  /** Anything else that is said or shown: the object under `message_content`. */
  | { readonly type: 'content'; readonly content: JsonObject }
  /** The object under `tool_call`. */
  | { readonly type: 'tool_call'; readonly call: JsonObject }
  | {
      readonly type: 'tool_result';
      readonly callId: string | undefined;
      readonly text: string;
      /** What it says and shows, if that is more than text. */
      readonly contents: readonly ShownPart[];
    };

/** What is said or shown. */
export type ShownPart = Extract<MessagePart, { type: 'text' | 'content' }>;

/** Reads a part; one of an unknown form is kept as its JSON. */
export function readMessagePart(part: JsonObject): MessagePart {
  const read = readKnownPart(part);
  if (read !== undefined) return read;
  return readPlain(part) ?? shown(readLeftOutMedia(part)) ?? keep(part);
}

function readPlain(part: JsonObject): MessagePart | undefined {
  const plain = toPlainPart(part);
  return plain === part ? undefined : readKnownPart(plain);
}

function readKnownPart(part: JsonObject): MessagePart | undefined {
  switch (part['type']) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return textPart(part['content'] ?? part['text']);
    case 'reasoning':
    case 'thinking':
    case 'redacted_thinking':
      return readReasoning(part);
    case 'tool_call':
    case 'tool_use':
    case 'server_tool_use':
      return { type: 'tool_call', call: readToolCall(part) };
    case 'server_tool_call':
      return { type: 'tool_call', call: readServerCall(part) };
    case 'tool_call_response':
    case 'tool_result':
    case 'server_tool_call_response':
      return readToolResult(part);
    case 'blob':
    case 'uri':
    case 'file_data':
      return shown(readConventionMedia(part));
    case 'image_url':
      return shown(readImageUrl(part));
    case undefined:
      return readBedrockPart(part);
    default:
      return undefined;
  }
}

/** A text, or the object that OpenAI's assistants have for it, with annotations. */
function textPart(said: JsonValue | undefined): ShownPart | undefined {
  const text = isJsonObject(said) ? said['value'] : said;
  return typeof text === 'string' ? { type: 'text', text } : undefined;
}

/** What a model thought, or what its provider gives of it: a text, a summary, or only what it can read itself. */
function readReasoning(part: JsonObject): MessagePart | undefined {
  const said = [part['content'], part['thinking'], part['text'], part['summary']].find(isSaid);
  const content = jsonObject();
  content['type'] = 'reasoning';
  if (said !== undefined) content['text'] = toolResultText(said);
  for (const key of REASONING_KEYS) if (typeof part[key] === 'string') content[key] = part[key];
  return Object.keys(content).length > 1 ? { type: 'content', content } : undefined;
}

function isSaid(value: JsonValue | undefined): value is string | JsonValue[] {
  return typeof value === 'string' || (Array.isArray(value) && value.length > 0);
}

const REASONING_KEYS: readonly string[] = ['id', 'signature', 'data', 'encrypted_content'];

/** A tool that the provider ran itself: what it was asked is an object of the tool's own. */
function readServerCall(part: JsonObject): JsonObject {
  const call = jsonObject();
  for (const key of ['id', 'name']) if (part[key] !== undefined) call[key] = part[key];
  if (part['server_tool_call'] !== undefined) call['arguments'] = part['server_tool_call'];
  return readToolCall(call);
}

function readToolResult(part: JsonObject): MessagePart {
  const result = part['response'] ?? part['result'] ?? part['content'] ?? part['server_tool_call_response'];
  return {
    type: 'tool_result',
    callId: readAnsweredId(part),
    text: toolResultText(result ?? ''),
    contents: Array.isArray(result) ? readShown(result) : [],
  };
}

/** The parts of a result with pictures or files, such as what a screen shows; none of a result of texts. */
function readShown(result: readonly JsonValue[]): ShownPart[] {
  // A result inside a result is kept as it is.
  const blocks = result.filter(isJsonObject).map((block) => ({ block, medium: readMedium(block) }));
  if (blocks.every(({ medium }) => medium === undefined)) return [];
  return blocks.map(({ block, medium }) => medium ?? textPart(block['text'] ?? block['content']) ?? keep(block));
}

function readMedium(block: JsonObject): ShownPart | undefined {
  const plain = toPlainPart(block);
  const content =
    plain['type'] === 'blob' || plain['type'] === 'uri' ? readConventionMedia(plain) : readImageUrl(block);
  return shown(content ?? readLeftOutMedia(block));
}

/** Bedrock's parts have no type, only one field that is named for it. */
function readBedrockPart(part: JsonObject): MessagePart | undefined {
  const { text, toolUse, toolResult, reasoningContent } = part;
  if (text !== undefined && part['thought'] === undefined) return textPart(text);
  if (isJsonObject(toolUse)) return { type: 'tool_call', call: readToolCall(toolUse) };
  if (isJsonObject(toolResult)) return readToolResult(toolResult);
  const reasoning = isJsonObject(reasoningContent) ? reasoningContent['reasoningText'] : undefined;
  return isJsonObject(reasoning) ? readReasoning(reasoning) : undefined;
}

function readImageUrl({ image_url: image }: JsonObject): JsonObject | undefined {
  return mediaContent('image', isJsonObject(image) ? image['url'] : image);
}

function shown(content: JsonObject | undefined): ShownPart | undefined {
  return content === undefined ? undefined : { type: 'content', content };
}

function keep(part: JsonObject): ShownPart {
  const content = jsonObject();
  content['type'] = typeof part['type'] === 'string' ? part['type'] : (Object.keys(part)[0] ?? 'unknown');
  content['text'] = toJsonText(part);
  return { type: 'content', content };
}
