/**
 * Google's Agent Development Kit: the whole request and answer as JSON in attributes, in newer versions the GenAI
 * conventions with what was said in log records.
 * @see https://github.com/google/adk-python/blob/main/src/google/adk/telemetry/tracing.py
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import type { SpanKind } from '#domain/span';
import * as genAi from '#semconv/gen-ai';
import * as adk from '#semconv/google-adk';
import * as openinference from '#semconv/openinference';
import { fillTools, fillValue, INPUT } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { listCarriers, readDetails } from '../gen-ai/carriers.ts';
import { fillMessages, fillToolRun } from '../gen-ai/content.ts';
import { firstText, type Lookup } from '../gen-ai/lookup.ts';
import { NO_MESSAGES, readMessages } from '../gen-ai/messages.ts';
import { fillTokens, GEN_AI_TOKENS } from '../gen-ai/tokens.ts';
import { readJsonContainer, readJsonItems } from '../json-value.ts';
import { readRequestBody } from '../messages/request-body.ts';
import { readResponseBody } from '../messages/response-body.ts';
import { toInteger } from '../number.ts';
import { fillUsage } from '../usage-object.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'google-adk';

export function speaks({ scope, attributes }: SpanEvidence): boolean {
  return (
    scope.name === adk.SCOPE_GOOGLE_ADK || (attributes.hasRoot('gcp') && attributes.hasPrefix('gcp.vertex.agent.'))
  );
}

export function translate(span: SpanEvidence): void {
  const { attributes, name: spanName } = span;
  const get: Lookup = (key) => attributes.get(key);
  if (attributes.get(genAi.ATTR_GEN_AI_OPERATION_NAME) === undefined) {
    attributes.fill(openinference.ATTR_SPAN_KIND, KINDS.get(spanName.split(' ', 1)[0] ?? ''));
  }
  attributes.fill(openinference.ATTR_SESSION_ID, firstText(get, [adk.ATTR_SESSION_ID]));
  if (toInteger(attributes.get(adk.ATTR_EXPERIMENTAL_REASONING_TOKENS)) !== undefined) {
    const reasoning = [adk.ATTR_EXPERIMENTAL_REASONING_TOKENS, ...GEN_AI_TOKENS.reasoning];
    fillTokens(get, attributes, { ...GEN_AI_TOKENS, reasoning }, { isOutputSaidOnly: true });
  }
  fillCall(attributes, get);
  const isTool = attributes.get(genAi.ATTR_GEN_AI_OPERATION_NAME) === 'execute_tool';
  if (isTool) fillToolRun(attributes, contentOf(get(adk.ATTR_TOOL_CALL_ARGS)), contentOf(get(adk.ATTR_TOOL_RESPONSE)));
  fillValue(attributes, INPUT, contentOf(get(adk.ATTR_DATA)));
  joinStreamed(span);
}

/** Versions before they named operations. */
const KINDS: ReadonlyMap<string, SpanKind> = new Map<string, SpanKind>([
  ['invocation', 'CHAIN'],
  ['agent_run', 'AGENT'],
  ['call_llm', 'LLM'],
  ['send_data', 'CHAIN'],
]);

function fillCall(attributes: FlatAttributes, get: Lookup): void {
  const request = readRequestBody(readObject(get(adk.ATTR_LLM_REQUEST)));
  const response = readResponseBody(readObject(get(adk.ATTR_LLM_RESPONSE)));
  if (request === undefined && response === undefined) return;
  fillTools(attributes, request?.tools ?? []);
  fillMessages(attributes, request?.messages ?? NO_MESSAGES, response?.messages ?? NO_MESSAGES);
  if (response?.usage !== undefined) fillUsage(attributes, response.usage);
}

/** Spans that have nothing of a kind say so in words. */
function contentOf(value: JsonValue | undefined): JsonValue | undefined {
  return value === undefined || PLACEHOLDERS.has(value) ? undefined : value;
}

const PLACEHOLDERS: ReadonlySet<JsonValue> = new Set(['', '{}', 'N/A', '<not specified>', '<not serializable>']);

function readObject(value: JsonValue | undefined): JsonObject | undefined {
  const read = typeof value === 'string' ? readJsonContainer(value) : value;
  return isJsonObject(read) && Object.keys(read).length > 0 ? read : undefined;
}

/** A streamed answer is told in the pieces that arrived, each a message; only the last has a reason for its end. */
function joinStreamed(span: SpanEvidence): void {
  const told =
    span.attributes.get(genAi.ATTR_GEN_AI_OUTPUT_MESSAGES) ??
    readDetails(listCarriers(span))[genAi.ATTR_GEN_AI_OUTPUT_MESSAGES];
  const pieces = (typeof told === 'string' ? readJsonItems(told) : told) ?? [];
  if (!Array.isArray(pieces) || pieces.length < 2 || !pieces.every(isJsonObject)) return;
  if (!pieces.slice(0, -1).every((piece) => piece['finish_reason'] === '')) return;
  fillMessages(span.attributes, NO_MESSAGES, readMessages([joinPieces(pieces)], 'assistant'));
}

function joinPieces(pieces: readonly JsonObject[]): JsonObject {
  const parts: JsonObject[] = [];
  for (const part of pieces.flatMap((piece) => piece['parts'] ?? []).filter(isJsonObject)) {
    const last = parts.at(-1);
    if (isText(last) && isText(part)) last['content'] = `${last['content']}${part['content']}`;
    else parts.push(Object.assign(jsonObject(), part));
  }
  const whole = Object.assign(jsonObject(), pieces.at(-1));
  whole['parts'] = parts;
  return whole;
}

function isText(part: JsonObject | undefined): part is JsonObject & { content: string } {
  return part !== undefined && part['type'] === 'text' && typeof part['content'] === 'string';
}

export const docs: DialectDocs = {
  title: 'Google ADK',
  checkedVersion: 'google-adk 2.13.0',
  mappings: [
    {
      from: 'span name invocation, agent_run, call_llm, send_data',
      to: 'openinference.span.kind',
      note: 'In versions that name no operation.',
    },
    { from: 'gcp.vertex.agent.session_id', to: 'session.id', note: 'In newer versions gen_ai.conversation.id.' },
    { from: 'gcp.vertex.agent.llm_request', to: 'llm.input_messages, llm.tools, input.value' },
    { from: 'gcp.vertex.agent.llm_response', to: 'llm.output_messages, llm.token_count.*, output.value' },
    { from: 'gcp.vertex.agent.tool_call_args', to: 'tool.parameters, input.value' },
    { from: 'gcp.vertex.agent.tool_response', to: 'output.value' },
    { from: 'gcp.vertex.agent.data', to: 'input.value' },
    {
      from: 'gen_ai.usage.experimental.reasoning_tokens',
      to: 'llm.token_count.completion_details.reasoning',
      note: 'Added to the output, which leaves them out if they have this name.',
    },
    {
      from: 'gen_ai.output.messages in pieces, all but the last without a finish reason',
      to: 'llm.output_messages',
      note: 'Joined into one message.',
    },
  ],
  notCovered: ['gcp.vertex.agent.event_id and gcp.vertex.agent.invocation_id are not translated.'],
};
