/**
 * Parts of messages, in the forms that providers and frameworks have for themselves, as parts of the GenAI conventions,
 * which {@link readMessagePart} reads. A part of another form stays as it is.
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import { toInteger } from '../number.ts';

/** The part in the form of the GenAI conventions. */
export function toPlainPart(part: JsonObject): JsonObject {
  const type = part['type'] ?? part['block_type'];
  const read = typeof type === 'string' ? READERS.get(type)?.(part) : readUntyped(part);
  return read ?? part;
}

type Reader = (part: JsonObject) => JsonObject | undefined;

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
  ['image', readImage],
  ['input_image', ({ image_url: url, file_id: id }) => addressPart('image', url ?? id, undefined)],
  ['file', readFile],
  ['audio', ({ data, base64, url, mime_type: type }) => mediaPart('audio', data ?? base64 ?? url, type)],
  ['input_audio', ({ input_audio: audio }) => readAudio(audio)],
  ['document', ({ source, data, mimetype }) => readSource('document', source) ?? mediaPart('document', data, mimetype)],
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
  ['inline_data', readInlineData],
  ['inlineData', readInlineData],
  ['file_data', readFileData],
  ['fileData', readFileData],
  ['tool_name', (name, { id, arguments: given }) => callPart(id, name, given)],
  [
    'tool_call',
    (call) => (isJsonObject(call) ? callPart(call['id'], call['tool_name'], call['arguments']) : undefined),
  ],
  ['tool_call_result', (result) => (isJsonObject(result) ? readHaystackResult(result) : undefined)],
  ['origin', (_origin, part) => readHaystackResult(part)],
  ['base64_image', (data, { mime_type: type }) => mediaPart('image', data, type ?? 'image/png')],
  ['reasoning_text', (text) => reasoningPart(text, undefined)],
  [
    'reasoning',
    (reasoning) => (isJsonObject(reasoning) ? reasoningPart(reasoning['reasoning_text'], undefined) : undefined),
  ],
  ['image', (image) => (isJsonObject(image) ? (readUntyped(image) ?? readBedrockImage(image)) : undefined)],
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

function readInlineData(value: JsonValue): JsonObject | undefined {
  return isJsonObject(value) ? mediaPart(undefined, value['data'], value['mime_type'] ?? value['mimeType']) : undefined;
}

function readFileData(value: JsonValue): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  return addressPart(undefined, value['file_uri'] ?? value['fileUri'], value['mime_type'] ?? value['mimeType']);
}

/** An image as Anthropic, LangChain, the Vercel AI SDK and LlamaIndex give it. */
function readImage(part: JsonObject): JsonObject | undefined {
  const { source, image, url, data, base64 } = part;
  const type = part['mediaType'] ?? part['mimeType'] ?? part['mime_type'] ?? part['image_mimetype'];
  return readSource('image', source) ?? mediaPart('image', image ?? data ?? base64 ?? url, type ?? 'image/png');
}

function readSource(modality: string, source: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(source)) return undefined;
  return mediaPart(modality, source['data'] ?? source['url'], source['media_type']);
}

function readBedrockImage({ format, source }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(source)) return undefined;
  return mediaPart('image', source['bytes'], typeof format === 'string' ? `image/${format}` : undefined);
}

/** A file as the Vercel AI SDK gives it, and as OpenAI does. */
function readFile(part: JsonObject): JsonObject | undefined {
  const { data, file, mediaType, mimeType } = part;
  if (isJsonObject(file)) return addressPart('document', file['file_data'] ?? file['file_id'], undefined);
  return mediaPart(undefined, data, mediaType ?? mimeType);
}

function readAudio(audio: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(audio)) return undefined;
  const { data, format } = audio;
  return mediaPart('audio', data, typeof format === 'string' ? `audio/${format}` : undefined);
}

/** Data or an address, whichever the value is. */
function mediaPart(
  modality: string | undefined,
  value: JsonValue | undefined,
  mimeType: JsonValue | undefined,
): JsonObject | undefined {
  const data = typeof value === 'string' ? value : toBase64(value);
  if (data === undefined) return undefined;
  if (ADDRESS.test(data)) return addressPart(modality, data, mimeType);
  return toPart('blob', { modality: modality ?? modalityOf(mimeType), mime_type: mimeType, content: data });
}

function addressPart(
  modality: string | undefined,
  uri: JsonValue | undefined,
  mimeType: JsonValue | undefined,
): JsonObject | undefined {
  if (typeof uri !== 'string') return undefined;
  return toPart('uri', { modality: modality ?? modalityOf(mimeType), mime_type: mimeType, uri });
}

const ADDRESS = /^(?:data:|[a-z][a-z0-9+.-]*:\/\/)/i;

function modalityOf(mimeType: JsonValue | undefined): string | undefined {
  const type = typeof mimeType === 'string' ? mimeType.split('/', 1)[0] : undefined;
  return type === 'image' || type === 'audio' || type === 'video' ? type : 'document';
}

/** Bytes as JavaScript serialises them: a Buffer (`{type, data: […]}`) or a typed array (`{"0": 137, …}`). */
function toBase64(value: JsonValue | undefined): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const numbers = Array.isArray(value['data']) ? value['data'] : Object.values(value);
  const isBytes = (number: JsonValue): boolean => {
    const byte = toInteger(number);
    return byte !== undefined && byte >= 0 && byte <= 255;
  };
  if (numbers.length === 0 || !numbers.every(isBytes)) return undefined;
  return Buffer.from(numbers.map((number) => toInteger(number) ?? 0)).toString('base64');
}

function toPart(type: string, fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const part = jsonObject();
  part['type'] = type;
  for (const [key, value] of Object.entries(fields)) if (value !== undefined && value !== null) part[key] = value;
  return part;
}
