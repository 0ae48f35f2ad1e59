/**
 * What a span read, wrote and was set to, in the parts in which two spans are compared. What a provider makes up for each
 * call, such as the id of a tool call, is left out: it differs between two runs that are alike.
 */
import { isJsonObject, type JsonObject, jsonObject, type JsonValue, tryParseJson } from '#base/json';
import {
  ATTR_EMBEDDING_EMBEDDINGS,
  ATTR_EMBEDDING_INVOCATION_PARAMETERS,
  ATTR_INPUT_VALUE,
  ATTR_LLM_INPUT_MESSAGES,
  ATTR_LLM_INVOCATION_PARAMETERS,
  ATTR_LLM_OUTPUT_MESSAGES,
  ATTR_LLM_PROMPT_TEMPLATE_TEMPLATE,
  ATTR_LLM_PROMPT_TEMPLATE_VERSION,
  ATTR_LLM_TOOLS,
  ATTR_OUTPUT_VALUE,
  ATTR_PROMPT_ID,
  ATTR_RERANKER_INPUT_DOCUMENTS,
  ATTR_RERANKER_OUTPUT_DOCUMENTS,
  ATTR_RERANKER_QUERY,
  ATTR_RETRIEVAL_DOCUMENTS,
  ATTR_TOOL_JSON_SCHEMA,
  ATTR_TOOL_PARAMETERS,
} from '#semconv/openinference';
import { type AttributeTree, attributeAt } from './attributes.ts';

/** The parts, in the order in which people look for them. */
export const CONTENT_PARTS = ['output', 'input', 'prompt', 'parameters', 'tools'] as const;

/** One of {@link CONTENT_PARTS}. */
export type ContentPart = (typeof CONTENT_PARTS)[number];

/** Each part as JSON; `null` where the span has nothing of it. Text that is JSON is read. */
export type SpanContents = Readonly<Record<ContentPart, JsonValue>>;

/** The contents that attributes tell. */
export function readContents(attributes: AttributeTree): SpanContents {
  const messages = listOf(attributeAt(attributes, ATTR_LLM_INPUT_MESSAGES));
  const answers = withoutRepeated(listOf(attributeAt(attributes, ATTR_LLM_OUTPUT_MESSAGES)), messages);
  const said = messages.filter((message) => !isInstruction(message));
  const at = (...paths: readonly string[]) => join(paths.map((path) => attributeAt(attributes, path)));
  return {
    // Messages say what the raw value says, without what differs from call to call.
    output: withoutCallIds(
      answers.length > 0
        ? answers
        : (at(ATTR_RETRIEVAL_DOCUMENTS, ATTR_RERANKER_OUTPUT_DOCUMENTS) ?? at(ATTR_OUTPUT_VALUE)),
    ),
    input: withoutCallIds(
      messages.length > 0
        ? said
        : (at(ATTR_RERANKER_QUERY, ATTR_RERANKER_INPUT_DOCUMENTS) ??
            withoutVectors(at(ATTR_EMBEDDING_EMBEDDINGS)) ??
            at(ATTR_INPUT_VALUE) ??
            at(ATTR_TOOL_PARAMETERS)),
    ),
    prompt: join([
      ...messages.filter(isInstruction),
      attributeAt(attributes, ATTR_PROMPT_ID),
      attributeAt(attributes, ATTR_LLM_PROMPT_TEMPLATE_TEMPLATE),
      attributeAt(attributes, ATTR_LLM_PROMPT_TEMPLATE_VERSION),
    ]),
    parameters: readParameters(attributes),
    tools: at(ATTR_LLM_TOOLS, ATTR_TOOL_JSON_SCHEMA),
  };
}

