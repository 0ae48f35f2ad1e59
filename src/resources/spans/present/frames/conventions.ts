/** Attributes grouped as data frames have them: a column for each key of OpenInference, one for the rest of each root. */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import * as openinference from '#semconv/openinference';
import { ELEMENT_KEYS } from '#semconv/openinference-elements';

/**
 * The attributes by the keys of OpenInference, inside of lists too (`message.role`); what has no such key stays nested below
 * its first segment.
 */
export function groupByConvention(attributes: JsonObject): JsonObject {
  const grouped = jsonObject();
  const rest = takeOut(attributes, '', grouped);
  return Object.assign(grouped, rest);
}

const KEYS: ReadonlySet<string> = new Set([
  ...Object.entries(openinference).flatMap(([name, value]) =>
    name.startsWith('ATTR_') && typeof value === 'string' ? [value] : [],
  ),
  ...ELEMENT_KEYS,
]);

/** What of an object has no key; what has one goes into `grouped`. */
function takeOut(object: JsonObject, path: string, grouped: JsonObject): JsonObject {
  const rest = jsonObject();
  for (const [key, value] of Object.entries(object)) {
    const full = path === '' ? key : `${path}.${key}`;
    if (KEYS.has(full)) grouped[full] = regroup(value);
    else if (isJsonObject(value) && Object.keys(value).length > 0) {
      const below = takeOut(value, full, grouped);
      if (Object.keys(below).length > 0) rest[key] = below;
    } else rest[key] = regroup(value);
  }
  return rest;
}

function regroup(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(regroup);
  return isJsonObject(value) ? groupByConvention(value) : value;
}
