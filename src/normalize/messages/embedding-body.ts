/** Requests for embeddings and what comes back, as providers' APIs and frameworks have them. */
import { isJsonObject, type JsonValue } from '#base/json';
import { fillEmbeddings } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { messageTexts, readMessages } from '../gen-ai/messages.ts';
import { readJsonContainer } from '../json-value.ts';

/** Adds the texts and their vectors. */
export function fillEmbeddingCall(
  attributes: FlatAttributes,
  input: JsonValue | undefined,
  output: JsonValue | undefined,
): void {
  fillEmbeddings(attributes, listTexts(input), listVectors(output));
}

/** Vectors as LiteLLM has them for some services, each a JSON text: `embedding.vector.0`. */
export function listNumberedVectors(attributes: FlatAttributes): JsonValue[] {
  const vectors: JsonValue[] = [];
  for (let at = 0; at < MAX_VECTORS; at++) {
    const text = attributes.getText(`embedding.vector.${at}`);
    const vector = text === undefined ? undefined : readJsonContainer(text);
    if (vector === undefined) break;
    vectors.push(vector);
  }
  return vectors;
}

/** More than services take at once. */
const MAX_VECTORS = 4096;

/** A text, a list of them, of messages around them, or the request around it. */
function listTexts(input: JsonValue | undefined): JsonValue[] {
  const said = isJsonObject(input) ? TEXT_KEYS.map((key) => input[key]).find((value) => value !== undefined) : input;
  if (typeof said === 'string') return [said];
  if (!Array.isArray(said)) return [];
  return said.every((item) => typeof item === 'string') ? said : readMessages(said, 'user').read.flatMap(messageTexts);
}

const TEXT_KEYS: readonly string[] = ['input', 'texts', 'text', 'inputs', 'query', 'contents'];

/** Vectors, one vector alone, or OpenAI's list of objects. */
function listVectors(output: JsonValue | undefined): JsonValue[] {
  const said = isJsonObject(output) ? (output['data'] ?? output['embeddings'] ?? output['embedding']) : output;
  if (!Array.isArray(said) || said.length === 0) return [];
  if (said.every((item) => !isJsonObject(item) && !Array.isArray(item))) return [said];
  return said.map((item) => (isJsonObject(item) ? (item['embedding'] ?? item['values'] ?? null) : item));
}
