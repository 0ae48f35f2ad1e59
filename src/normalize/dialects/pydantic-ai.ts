/**
 * Pydantic AI, in all versions of its format, and Logfire's own instrumentations of clients.
 * @see https://ai.pydantic.dev/logfire/
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import * as pydantic from '#semconv/pydantic-ai';
import { fillTools, fillValue, OUTPUT } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { fillMessages, fillToolRun } from '../gen-ai/content.ts';
import {
  joinInstructions,
  joinMessages,
  type Messages,
  readMessages,
  readSystemInstructions,
} from '../gen-ai/messages.ts';
import { GEN_AI_TOKENS, fillTokens, renameKeys } from '../gen-ai/tokens.ts';
import { readJsonContainer, readJsonItems } from '../json-value.ts';
import { fillCall, readRequest, readSaid, readSaidObject } from '../messages/fill-call.ts';
import { listTools } from '../messages/request-body.ts';
import { readResponseBody } from '../messages/response-body.ts';
import { fillTags } from '../metadata.ts';
import { fillUsage, readUsage } from '../usage-object.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'pydantic-ai';

export function speaks({ attributes, scope }: SpanEvidence): boolean {
  return (
    scope.name === pydantic.SCOPE_PYDANTIC_AI || attributes.hasRoot('logfire') || attributes.hasRoot('pydantic_ai')
  );
}

export function translate({ attributes }: SpanEvidence): void {
  // A placeholder for a span that is still open: what it says, the span will say.
  if (attributes.get(pydantic.ATTR_LOGFIRE_SPAN_TYPE) === 'pending_span') return;
  fillTags(attributes, attributes.get(pydantic.ATTR_LOGFIRE_TAGS));
  attributes.fill(openinference.ATTR_LLM_COST_TOTAL, attributes.get(pydantic.ATTR_OPERATION_COST));
  fillTokens((key) => attributes.get(key), attributes, RUN_TOKENS);
  const all =
    attributes.get(pydantic.ATTR_PYDANTIC_AI_ALL_MESSAGES) ?? attributes.get(pydantic.ATTR_ALL_MESSAGES_EVENTS);
  if (all !== undefined || attributes.get(pydantic.ATTR_FINAL_RESULT) !== undefined) fillAgent(attributes, all);
  else if (attributes.get(genAi.ATTR_GEN_AI_TOOL_NAME) !== undefined) fillTool(attributes);
  else fillModelCall(attributes);
}

function fillAgent(attributes: FlatAttributes, all: JsonValue | undefined): void {
  attributes.fill(openinference.ATTR_SPAN_KIND, 'AGENT');
  attributes.fill(openinference.ATTR_AGENT_NAME, attributes.get(pydantic.ATTR_AGENT_NAME));
  attributes.fill(openinference.ATTR_LLM_MODEL_NAME, attributes.get(pydantic.ATTR_MODEL_NAME));
  fillValue(attributes, OUTPUT, attributes.get(pydantic.ATTR_FINAL_RESULT));
  const { given, answered } = readEvents(all);
  const instructions = readSystemInstructions(attributes.get(genAi.ATTR_GEN_AI_SYSTEM_INSTRUCTIONS));
  const messages = joinInstructions(instructions, joinMessages([given, answered]));
  const isAnswered = isJsonObject(messages.read.at(-1)?.['message']) && roleOf(messages.read.at(-1)) === 'assistant';
  const end = isAnswered ? -1 : messages.read.length;
  fillMessages(attributes, slice(messages, 0, end), slice(messages, end));
}

/** What all calls of a run used together has names of its own, so that nobody adds it to what each call used. */
const RUN_TOKENS = renameKeys(GEN_AI_TOKENS, (key) => key.replace('gen_ai.usage.', pydantic.PREFIX_AGGREGATED_USAGE));

function roleOf(item: JsonObject | undefined): JsonValue | undefined {
  const message = item?.['message'];
  return isJsonObject(message) ? message['role'] : undefined;
}

function slice({ read }: Messages, start: number, end?: number): Messages {
  const part = read.slice(start, end);
  return { sent: part, read: part };
}

function fillTool(attributes: FlatAttributes): void {
  attributes.fill(openinference.ATTR_SPAN_KIND, 'TOOL');
  fillToolRun(attributes, attributes.get(pydantic.ATTR_TOOL_ARGUMENTS), attributes.get(pydantic.ATTR_TOOL_RESPONSE));
}

