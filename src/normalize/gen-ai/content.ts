/** What went in and came out of a GenAI span: messages, tools, documents. */
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json';
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import { fillDocuments, fillTools, fillValue, INPUT, OUTPUT, type Side } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { readJsonContainer, readJsonItems, toJsonText } from '../json-value.ts';
import { toolResultText } from './message-part.ts';
import { joinMessages, type Messages, onlyText, readMessages, readSystemInstructions } from './messages.ts';
import type { Lookup } from './operation.ts';

/** Adds what the span's kind can carry where it is missing. */
export function fillContent(get: Lookup, attributes: FlatAttributes): void {
  switch (attributes.get(openinference.ATTR_SPAN_KIND)) {
    case 'TOOL':
      fillTool(get, attributes);
      break;
    case 'RETRIEVER':
      fillRetrieval(get, attributes);
      break;
    default:
      fillTools(attributes, readList(get(genAi.ATTR_GEN_AI_TOOL_DEFINITIONS)));
      fillMessages(attributes, readInput(get), readOutput(get));
  }
}

/** Adds both lists of messages, and input and output where they can be told from them. */
export function fillMessages(attributes: FlatAttributes, input: Messages, output: Messages): void {
  fillSide(attributes, input, openinference.ATTR_LLM_INPUT_MESSAGES, INPUT);
  fillSide(attributes, output, openinference.ATTR_LLM_OUTPUT_MESSAGES, OUTPUT);
}

/** Adds a tool's arguments and its result: text as it is, anything else as JSON text. */
export function fillToolRun(
  attributes: FlatAttributes,
  given: JsonValue | undefined,
  result: JsonValue | undefined,
): void {
  if (given !== undefined) {
    attributes.fill(openinference.ATTR_TOOL_PARAMETERS, toJsonText(given));
    fillValue(attributes, INPUT, given);
  }
  if (result !== undefined) {
    const parts = typeof result === 'string' ? readJsonContainer(result) : result;
    // A list of text parts reads as its text; any other text stays to the byte.
    const text = Array.isArray(parts) ? toolResultText(parts) : toJsonText(result);
    fillValue(attributes, OUTPUT, Array.isArray(parts) && text === toJsonText(parts) ? toJsonText(result) : text);
  }
}

function fillSide(attributes: FlatAttributes, messages: Messages, key: string, side: Side): void {
  if (messages.read.length === 0) return;
  attributes.fillNamespace(key, [...messages.read]);
  if (attributes.hasNamespace(side.value)) return;
  const text = onlyText(messages);
  attributes.fill(side.value, text ?? toJsonText([...messages.sent]));
  attributes.fill(side.mimeType, text === undefined ? openinference.MIME_TYPE_JSON : openinference.MIME_TYPE_TEXT);
}

function readInput(get: Lookup): Messages {
  return joinMessages([
    readSystemInstructions(get(genAi.ATTR_GEN_AI_SYSTEM_INSTRUCTIONS)),
    readMessages(get(genAi.ATTR_GEN_AI_INPUT_MESSAGES) ?? get(genAi.ATTR_GEN_AI_PROMPT), 'user'),
  ]);
}

function readOutput(get: Lookup): Messages {
  return readMessages(get(genAi.ATTR_GEN_AI_OUTPUT_MESSAGES) ?? get(genAi.ATTR_GEN_AI_COMPLETION), 'assistant');
}

function fillTool(get: Lookup, attributes: FlatAttributes): void {
  attributes.fill(openinference.ATTR_TOOL_NAME, get(genAi.ATTR_GEN_AI_TOOL_NAME));
  attributes.fill(openinference.ATTR_TOOL_DESCRIPTION, get(genAi.ATTR_GEN_AI_TOOL_DESCRIPTION));
  attributes.fill(openinference.ATTR_TOOL_ID, get(genAi.ATTR_GEN_AI_TOOL_CALL_ID));
  const schema = get(genAi.ATTR_GEN_AI_TOOL_JSON_SCHEMA);
  if (schema !== undefined) attributes.fill(openinference.ATTR_TOOL_JSON_SCHEMA, toJsonText(schema));
  fillToolRun(attributes, get(genAi.ATTR_GEN_AI_TOOL_CALL_ARGUMENTS), get(genAi.ATTR_GEN_AI_TOOL_CALL_RESULT));
}

function fillRetrieval(get: Lookup, attributes: FlatAttributes): void {
  fillValue(attributes, INPUT, get(genAi.ATTR_GEN_AI_RETRIEVAL_QUERY_TEXT));
  fillDocuments(
    attributes,
    openinference.ATTR_RETRIEVAL_DOCUMENTS,
    readList(get(genAi.ATTR_GEN_AI_RETRIEVAL_DOCUMENTS)),
  );
}

function readList(value: JsonValue | undefined): JsonObject[] {
  const list = typeof value === 'string' ? readJsonItems(value) : value;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
