/** What went in and came out of a GenAI span: messages, tools, documents. */
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '#base/json';
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import { fillDocuments, fillEmbeddings, fillTools, fillValue, INPUT, OUTPUT, type Side } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { readJsonContainer, readJsonItems, toJsonText } from '../json-value.ts';
import { listFunctionArguments, readFunctionArguments } from './function-call.ts';
import type { Lookup } from './lookup.ts';
import {
  firstAnswer,
  firstArguments,
  joinInstructions,
  type Messages,
  messageTexts,
  NO_MESSAGES,
  onlyText,
  readMessages,
  readSystemInstructions,
} from './messages.ts';
import { toolResultText } from './tool-call.ts';

/** Messages that a span carries outside the attributes that the conventions have for them. */
export interface CarriedMessages {
  readonly input: Messages;
  readonly output: Messages;
}

/** Adds what the span's kind can carry where it is missing; what attributes say goes before what is carried elsewhere. */
export function fillContent(get: Lookup, attributes: FlatAttributes, carried: CarriedMessages = NOTHING): void {
  switch (attributes.get(openinference.ATTR_SPAN_KIND)) {
    case 'TOOL':
      fillTool(get, attributes);
      break;
    case 'RETRIEVER':
      fillRetrieval(get, attributes);
      break;
    case 'EMBEDDING':
      fillEmbedded(attributes, readInput(get, carried.input), carried.output);
      break;
    default:
      if (!attributes.hasNamespace(openinference.ATTR_LLM_TOOLS)) {
        fillTools(attributes, readList(get(genAi.ATTR_GEN_AI_TOOL_DEFINITIONS)));
      }
      // To read messages only to find that another dialect has read them would be most of the work.
      if (!isSideFilled(attributes, MESSAGES_IN)) fillSide(attributes, MESSAGES_IN, readInput(get, carried.input));
      if (!isSideFilled(attributes, MESSAGES_OUT)) fillSide(attributes, MESSAGES_OUT, readOutput(get, carried.output));
  }
}

const NOTHING: CarriedMessages = { input: NO_MESSAGES, output: NO_MESSAGES };

/** One end of a conversation. */
interface MessageSide extends Side {
  readonly messages: string;
}

const MESSAGES_IN: MessageSide = { ...INPUT, messages: openinference.ATTR_LLM_INPUT_MESSAGES };
const MESSAGES_OUT: MessageSide = { ...OUTPUT, messages: openinference.ATTR_LLM_OUTPUT_MESSAGES };

/** Adds both lists of messages, and input and output where they can be told from them. */
export function fillMessages(attributes: FlatAttributes, input: Messages, output: Messages): void {
  fillSide(attributes, MESSAGES_IN, input);
  fillSide(attributes, MESSAGES_OUT, output);
}

function isSideFilled(attributes: FlatAttributes, { messages, value }: MessageSide): boolean {
  return attributes.hasNamespace(messages) && attributes.hasNamespace(value);
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

function fillSide(attributes: FlatAttributes, side: MessageSide, messages: Messages): void {
  if (messages.read.length === 0) return;
  attributes.fillNamespace(side.messages, [...messages.read]);
  if (attributes.hasNamespace(side.value)) return;
  const text = onlyText(messages);
  attributes.fill(side.value, text ?? toJsonText([...messages.sent]));
  attributes.fill(side.mimeType, text === undefined ? openinference.MIME_TYPE_JSON : openinference.MIME_TYPE_TEXT);
}

function readInput(get: Lookup, carried: Messages): Messages {
  const sent = readMessages(get(genAi.ATTR_GEN_AI_INPUT_MESSAGES) ?? get(genAi.ATTR_GEN_AI_PROMPT), 'user');
  const instructions = readSystemInstructions(get(genAi.ATTR_GEN_AI_SYSTEM_INSTRUCTIONS));
  return joinInstructions(instructions, sent.read.length > 0 ? sent : carried);
}

function readOutput(get: Lookup, carried: Messages): Messages {
  const sent = readMessages(get(genAi.ATTR_GEN_AI_OUTPUT_MESSAGES) ?? get(genAi.ATTR_GEN_AI_COMPLETION), 'assistant');
  return sent.read.length > 0 ? sent : carried;
}

/** Texts to embed come in the shape of messages, each a text of its own, and their vectors as the answers. */
export function fillEmbedded(attributes: FlatAttributes, input: Messages, output: Messages = NO_MESSAGES): void {
  const texts = input.read.flatMap((item) => messageTexts(item));
  fillEmbeddings(attributes, texts, output.sent.flatMap(readVector));
  if (texts.length > 0) fillValue(attributes, INPUT, texts.length === 1 ? texts[0] : texts);
}

/** An answer whose content is numbers. */
function readVector(answer: JsonValue): JsonValue[] {
  const message = isJsonObject(answer) && isJsonObject(answer['message']) ? answer['message'] : answer;
  const content = isJsonObject(message) ? message['content'] : undefined;
  if (!Array.isArray(content) || content.length === 0) return [];
  return content.every((item) => typeof item === 'number' || item instanceof JsonNumber) ? [content] : [];
}

function fillTool(get: Lookup, attributes: FlatAttributes): void {
  attributes.fill(openinference.ATTR_TOOL_NAME, get(genAi.ATTR_GEN_AI_TOOL_NAME));
  attributes.fill(openinference.ATTR_TOOL_DESCRIPTION, get(genAi.ATTR_GEN_AI_TOOL_DESCRIPTION));
  attributes.fill(openinference.ATTR_TOOL_ID, get(genAi.ATTR_GEN_AI_TOOL_CALL_ID));
  const schema = get(genAi.ATTR_GEN_AI_TOOL_JSON_SCHEMA);
  if (schema !== undefined) attributes.fill(openinference.ATTR_TOOL_JSON_SCHEMA, toJsonText(schema));
  const call = readMessages(get(genAi.ATTR_GEN_AI_INPUT_MESSAGES), 'assistant');
  const answer = readMessages(get(genAi.ATTR_GEN_AI_OUTPUT_MESSAGES), 'tool');
  fillToolRun(
    attributes,
    readFunctionArguments(get(genAi.ATTR_GEN_AI_TOOL_CALL_ARGUMENTS)) ??
      firstArguments(call) ??
      listFunctionArguments(attributes),
    get(genAi.ATTR_GEN_AI_TOOL_CALL_RESULT) ?? firstAnswer(answer) ?? get(genAi.ATTR_CODE_FUNCTION_RETURN_VALUE),
  );
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
