/**
 * Parts of messages, in the forms that providers and frameworks have for themselves, as parts of the GenAI conventions,
 * which {@link readMessagePart} reads. A part of another form stays as it is.
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import { findMedium, modalityOf } from './medium.ts';

/** The part in the form of the GenAI conventions. */
export function toPlainPart(part: JsonObject): JsonObject {
  const type = part['type'] ?? part['block_type'];
  const read = typeof type === 'string' ? READERS.get(type)?.(part) : readUntyped(part);
  return read ?? part;
}

type Reader = (part: JsonObject) => JsonObject | undefined;

/**
 * Types of parts that show something, each with what it is where the type tells that: of Anthropic and LangChain, OpenAI's
 * two APIs, the conventions (`file`), Pydantic AI up to version 3, the Vercel AI SDK's results of tools, LangChain's Gemini.
 */
const MEDIA_TYPES: readonly (readonly [type: string, modality: string | undefined])[] = [
  ['image', 'image'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['document', 'document'],
  ['file', undefined],
  ['input_image', 'image'],
  ['input_audio', 'audio'],
  ['input_file', undefined],
  ['image-url', 'image'],
  ['audio-url', 'audio'],
  ['video-url', 'video'],
  ['document-url', 'document'],
  ['binary', undefined],
  ['image-data', 'image'],
  ['file-data', undefined],
  ['file-url', undefined],
  ['media', undefined],
];

/** Parts that name their type: of OpenAI's two APIs, Anthropic's, LangChain's, the Vercel AI SDK's and LlamaIndex's. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['text', ({ text, content }) => textPart(text ?? content)],
  ['summary_text', ({ text }) => textPart(text)],
  ['refusal', ({ refusal }) => textPart(refusal)],
  ['reasoning', readReasoning],
  ['thinking', ({ thinking, content, signature }) => reasoningPart(thinking ?? content, signature)],
  ['tool-call', ({ toolCallId, toolName, input, args }) => callPart(toolCallId, toolName, input ?? args)],
  ['tool-result', ({ toolCallId, output, result }) => resultPart(toolCallId, toolOutput(output ?? result))],
  ['tool_call', readToolCallPart],
  ['function_call', ({ call_id: id, name, arguments: given }) => callPart(id, name, given)],
  ['function_call_output', ({ call_id: id, output }) => resultPart(id, output)],
  ...MEDIA_TYPES.map(([type, modality]): [string, Reader] => [type, (part) => mediaPart(part, modality)]),
]);

/** Parts that are known by the names of their fields: Gemini's, and Haystack's. */
function readUntyped(part: JsonObject): JsonObject | undefined {
  for (const [key, read] of UNTYPED) {
    const value = part[key];
    if (value !== undefined && value !== null) return read(value, part);
  }
  return undefined;
}

type FieldReader = (value: JsonValue, part: JsonObject) => JsonObject | undefined;

const UNTYPED: readonly (readonly [key: string, read: FieldReader])[] = [
  ['function_call', readGeminiCall],
  ['functionCall', readGeminiCall],
  ['function_response', readGeminiResponse],
  ['functionResponse', readGeminiResponse],
  ['inline_data', readInside()],
  ['inlineData', readInside()],
  ['file_data', readInside()],
  ['fileData', readInside()],
  ['tool_name', (name, { id, arguments: given }) => callPart(id, name, given)],
  [
    'tool_call',
    (call) => (isJsonObject(call) ? callPart(call['id'], call['tool_name'], call['arguments']) : undefined),
  ],
  ['tool_call_result', (result) => (isJsonObject(result) ? readHaystackResult(result) : undefined)],
  ['origin', (_origin, part) => readHaystackResult(part)],
  ['base64_image', (_data, part) => mediaPart(part, 'image')],
  ['reasoning_text', (text) => reasoningPart(text, undefined)],
  [
    'reasoning',
    (reasoning) => (isJsonObject(reasoning) ? reasoningPart(reasoning['reasoning_text'], undefined) : undefined),
  ],
  ['image', readInside('image')],
  ['audio', readInside('audio')],
  ['video', readInside('video')],
  ['document', readInside('document')],
  ['text', (text, part) => (part['thought'] === true ? reasoningPart(text, signatureOf(part)) : textPart(text))],
];

function textPart(text: JsonValue | undefined): JsonObject | undefined {
  return typeof text === 'string' ? toPart('text', { content: text }) : undefined;
}

function reasoningPart(text: JsonValue | undefined, signature: JsonValue | undefined): JsonObject | undefined {
  return typeof text === 'string' ? toPart('reasoning', { content: text, signature }) : undefined;
}

function callPart(id: JsonValue | undefined, name: JsonValue | undefined, given: JsonValue | undefined): JsonObject {
  return toPart('tool_call', { id, name, arguments: given });
}

function resultPart(id: JsonValue | undefined, response: JsonValue | undefined): JsonObject {
  return toPart('tool_call_response', { id, response });
}

/** Reasoning is a text, a list of summaries (OpenAI's Responses API), or hidden. */
function readReasoning(part: JsonObject): JsonObject | undefined {
  const { content, text, reasoning, summary } = part;
  const said = [content, text, reasoning].find((value) => typeof value === 'string');
  if (said !== undefined) return reasoningPart(said, signatureOf(part));
  const parts = [content, summary].find((value) => Array.isArray(value) && value.length > 0);
  if (!Array.isArray(parts)) return undefined;
  const texts = parts
    .map((item) => (isJsonObject(item) ? item['text'] : item))
    .filter((item) => typeof item === 'string');
  return texts.length === 0 ? undefined : reasoningPart(texts.join('\n'), signatureOf(part));
}

function signatureOf({ signature, thoughtSignature, thought_signature: thought }: JsonObject): JsonValue | undefined {
  return signature ?? thoughtSignature ?? thought;
}

/** The conventions' own form, LangChain's (`args`), and LlamaIndex's. */
function readToolCallPart(part: JsonObject): JsonObject {
  const { id, name, tool_call_id: callId, tool_name: toolName, tool_kwargs: given, args } = part;
  return callPart(id ?? callId, name ?? toolName, part['arguments'] ?? part['input'] ?? args ?? given);
}

/** What a tool of the Vercel AI SDK gave, out of the wrapping that says its form. */
function toolOutput(output: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(output) || output['value'] === undefined || typeof output['type'] !== 'string') return output;
  return TOOL_OUTPUT_TYPES.has(output['type']) ? output['value'] : output;
}