/** The parameters of a call; what has a place of its own, such as the model, is left out. */
function readParameters(attributes: AttributeTree): JsonObject | null {
  const given = [ATTR_LLM_INVOCATION_PARAMETERS, ATTR_EMBEDDING_INVOCATION_PARAMETERS, 'reranker.top_k'];
  const parameters = jsonObject();
  for (const path of given) {
    const value = structureOf(attributeAt(attributes, path));
    if (isJsonObject(value)) Object.assign(parameters, value);
    else if (!isNothing(value)) parameters[path.slice(path.lastIndexOf('.') + 1)] = value;
  }
  for (const name of ELSEWHERE) delete parameters[name];
  return isNothing(parameters) ? null : parameters;
}

/** What was embedded, without what came of it: that is long, and no two runs give the same. */
function withoutVectors(embeddings: JsonValue): JsonValue {
  if (Array.isArray(embeddings)) return embeddings.map(withoutVectors);
  if (!isJsonObject(embeddings)) return embeddings;
  const copy = jsonObject();
  for (const [key, value] of Object.entries(embeddings)) if (key !== 'vector') copy[key] = withoutVectors(value);
  return copy;
}

/** Whether a message instructs the model, rather than asks it something. */
function isInstruction(message: JsonValue): boolean {
  const holder = structureOf(message);
  const inner = isJsonObject(holder) ? (holder['message'] ?? holder) : undefined;
  const role = isJsonObject(inner) ? inner['role'] : undefined;
  return typeof role === 'string' && INSTRUCTING.has(role.toLowerCase());
}

/** The value without the ids that providers make up for each call; text that is a JSON object or list is read. */
export function withoutCallIds(value: JsonValue | undefined): JsonValue {
  const structure = structureOf(value);
  if (Array.isArray(structure)) return structure.map(withoutCallIds);
  if (!isJsonObject(structure)) return structure ?? null;
  const copy = jsonObject();
  for (const [key, item] of Object.entries(structure)) {
    if (CALL_ID_KEYS.has(key) || (typeof item === 'string' && item.length <= MAX_ID_LENGTH && MADE_UP.test(item)))
      continue;
    copy[key] = withoutCallIds(item);
  }
  return copy;
}

/** Its text with the keys of objects in order, so that equal values have equal texts. */
export function canonicalText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  const structure = structureOf(value);
  if (Array.isArray(structure)) return structure;
  return isNothing(structure) ? [] : [structure];
}

/** Some producers repeat the whole prompt before the answer. */
function withoutRepeated(answers: readonly JsonValue[], messages: readonly JsonValue[]): JsonValue[] {
  const isRepeated =
    messages.length > 0 &&
    answers.length > messages.length &&
    messages.every((message, place) => canonicalText(message) === canonicalText(answers[place] ?? null));
  return answers.slice(isRepeated ? messages.length : 0);
}

/** Those that say something: `null` for none, one by itself. */
function join(values: readonly (JsonValue | undefined)[]): JsonValue {
  const known = values.map(structureOf).filter((value) => !isNothing(value));
  return known.length > 1 ? known : (known[0] ?? null);
}

function isNothing(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** The value; text that is a JSON object or list as what it is. */
function structureOf(value: JsonValue | undefined): JsonValue {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value ?? null;
  const parsed = tryParseJson(value);
  return Array.isArray(parsed) || isJsonObject(parsed) ? parsed : value;
}

const INSTRUCTING: ReadonlySet<string> = new Set(['system', 'developer']);

/** Among the parameters of a call, what is compared by itself. */
const ELSEWHERE = ['model', 'model_name', 'messages', 'tools', 'functions', 'input', 'prompt', 'system'];

const CALL_ID_KEYS: ReadonlySet<string> = new Set(['tool_call_id', 'call_id', 'tool_use_id', 'run_id', 'response_id']);

/** `call_9f3aQx…`, `chatcmpl-…`: a known beginning and figures. */
const MADE_UP = /^(?:call|chatcmpl|cmpl|gen|msg|resp|rs|fc|run|tooluse|toolu|lc_run)(?:_|-{1,2})(?=[\w-]*\d)[\w-]{6,}$/;
const MAX_ID_LENGTH = 80;
