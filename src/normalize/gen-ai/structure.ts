import { isJsonObject, type JsonObject, type JsonValue } from '#base/json';
import { readJsonContainer } from '../json-value.ts';

/** JSON of a list of parts, or of a message; any other JSON is a text that somebody said. */
export function readStructure(text: string): JsonObject | JsonValue[] | undefined {
  const read = readJsonContainer(text);
  const first = Array.isArray(read) ? read[0] : read;
  return isJsonObject(first) && STRUCTURE_KEYS.some((key) => first[key] !== undefined) ? read : undefined;
}

const STRUCTURE_KEYS: readonly string[] = [
  'type',
  'role',
  'content',
  'parts',
  'message',
  'tool_calls',
  'function',
  'text',
  'toolUse',
  'toolResult',
  'reasoningContent',
  'image',
  'document',
  'video',
  'audio',
  'functionCall',
  'function_call',
  'functionResponse',
  'function_response',
  'inlineData',
  'inline_data',
  'fileData',
  'file_data',
];
