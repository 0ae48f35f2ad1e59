import type { JsonObject, JsonValue, Message, ToolDefinition } from './conversation.ts';
import type { AttributeMap, AttributeValue } from './otlp.ts';

/**
 * Messages and tools in the form of the OpenTelemetry GenAI conventions.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
export interface GenAiMessage {
  readonly role: string;
  readonly parts: readonly JsonObject[];
  readonly finish_reason?: string;
}

export function toGenAiMessages(messages: readonly Message[]): GenAiMessage[] {
  return messages.map((message) => ({ role: message.role, parts: toParts(message) }));
}

export function toParts(message: Message): JsonObject[] {
  if (message.role === 'tool') {
    return [{ type: 'tool_call_response', id: message.toolCallId, response: JSON.parse(message.content) as JsonValue }];
  }
  const parts: JsonObject[] = [];
  if (message.role === 'assistant' && message.reasoning !== undefined) {
    parts.push({ type: 'reasoning', content: message.reasoning });
  }
  if (message.content !== '') parts.push({ type: 'text', content: message.content });
  if (message.role === 'user' && message.imageUrl !== undefined) parts.push(toBlob(message.imageUrl));
  if (message.role !== 'assistant') return parts;
  for (const call of message.toolCalls ?? []) {
    parts.push({ type: 'tool_call', id: call.id, name: call.name, arguments: call.arguments });
  }
  return parts;
}

function toBlob(dataUrl: string): JsonObject {
  const [, mimeType = '', content = ''] = /^data:([^;]+);base64,(.*)$/.exec(dataUrl) ?? [];
  return { type: 'blob', modality: 'image', mime_type: mimeType, content };
}

export function toToolDefinitions(tools: readonly ToolDefinition[]): JsonObject[] {
  return tools.map(({ name, description, parameters }) => ({ type: 'function', name, description, parameters }));
}

/** How a library sends structured values: as JSON text, which most can only do, or as they are. */
export type StructuredForm = 'text' | 'structured';

/** The attributes with every list and map in the given form. */
export function inForm(form: StructuredForm, values: Readonly<Record<string, unknown>>): AttributeMap {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      form === 'text' ? (typeof value === 'string' ? value : JSON.stringify(value)) : toAttributeValue(value),
    ]),
  );
}

function toAttributeValue(value: unknown): AttributeValue | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(toAttributeValue).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toAttributeValue(item)]));
}
