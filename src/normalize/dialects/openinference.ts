/**
 * OpenInference itself: counts that came as text, and JSON that came in texts.
 * @see https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md
 */
import { isJsonObject } from '#base/json';
import * as openinference from '#semconv/openinference';
import type { FlatAttributes } from '../flat-attributes.ts';
import { readJsonItems, readJsonText } from '../json-value.ts';
import { toInteger } from '../number.ts';
import { unflatten } from '../unflatten.ts';

export const name = 'openinference';

/** Every span is read in OpenInference, whatever else it speaks. */
export function speaks(): boolean {
  return true;
}

export function translate({ attributes }: { readonly attributes: FlatAttributes }): void {
  for (const key of TOKEN_KEYS) {
    const count = toInteger(attributes.get(key));
    if (count !== undefined) attributes.rewrite(key, count);
  }
  for (const key of LIST_KEYS) readListText(attributes, key);
  for (const [key, value] of attributes.entries()) {
    if (typeof value === 'string' && isJsonKey(key)) {
      const read = readJsonText(value);
      if (read !== undefined) attributes.rewrite(key, read);
    }
  }
}

const TOKEN_KEYS: readonly string[] = [
  openinference.ATTR_LLM_TOKEN_COUNT_PROMPT,
  openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION,
  openinference.ATTR_LLM_TOKEN_COUNT_TOTAL,
];

/** Lists of objects, which some producers send as JSON text, some flattened, and some both ways at once. */
const LIST_KEYS: readonly string[] = [
  openinference.ATTR_LLM_INPUT_MESSAGES,
  openinference.ATTR_LLM_OUTPUT_MESSAGES,
  openinference.ATTR_LLM_TOOLS,
  openinference.ATTR_RETRIEVAL_DOCUMENTS,
  openinference.ATTR_EMBEDDING_EMBEDDINGS,
];

function readListText(attributes: FlatAttributes, key: string): void {
  const text = attributes.getText(key);
  if (text === undefined) return;
  if (attributes.hasPrefix(`${key}.`)) {
    attributes.setAside(key);
    return;
  }
  const list = readJsonItems(text);
  if (Array.isArray(list) && list.length > 0 && list.every(isJsonObject)) {
    attributes.rewrite(
      key,
      list.map((item) => unflatten(Object.entries(item))),
    );
  }
}

/**
 * Whether the key's text is JSON by convention. The key must be one of the names or end in one as whole segments:
 * `retrieval.documents.0.document.metadata` does, `mymetadata` does not.
 */
function isJsonKey(key: string): boolean {
  return JSON_KEYS.some((jsonKey) => key === jsonKey || (key.endsWith(jsonKey) && key.at(-jsonKey.length - 1) === '.'));
}

const JSON_KEYS: readonly string[] = [
  openinference.ATTR_METADATA,
  openinference.ATTR_LLM_PROMPT_TEMPLATE_VARIABLES,
  openinference.ATTR_TOOL_PARAMETERS,
];
