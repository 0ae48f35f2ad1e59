/** Log records of OpenLLMetry's instrumentation of Anthropic, which has one for each block of a message. */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import * as genAi from '#semconv/gen-ai';
import { fillTools } from '../fill.ts';
import { type Carrier, listCarriers, readCarriedMessages } from '../gen-ai/carriers.ts';
import { fillMessages } from '../gen-ai/content.ts';
import { readMessages } from '../gen-ai/messages.ts';
import type { SpanEvidence } from '../dialects/dialect.ts';

/** Whether the span is that instrumentation's, with log records. */
export function isOfAnthropic({ scope, records }: SpanEvidence): boolean {
  return records.length > 0 && scope.name === SCOPE;
}

const SCOPE = 'opentelemetry.instrumentation.anthropic';

/** Adds the tools that stand among the messages, the messages without them, and the blocks of the answer as one message. */
export function fillAnthropicBlocks(span: SpanEvidence): void {
  const carriers = listCarriers(span);
  fillTools(span.attributes, carriers.flatMap(listTools));
  const { input } = readCarriedMessages(carriers.filter((carrier) => listTools(carrier).length === 0));
  const blocks = carriers.filter(({ name }) => name === genAi.EVENT_GEN_AI_CHOICE).map(readBlock);
  const whole = blocks.length === 0 ? undefined : [joinBlocks(blocks)];
  fillMessages(span.attributes, input, readMessages(whole, 'assistant'));
}

function listTools({ body }: Carrier): JsonObject[] {
  const content = isJsonObject(body) ? body['content'] : undefined;
  const tools = isJsonObject(content) ? content['tools'] : undefined;
  return Array.isArray(tools) ? tools.filter(isJsonObject) : [];
}

interface Block {
  readonly parts: readonly JsonValue[];
  readonly calls: readonly JsonValue[];
  readonly finishReason: JsonValue | undefined;
}

function readBlock({ body }: Carrier): Block {
  if (!isJsonObject(body)) return { parts: [], calls: [], finishReason: undefined };
  const { message, tool_calls: calls, finish_reason: finishReason } = body;
  const content = isJsonObject(message) ? message['content'] : message;
  const inner = isJsonObject(message) ? message['tool_calls'] : undefined;
  return { parts: listOf(content), calls: [...listOf(calls), ...listOf(inner)], finishReason };
}

function joinBlocks(blocks: readonly Block[]): JsonObject {
  const message = jsonObject();
  message['role'] = 'assistant';
  message['content'] = blocks.flatMap(({ parts }) => parts).filter((part) => part !== '');
  message['tool_calls'] = blocks.flatMap(({ calls }) => calls);
  const reason = blocks.findLast(({ finishReason }) => typeof finishReason === 'string')?.finishReason;
  if (reason !== undefined) message['finish_reason'] = reason;
  return message;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
