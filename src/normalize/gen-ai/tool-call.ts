/** Calls of tools and their results, in the forms that providers and libraries have for them. */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import { toJsonText } from '../json-value.ts';

/** The object under `tool_call`, of a call in any of the forms; arguments become JSON text. */
export function readToolCall(call: JsonObject): JsonObject {
  const inner = isJsonObject(call['function']) ? call['function'] : call;
  const read = jsonObject();
  const target = jsonObject();
  const id = firstText(call, CALL_ID_KEYS);
  if (id !== undefined) read['id'] = id;
  const name = firstText(inner, NAME_KEYS);
  if (name !== undefined) target['name'] = name;
  const given = ARGUMENT_KEYS.map((key) => inner[key]).find((value) => value !== undefined && value !== null);
  if (given !== undefined) target['arguments'] = toJsonText(given);
  read['function'] = target;
  return read;
}

/** Which call a result answers, under any of its names. */
export function readAnsweredId(result: JsonObject): string | undefined {
  return firstText(result, ANSWERED_ID_KEYS);
}

/** The text of a tool's answer: the texts of a list of text parts, else JSON. */
export function toolResultText(value: JsonValue): string {
  if (!Array.isArray(value) || value.length === 0) return toJsonText(value);
  const texts = value.map((part) => (isJsonObject(part) ? (part['text'] ?? part['content']) : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : toJsonText(value);
}

/** The Responses API of OpenAI has an id of the item beside the one that results answer. */
const CALL_ID_KEYS: readonly string[] = ['call_id', 'id', 'toolUseId', 'tool_use_id', 'tool_call_id'];
const ANSWERED_ID_KEYS: readonly string[] = ['call_id', 'tool_use_id', 'tool_call_id', 'toolUseId', 'id'];
const NAME_KEYS: readonly string[] = ['name', 'tool_name'];
const ARGUMENT_KEYS: readonly string[] = ['arguments', 'input', 'args'];

function firstText(object: JsonObject, keys: readonly string[]): string | undefined {
  return keys.map((key) => object[key]).find((value) => typeof value === 'string' && value !== '') as
    | string
    | undefined;
}
