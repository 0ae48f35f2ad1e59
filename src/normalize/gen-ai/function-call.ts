/**
 * What a function was given and gave, as Google's instrumentations have it: type and value of each parameter apart.
 * @see https://github.com/open-telemetry/opentelemetry-python-contrib/tree/main/instrumentation-genai/opentelemetry-instrumentation-google-genai
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import * as genAi from '#semconv/gen-ai';
import type { FlatAttributes } from '../flat-attributes.ts';
import { readJsonContainer } from '../json-value.ts';

/** The arguments among the attributes of a function's span; `undefined` where it has none. */
export function listFunctionArguments(attributes: FlatAttributes): JsonObject | undefined {
  return attributes.hasRoot('code') ? collect(attributes.entries()) : undefined;
}

/** The arguments by the names of their parameters, where they are sent by the names of the attributes; else as they are. */
export function readFunctionArguments(sent: JsonValue | undefined): JsonValue | undefined {
  if (typeof sent === 'string' && !sent.includes(PREFIX)) return sent;
  const read = typeof sent === 'string' ? readJsonContainer(sent) : sent;
  if (!isJsonObject(read)) return sent;
  const entries = Object.entries(read);
  return entries.every(([key]) => key.startsWith(PREFIX)) ? (collect(entries) ?? sent) : sent;
}

function collect(entries: Iterable<[key: string, value: JsonValue]>): JsonObject | undefined {
  let found: JsonObject | undefined;
  for (const [key, value] of entries) {
    if (!key.startsWith(PREFIX) || !key.endsWith(SUFFIX)) continue;
    found ??= jsonObject();
    found[key.slice(PREFIX.length, -SUFFIX.length)] = value;
  }
  return found;
}

const PREFIX = genAi.PREFIX_CODE_FUNCTION_PARAMETERS;
const SUFFIX = '.value';
