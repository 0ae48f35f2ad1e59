/** Adds to a span what dialects found, in the shapes of OpenInference, where it is missing. */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import * as openinference from '#semconv/openinference';
import type { FlatAttributes } from './flat-attributes.ts';
import { isJsonContainer, toJsonText } from './json-value.ts';

/** One of the two ends of an operation, by the keys of its value and its media type. */
export interface Side {
  readonly value: string;
  readonly mimeType: string;
}

/** What went in. */
export const INPUT: Side = { value: openinference.ATTR_INPUT_VALUE, mimeType: openinference.ATTR_INPUT_MIME_TYPE };

/** What came out. */
export const OUTPUT: Side = { value: openinference.ATTR_OUTPUT_VALUE, mimeType: openinference.ATTR_OUTPUT_MIME_TYPE };

/**
 * Adds an input or output: a text as it is, anything else as JSON text.
 * @param read what the text was read as, where that is known
 */
export function fillValue(
  attributes: FlatAttributes,
  side: Side,
  value: JsonValue | undefined,
  read: JsonValue | undefined = value,
): void {
  if (value === undefined || value === null || attributes.hasNamespace(side.value)) return;
  const text = toJsonText(value);
  const isJson = typeof read === 'object' || isJsonContainer(text);
  attributes.fill(side.value, text);
  attributes.fill(side.mimeType, isJson ? openinference.MIME_TYPE_JSON : openinference.MIME_TYPE_TEXT);
}

/** Adds the tools that a model was offered; definitions of any of the forms, as OpenAI has them. */
export function fillTools(attributes: FlatAttributes, definitions: readonly JsonObject[]): void {
  if (definitions.length === 0) return;
  const tools = definitions.map((definition) =>
    nest('tool', nest('json_schema', toJsonText(toOpenAiDefinition(definition)))),
  );
  attributes.fillNamespace(openinference.ATTR_LLM_TOOLS, tools);
}

/** Adds the definitions, by index, to tools that stand in the list in a form of their own. */
export function completeTools(attributes: FlatAttributes, definitions: ReadonlyMap<string, JsonObject>): void {
  for (const [index, definition] of definitions) {
    const key = `${openinference.ATTR_LLM_TOOLS}.${index}.${openinference.ATTR_TOOL_JSON_SCHEMA}`;
    attributes.fill(key, toJsonText(toOpenAiDefinition(definition)));
  }
}

/** Adds a list of documents; items that are none are left out. */
export function fillDocuments(attributes: FlatAttributes, key: string, items: readonly JsonValue[]): void {
  const documents = items.flatMap((item) => readDocument(item) ?? []).map((document) => nest('document', document));
  if (documents.length > 0) attributes.fillNamespace(key, documents);
}

/** Adds texts and vectors, those of one place together, of which one side may be missing. */
export function fillEmbeddings(
  attributes: FlatAttributes,
  texts: readonly (JsonValue | undefined)[],
  vectors: readonly (JsonValue | undefined)[],
): void {
  const embeddings: JsonObject[] = [];
  for (let at = 0; at < Math.max(texts.length, vectors.length); at++) {
    const embedding = jsonObject();
    const text = texts[at];
    const vector = vectors[at];
    if (text !== undefined && text !== null) embedding['text'] = toJsonText(text);
    if (Array.isArray(vector)) embedding['vector'] = vector;
    embeddings.push(nest('embedding', embedding));
  }
  if (embeddings.length > 0) attributes.fillNamespace(openinference.ATTR_EMBEDDING_EMBEDDINGS, embeddings);
}

/** The object with this one key. */
export function nest(key: string, value: JsonValue): JsonObject {
  const object = jsonObject();
  object[key] = value;
  return object;
}

/** The definition with its function inside, as OpenAI has it; a form without a name on top stays as it is. */
function toOpenAiDefinition(definition: JsonObject): JsonObject {
  const { type, name, description } = definition;
  if (name === undefined || (type !== undefined && type !== 'function')) return definition;
  const target = jsonObject();
  target['name'] = name;
  if (description !== undefined && description !== null) target['description'] = description;
  const schema = SCHEMA_KEYS.map((key) => definition[key]).find((value) => value !== undefined && value !== null);
  if (schema !== undefined) target['parameters'] = schema;
  const read = jsonObject();
  read['type'] = 'function';
  read['function'] = target;
  return read;
}

/** What producers call the JSON schema of a tool's arguments. */
const SCHEMA_KEYS: readonly string[] = [
  'parameters',
  'input_schema',
  'inputSchema',
  'parameters_json_schema',
  'parametersJsonSchema',
];

/** The document in OpenInference's words; `undefined` where the value has neither content nor id. */
function readDocument(value: JsonValue): JsonObject | undefined {
  if (typeof value === 'string') return nest('content', value);
  if (!isJsonObject(value)) return undefined;
  const { kwargs, node } = value;
  // LangChain's serialisation wraps a document, and so does a node with its score of LlamaIndex.
  if (isJsonObject(kwargs) && value['lc'] !== undefined) return readDocument(kwargs);
  if (isJsonObject(node)) return withScore(readDocument(node), value['score']);
  const read = jsonObject();
  const { text_resource: resource } = value;
  if (isJsonObject(resource) && typeof resource['text'] === 'string') read['content'] = resource['text'];
  for (const [name, keys] of DOCUMENT_KEYS) {
    const found = keys.map((key) => value[key]).find((item) => item !== undefined && item !== null);
    if (found !== undefined) read[name] = found;
  }
  return read['content'] === undefined && read['id'] === undefined ? undefined : read;
}

function withScore(document: JsonObject | undefined, score: JsonValue | undefined): JsonObject | undefined {
  if (document !== undefined && score !== undefined && score !== null) document['score'] = score;
  return document;
}

const DOCUMENT_KEYS: readonly (readonly [name: string, keys: readonly string[]])[] = [
  ['id', ['id', 'id_', 'document_id']],
  ['content', ['content', 'page_content', 'pageContent', 'text']],
  ['score', ['score', 'relevance_score', 'relevanceScore']],
  ['metadata', ['metadata', 'meta']],
];
