/** What a GenAI span says outside its attributes: in its events, and in the log records that belong to it. */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import type { SpanEvent } from '#domain/span';
import * as genAi from '#semconv/gen-ai';
import type { SpanEvidence } from '../dialects/dialect.ts';
import { readJsonContainer, readJsonItems } from '../json-value.ts';
import type { CarriedMessages } from './content.ts';
import { joinMessages, type Messages, NO_MESSAGES, readMessages } from './messages.ts';
import { readStructure } from './structure.ts';

/** An event of a span, or a log record, which is an event with a body. */
export interface Carrier extends SpanEvent {
  readonly body?: JsonValue | undefined;
}

/**
 * The events that tell what was said: those on the span itself or, where there are none, the log records. Libraries that
 * send both say the same twice.
 */
export function listCarriers({ events, records }: Pick<SpanEvidence, 'events' | 'records'>): readonly Carrier[] {
  const onSpan = events.filter(isCarrier);
  return onSpan.length > 0 ? onSpan : records.filter(isCarrier);
}

/** Whether the event tells what was said. */
export function isCarrier({ name }: SpanEvent): boolean {
  return CARRIERS.has(name);
}

/** The attributes of all details events together: messages follow one another, of anything else the last counts. */
export function readDetails(carriers: readonly Carrier[]): JsonObject {
  const details = jsonObject();
  for (const carrier of carriers) {
    if (carrier.name !== genAi.EVENT_GEN_AI_CLIENT_INFERENCE_OPERATION_DETAILS) continue;
    const fields = readFields(carrier);
    for (const key of Object.keys(fields)) {
      const value = fields[key] as JsonValue;
      if (!MESSAGE_KEYS.has(key)) details[key] = value;
      else for (const message of toList(value)) ((details[key] ??= []) as JsonValue[]).push(message);
    }
  }
  return details;
}

/** The messages of events that are one each, in their order. */
export function readCarriedMessages(carriers: readonly Carrier[]): CarriedMessages {
  const input: Messages[] = [];
  const output: Messages[] = [];
  for (const carrier of carriers) {
    const role = INPUT_ROLES.get(carrier.name);
    if (role !== undefined) input.push(readMessages(readBody(carrier), role));
    else if (carrier.name === genAi.EVENT_GEN_AI_CHOICE) output.push(...readChoice(carrier));
    else if (carrier.name === genAi.EVENT_GEN_AI_CONTENT_PROMPT) {
      input.push(readMessages(readFields(carrier)[genAi.ATTR_GEN_AI_PROMPT], 'user'));
    } else if (carrier.name === genAi.EVENT_GEN_AI_CONTENT_COMPLETION) {
      output.push(readMessages(readFields(carrier)[genAi.ATTR_GEN_AI_COMPLETION], 'assistant'));
    }
  }
  return { input: joinMessages(input), output: joinMessages(output) };
}

/** What the last event of a name says: its content, or its message. */
export function lastContent(carriers: readonly Carrier[], name: string): JsonValue | undefined {
  const carrier = carriers.findLast((candidate) => candidate.name === name);
  if (carrier === undefined) return undefined;
  const fields = readFields(carrier);
  return fields['content'] ?? fields['message'];
}

/** The role of the message that an event carries, where the message does not say. */
const INPUT_ROLES: ReadonlyMap<string, string> = new Map([
  [genAi.EVENT_GEN_AI_SYSTEM_MESSAGE, 'system'],
  [genAi.EVENT_GEN_AI_USER_MESSAGE, 'user'],
  [genAi.EVENT_GEN_AI_ASSISTANT_MESSAGE, 'assistant'],
  [genAi.EVENT_GEN_AI_TOOL_MESSAGE, 'tool'],
  [genAi.EVENT_GEN_AI_TOOLS_MESSAGE, 'tool'],
]);

const CARRIERS: ReadonlySet<string> = new Set([
  ...INPUT_ROLES.keys(),
  genAi.EVENT_GEN_AI_CHOICE,
  genAi.EVENT_GEN_AI_CONTENT_PROMPT,
  genAi.EVENT_GEN_AI_CONTENT_COMPLETION,
  genAi.EVENT_GEN_AI_CLIENT_INFERENCE_OPERATION_DETAILS,
]);

const MESSAGE_KEYS: ReadonlySet<string> = new Set([
  genAi.ATTR_GEN_AI_INPUT_MESSAGES,
  genAi.ATTR_GEN_AI_OUTPUT_MESSAGES,
]);

function toList(value: JsonValue): JsonValue[] {
  const read = (typeof value === 'string' ? readJsonItems(value) : undefined) ?? value;
  return Array.isArray(read) ? read : [read];
}

/** The fields that an event has as attributes and in its body, which may be JSON text. */
function readFields({ attributes, body }: Carrier): JsonObject {
  const read = (typeof body === 'string' ? readJsonContainer(body) : undefined) ?? body;
  if (read === undefined || read === null) return attributes;
  const fields = Object.assign(jsonObject(), attributes);
  return isJsonObject(read) ? Object.assign(fields, read) : Object.assign(fields, { content: read });
}

/** The message of an event: its body, or its attributes with the JSON texts of them read. */
function readBody(carrier: Carrier): JsonObject {
  const { attributes, body } = carrier;
  const hasBody = body !== undefined && body !== null;
  const fields = hasBody ? readFields(carrier) : attributes;
  const message = jsonObject();
  // Other attributes are not a part of what was said.
  for (const key of MESSAGE_FIELDS) {
    const value = fields[key];
    if (value === undefined) continue;
    message[key] = (!hasBody && typeof value === 'string' ? readStructure(value) : undefined) ?? value;
  }
  const whole = attributes[genAi.ATTR_GEN_AI_EVENT_CONTENT];
  const read = typeof whole === 'string' ? readJsonContainer(whole) : whole;
  return isJsonObject(read) ? Object.assign(message, read) : message;
}

const MESSAGE_FIELDS: readonly string[] = [
  'role',
  'content',
  'parts',
  'message',
  'tool_calls',
  'function_call',
  'id',
  'tool_call_id',
  'name',
  'finish_reason',
];

/** Strands puts the results of the tools beside the message that called them. */
function readChoice(carrier: Carrier): Messages[] {
  const choice = readMessages(readBody(carrier), 'assistant');
  const results = carrier.attributes[TOOL_RESULT];
  const parts = typeof results === 'string' ? readStructure(results) : results;
  return [choice, parts === undefined ? NO_MESSAGES : readMessages([toMessage(parts)], 'tool')];
}

function toMessage(parts: JsonValue): JsonObject {
  const message = jsonObject();
  message['parts'] = parts;
  return message;
}

const TOOL_RESULT = 'tool.result';