function fillModelCall(attributes: FlatAttributes): void {
  const usage = readSaidObject(attributes.get(pydantic.ATTR_USAGE_RAW));
  if (usage !== undefined) fillUsage(attributes, readUsage(usage));
  // Logfire has the data of requests on every call, and only chats have messages there.
  if (attributes.get(genAi.ATTR_GEN_AI_OPERATION_NAME) === 'embeddings') return;
  const parameters = attributes.getText(pydantic.ATTR_MODEL_REQUEST_PARAMETERS);
  const offered = parameters === undefined ? undefined : readJsonContainer(parameters);
  if (isJsonObject(offered)) {
    fillTools(attributes, [...listTools(offered['function_tools']), ...listTools(offered['output_tools'])]);
  }
  const request = attributes.get(pydantic.ATTR_REQUEST_DATA);
  const response = attributes.get(pydantic.ATTR_RESPONSE_DATA);
  if (request !== undefined) {
    if (attributes.get(genAi.ATTR_GEN_AI_REQUEST_MODEL) !== undefined)
      attributes.fill(openinference.ATTR_SPAN_KIND, 'LLM');
    fillCall(attributes, readRequest(readSaid(request)), readResponseBody(readSaid(response)));
  }
  const { given, answered } = readEvents(attributes.get(pydantic.ATTR_EVENTS));
  if (given.read.length > 0 || answered.read.length > 0) fillMessages(attributes, given, answered);
}

/** Messages of the conventions, or events of them that each say what they are. */
function readEvents(value: JsonValue | undefined): { given: Messages; answered: Messages } {
  const list = typeof value === 'string' ? readJsonItems(value) : value;
  const given: Messages[] = [];
  const answered: Messages[] = [];
  for (const item of Array.isArray(list) ? list : []) {
    if (!isJsonObject(item)) continue;
    const eventName = item[pydantic.EVENT_NAME];
    const role = typeof eventName === 'string' ? ROLES.get(eventName) : undefined;
    (eventName === genAi.EVENT_GEN_AI_CHOICE ? answered : given).push(
      readMessages([withoutEventName(item)], role ?? 'assistant'),
    );
  }
  return { given: joinMessages(given), answered: joinMessages(answered) };
}

function withoutEventName(item: JsonObject): JsonObject {
  const copy = Object.assign(jsonObject(), item);
  delete copy[pydantic.EVENT_NAME];
  return copy;
}

const ROLES: ReadonlyMap<string, string> = new Map([
  [genAi.EVENT_GEN_AI_SYSTEM_MESSAGE, 'system'],
  [genAi.EVENT_GEN_AI_USER_MESSAGE, 'user'],
  [genAi.EVENT_GEN_AI_ASSISTANT_MESSAGE, 'assistant'],
  [genAi.EVENT_GEN_AI_TOOL_MESSAGE, 'tool'],
]);

export const docs: DialectDocs = {
  title: 'Pydantic AI and Logfire',
  checkedVersion: 'pydantic-ai 2.68 and logfire 5.4 (recorded), format versions 1 to 3 from their sources',
  mappings: [
    {
      from: 'pydantic_ai.all_messages, all_messages_events',
      to: 'llm.input_messages, llm.output_messages, openinference.span.kind (AGENT)',
    },
    { from: 'final_result', to: 'output.value' },
    { from: 'agent_name, model_name', to: 'agent.name, llm.model_name' },
    { from: 'gen_ai.aggregated_usage.*', to: 'llm.token_count.*', note: 'What all calls of an agent’s run used.' },
    {
      from: 'events',
      to: 'llm.input_messages, llm.output_messages',
      note: 'Version 1: one event for each message, all in one JSON text.',
    },
    { from: 'model_request_parameters', to: 'llm.tools' },
    { from: 'tool_arguments, tool_response', to: 'tool.parameters, input.value, output.value' },
    {
      from: 'request_data, response_data',
      to: 'llm.input_messages, llm.output_messages, llm.tools, llm.token_count.*',
      note: 'Recorded by Logfire from the OpenAI and Anthropic clients.',
    },
    { from: 'gen_ai.usage.raw', to: 'llm.token_count.*', note: 'The provider’s own usage as JSON, of Logfire.' },
    { from: 'operation.cost', to: 'llm.cost.total' },
    { from: 'logfire.tags', to: 'tag.tags' },
  ],
  notCovered: [
    'Placeholders of spans that are still open (logfire.span_type = pending_span) are shown unchanged.',
    'logfire.msg, logfire.json_schema and Logfire’s other names are not translated.',
  ],
};