const TOOL_OUTPUT_TYPES: ReadonlySet<string> = new Set(['text', 'json', 'content', 'error-text', 'error-json']);

function readHaystackResult({ result, origin }: JsonObject): JsonObject {
  return resultPart(isJsonObject(origin) ? origin['id'] : undefined, result);
}

function readGeminiCall(value: JsonValue): JsonObject | undefined {
  return isJsonObject(value) ? callPart(value['id'], value['name'], value['args']) : undefined;
}

function readGeminiResponse(value: JsonValue): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, name, response } = value;
  // Without ids, calls and their results are told by the tool's name.
  return resultPart(id ?? name, response);
}

/** A medium as a part of the conventions: what lies behind an address or an id, or inline; a text file is its text. */
function mediaPart(part: JsonObject, known?: string): JsonObject | undefined {
  const said = known ?? (typeof part['modality'] === 'string' ? part['modality'] : undefined);
  const { address, data, text, mimeType, name } = findMedium(part, said);
  const modality = said ?? modalityOf(mimeType);
  if (text !== undefined) return textPart(text);
  if (address !== undefined) return toPart('uri', { modality, mime_type: mimeType, uri: address, name });
  if (data === undefined) return textPart(part['text']);
  // Frameworks leave out the type of a picture, and pages show it whichever it is.
  const type = mimeType ?? (modality === 'image' ? 'image/png' : undefined);
  return toPart('blob', { modality, mime_type: type, content: data, name });
}

function readInside(known?: string): FieldReader {
  return (value) => (isJsonObject(value) ? mediaPart(value, known) : undefined);
}

function toPart(type: string, fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const part = jsonObject();
  part['type'] = type;
  for (const [key, value] of Object.entries(fields)) if (value !== undefined && value !== null) part[key] = value;
  return part;
}
