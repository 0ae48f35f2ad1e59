/**
 * Parts of a message, in the forms that libraries of the GenAI conventions send: the conventions' own, and those of
 * OpenAI, Anthropic and Bedrock that some pass on.
 * @see https://github.com/open-telemetry/semantic-conventions/blob/main/docs/gen-ai/gen-ai-input-messages.json
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import { toJsonText } from '../json-value.ts';

/** What a part is to OpenInference. */
export type MessagePart =
  | { readonly type: 'text'; readonly text: string }
  /** Anything else that is said or shown: the object under `message_content`. */
  | { readonly type: 'content'; readonly content: JsonObject }
  /** The object under `tool_call`. */
  | { readonly type: 'tool_call'; readonly call: JsonObject }
  | { readonly type: 'tool_result'; readonly callId: string | undefined; readonly text: string };

/** Reads a part; one of an unknown form is kept as its JSON. */
export function readMessagePart(part: JsonObject): MessagePart {
  switch (part['type']) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return readText(part, part['content'] ?? part['text']);
    case 'reasoning':
    case 'thinking':
      return readReasoning(part, part['content'] ?? part['thinking'] ?? part['text'], part['signature']);
    case 'tool_call':
    case 'tool_use':
      return { type: 'tool_call', call: readToolCall(part) };
    case 'tool_call_response':
    case 'tool_result':
      return readToolResult(part['id'] ?? part['tool_use_id'], part['response'] ?? part['result'] ?? part['content']);
    case 'blob':
    case 'uri':
      return readMedia(part) ?? keep(part);
    case 'image_url': {
      const image = part['image_url'];
      return media('image', isJsonObject(image) ? image['url'] : image) ?? keep(part);
    }
    case undefined:
      return readBedrockPart(part);
    default:
      return keep(part);
  }
}

/** The object under `tool_call`, of a call in any of the forms; arguments become JSON text. */
export function readToolCall(call: JsonObject): JsonObject {
  const inner = isJsonObject(call['function']) ? call['function'] : call;
  const read = jsonObject();
  const target = jsonObject();
  const id = call['id'] ?? call['toolUseId'];
  if (typeof id === 'string') read['id'] = id;
  if (typeof inner['name'] === 'string') target['name'] = inner['name'];
  const given = inner['arguments'] ?? inner['input'];
  if (given !== undefined && given !== null) target['arguments'] = toJsonText(given);
  read['function'] = target;
  return read;
}

/** The text of a tool's answer: the texts of a list of text parts, else JSON. */
export function toolResultText(value: JsonValue): string {
  if (!Array.isArray(value) || value.length === 0) return toJsonText(value);
  const texts = value.map((part) => (isJsonObject(part) ? (part['text'] ?? part['content']) : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : toJsonText(value);
}

function readText(part: JsonObject, text: JsonValue | undefined): MessagePart {
  return typeof text === 'string' ? { type: 'text', text } : keep(part);
}

function readReasoning(part: JsonObject, text: JsonValue | undefined, signature: JsonValue | undefined): MessagePart {
  if (typeof text !== 'string') return keep(part);
  const content = jsonObject();
  content['type'] = 'reasoning';
  content['text'] = text;
  if (typeof signature === 'string') content['signature'] = signature;
  return { type: 'content', content };
}

function readToolResult(id: JsonValue | undefined, result: JsonValue | undefined): MessagePart {
  const callId = typeof id === 'string' ? id : undefined;
  return { type: 'tool_result', callId, text: toolResultText(result ?? '') };
}

/** Bedrock's parts have no type, only one field that is named for it. */
function readBedrockPart(part: JsonObject): MessagePart {
  const { text, toolUse, toolResult, reasoningContent } = part;
  if (typeof text === 'string') return { type: 'text', text };
  if (isJsonObject(toolUse)) return { type: 'tool_call', call: readToolCall(toolUse) };
  if (isJsonObject(toolResult)) return readToolResult(toolResult['toolUseId'], toolResult['content']);
  const reasoning = isJsonObject(reasoningContent) ? reasoningContent['reasoningText'] : undefined;
  return isJsonObject(reasoning) ? readReasoning(part, reasoning['text'], reasoning['signature']) : keep(part);
}

/** Inline data (base64) or an address; drafts of the conventions had `data` and no modality. */
function readMedia(part: JsonObject): MessagePart | undefined {
  const mimeType = typeof part['mime_type'] === 'string' ? part['mime_type'] : undefined;
  const modality = typeof part['modality'] === 'string' ? part['modality'] : mimeType?.split('/', 1)[0];
  if (part['type'] === 'uri') return media(modality, part['uri'], mimeType);
  const data = part['content'] ?? part['data'];
  const url = typeof data === 'string' ? `data:${mimeType ?? 'application/octet-stream'};base64,${data}` : undefined;
  return media(modality, url, mimeType);
}

function media(modality: string | undefined, url: JsonValue | undefined, mimeType?: string): MessagePart | undefined {
  if (typeof url !== 'string') return undefined;
  const type = modality === 'image' || modality === 'audio' || modality === 'video' ? modality : 'document';
  const target = jsonObject();
  target['url'] = url;
  if (mimeType !== undefined && (type === 'audio' || type === 'document')) target['mime_type'] = mimeType;
  // The conventions name the kind twice: `message_content.image.image.url`.
  const holder = jsonObject();
  holder[type] = target;
  const content = jsonObject();
  content['type'] = type;
  content[type] = holder;
  return { type: 'content', content };
}

function keep(part: JsonObject): MessagePart {
  const content = jsonObject();
  content['type'] = typeof part['type'] === 'string' ? part['type'] : (Object.keys(part)[0] ?? 'unknown');
  content['text'] = toJsonText(part);
  return { type: 'content', content };
}
