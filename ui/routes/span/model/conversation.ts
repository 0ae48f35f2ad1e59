/** The messages of a model call as one conversation, with the answers of tools beside the calls that asked for them. */
import type { JsonObject, JsonValue } from '#base/json';
import { attributeAt } from '#domain/attributes';
import { type Message, type MessagePart, readMessage, type ToolCall } from './message.ts';
import { isEmpty, readList, readStructure } from './read-json.ts';

/** An answer of a tool. */
export interface ToolResult {
  readonly name: string | undefined;
  readonly parts: readonly MessagePart[];
}

/** See {@link Message}. */
export interface ConversationMessage extends Omit<Message, 'parts'> {
  /** Stable within the conversation. */
  readonly key: string;
  readonly side: 'input' | 'output';
  readonly parts: readonly ConversationPart[];
  /** Of a tool's answer that stands alone: no call here asked for it. */
  readonly isOrphan: boolean;
}

/** See {@link MessagePart}. */
export type ConversationPart =
  | Exclude<MessagePart, { type: 'tool_call' }>
  | { readonly type: 'tool_call'; readonly call: ToolCall; readonly results: readonly ToolResult[] };

/** The conversation that a span's attributes tell; empty where they tell none. */
export function readConversation(attributes: JsonObject): ConversationMessage[] {
  const input = listAt(attributes, 'llm.input_messages');
  const output = dropRepeated(listAt(attributes, 'llm.output_messages'), input);
  const read = (side: 'input' | 'output') => (item: JsonValue, index: number) => ({
    ...readMessage(item),
    key: `${side}-${index}`,
    side,
  });
  const sides = [input.map(read('input')), output.map(read('output'))];
  return joinResults(sides.filter((side) => side.some(({ parts }) => parts.length > 0)).flat());
}

/** Some repeat the whole prompt before the answer. */
function dropRepeated(output: readonly JsonValue[], input: readonly JsonValue[]): readonly JsonValue[] {
  if (input.length === 0 || output.length <= input.length) return output;
  const isRepeated = input.every((item, index) => JSON.stringify(item) === JSON.stringify(output[index]));
  return isRepeated ? output.slice(input.length) : output;
}

function listAt(attributes: JsonObject, path: string): readonly JsonValue[] {
  const value = attributeAt(attributes, path);
  return readList(value) ?? (isEmpty(value) ? [] : [readStructure(value) as JsonValue]);
}

interface Placed extends Message {
  readonly key: string;
  readonly side: 'input' | 'output';
}

/** A call that waits for answers. Its results are filled in as they are met. */
interface OpenCall {
  readonly call: ToolCall;
  readonly results: ToolResult[];
}

function joinResults(messages: readonly Placed[]): ConversationMessage[] {
  const calls: OpenCall[] = [];
  return messages.flatMap((message) => {
    const asked = message.role === 'tool' ? findCall(calls, message) : undefined;
    if (asked !== undefined) {
      asked.results.push({ name: message.name, parts: message.parts });
      return [];
    }
    const parts = message.parts.map((part): ConversationPart => {
      if (part.type !== 'tool_call') return part;
      const open: OpenCall = { call: part.call, results: [] };
      calls.push(open);
      return { ...part, results: open.results };
    });
    return [{ ...message, parts, isOrphan: message.role === 'tool' }];
  });
}

/**
 * The call that the message answers: the latest with its id that has no answer yet, else the latest with its id. Where it
 * names none, the earliest unanswered call of its name, or the earliest at all where it has no name either.
 */
function findCall(calls: readonly OpenCall[], { toolCallId, name }: Message): OpenCall | undefined {
  if (toolCallId === undefined) {
    return calls.find(({ call, results }) => results.length === 0 && (name === undefined || call.name === name));
  }
  const named = calls.filter(({ call }) => call.id === toolCallId);
  return named.findLast(({ results }) => results.length === 0) ?? named.at(-1);
}
