/**
 * OpenTelemetry's GenAI conventions, in span events: one event for all, or the older one event for each message.
 * @see https://github.com/open-telemetry/semantic-conventions/blob/main/docs/gen-ai/gen-ai-events.md
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import type { SpanEvent } from '#domain/span';
import * as genAi from '#semconv/gen-ai';
import { ATTR_SPAN_KIND } from '#semconv/openinference';
import { fillContent, fillMessages, fillToolRun } from '../gen-ai/content.ts';
import { joinMessages, type Messages, readMessages } from '../gen-ai/messages.ts';
import { fillOperation } from '../gen-ai/operation.ts';
import { readJsonContainer, readJsonItems } from '../json-value.ts';
import type { SpanEvidence } from './dialect.ts';

export const name = 'gen-ai-events';

export function speaks({ events }: SpanEvidence): boolean {
  return events.some((event) => event.name.startsWith('gen_ai.'));
}

export function translate({ attributes, events }: SpanEvidence): void {
  const details = readDetails(events);
  fillOperation((key) => details[key], attributes);
  const input = readAll(events, INPUT_ROLES, genAi.EVENT_GEN_AI_CONTENT_PROMPT, genAi.ATTR_GEN_AI_PROMPT);
  const output = readAll(events, OUTPUT_ROLES, genAi.EVENT_GEN_AI_CONTENT_COMPLETION, genAi.ATTR_GEN_AI_COMPLETION);
  const isCall = input.read.length > 0 || output.read.length > 0;
  if (isCall && attributes.get(genAi.ATTR_GEN_AI_OPERATION_NAME) === undefined) attributes.fill(ATTR_SPAN_KIND, 'LLM');
  fillContent((key) => details[key], attributes);
  if (attributes.get(ATTR_SPAN_KIND) === 'TOOL') {
    // The events of a tool's own span are no conversation: what the tool was given, and what it gave.
    fillToolRun(
      attributes,
      lastContent(events, genAi.EVENT_GEN_AI_TOOL_MESSAGE),
      lastContent(events, genAi.EVENT_GEN_AI_CHOICE),
    );
  } else {
    fillMessages(attributes, input, output);
  }
}

/** The role of the message that an event carries, where the message does not say. */
const INPUT_ROLES: ReadonlyMap<string, string> = new Map([
  [genAi.EVENT_GEN_AI_SYSTEM_MESSAGE, 'system'],
  [genAi.EVENT_GEN_AI_USER_MESSAGE, 'user'],
  [genAi.EVENT_GEN_AI_ASSISTANT_MESSAGE, 'assistant'],
  [genAi.EVENT_GEN_AI_TOOL_MESSAGE, 'tool'],
]);
const OUTPUT_ROLES: ReadonlyMap<string, string> = new Map([[genAi.EVENT_GEN_AI_CHOICE, 'assistant']]);

/** The attributes of all details events together: messages follow one another, of anything else the last counts. */
function readDetails(events: readonly SpanEvent[]): JsonObject {
  const details = jsonObject();
  for (const event of events) {
    if (event.name !== genAi.EVENT_GEN_AI_CLIENT_INFERENCE_OPERATION_DETAILS) continue;
    for (const key of Object.keys(event.attributes)) {
      const value = event.attributes[key] as JsonValue;
      if (!MESSAGE_KEYS.has(key)) details[key] = value;
      else for (const message of toList(value)) ((details[key] ??= []) as JsonValue[]).push(message);
    }
  }
  return details;
}

const MESSAGE_KEYS: ReadonlySet<string> = new Set([
  genAi.ATTR_GEN_AI_INPUT_MESSAGES,
  genAi.ATTR_GEN_AI_OUTPUT_MESSAGES,
]);

function toList(value: JsonValue): JsonValue[] {
  const read = (typeof value === 'string' ? readJsonItems(value) : undefined) ?? value;
  return Array.isArray(read) ? read : [read];
}

function readAll(
  events: readonly SpanEvent[],
  roles: ReadonlyMap<string, string>,
  contentEvent: string,
  contentKey: string,
): Messages {
  const contentRole = contentEvent === genAi.EVENT_GEN_AI_CONTENT_PROMPT ? 'user' : 'assistant';
  return joinMessages(
    events.map((event) => {
      if (event.name === contentEvent) return readMessages(event.attributes[contentKey], contentRole);
      const role = roles.get(event.name);
      return role === undefined ? { sent: [], read: [] } : readMessages(readBody(event), role);
    }),
  );
}

/** The message of an event: its attributes, with JSON texts of them read, under the whole body where it is one attribute. */
function readBody(event: SpanEvent): JsonObject {
  const body = jsonObject();
  for (const key of Object.keys(event.attributes)) {
    const value = event.attributes[key] as JsonValue;
    body[key] = (typeof value === 'string' ? readJsonContainer(value) : undefined) ?? value;
  }
  const whole = body[genAi.ATTR_GEN_AI_EVENT_CONTENT];
  return isJsonObject(whole) ? Object.assign(body, whole) : body;
}

function lastContent(events: readonly SpanEvent[], eventName: string): JsonValue | undefined {
  const event = events.findLast((candidate) => candidate.name === eventName);
  if (event === undefined) return undefined;
  return event.attributes['content'] ?? event.attributes['message'];
}
