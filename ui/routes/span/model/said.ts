/** What a recorded input or output says: the messages that it holds, in whichever of the usual shapes, else what it is. */
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json';
import { type ConversationMessage, readConversation } from './conversation.ts';
import { parseContainer } from './read-json.ts';

/** See {@link readSaid}. */
export type Said =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: JsonValue }
  /** Never empty. */
  | { readonly type: 'messages'; readonly messages: readonly ConversationMessage[] };

/** Reads a recorded text. */
export function readSaid(text: string, side: 'input' | 'output'): Said {
  const json = parseContainer(text);
  if (json === undefined) return { type: 'text', text };
  const listed = findMessages(json, MAX_DEPTH)?.map(withContents);
  const messages = listed === undefined ? [] : readConversation({ llm: { [`${side}_messages`]: [...listed] } });
  return messages.length === 0 ? { type: 'json', value: json } : { type: 'messages', messages };
}

/** The messages, where all of the value is messages or says that these are. */
function findMessages(value: JsonValue | undefined, depth: number): readonly JsonObject[] | undefined {
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    const found = value.map((item) => findMessages(item, depth - 1));
    return found.length > 0 && found.every((messages) => messages !== undefined) ? found.flat() : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  if (isMessage(value)) return [value];
  for (const key of HOLDERS) {
    if (typeof value[key] === 'object') return findMessages(value[key], depth - 1);
  }
  return undefined;
}

function isMessage(value: JsonObject): boolean {
  return typeof value['role'] === 'string' && CONTENTS.some((key) => value[key] !== undefined);
}

/** Parts in the words of the GenAI conventions as contents: their texts are called otherwise. */
function withContents(message: JsonObject): JsonObject {
  const { parts, ...rest } = message;
  if (!Array.isArray(parts)) return message;
  return {
    ...rest,
    contents: parts.map((part) =>
      isJsonObject(part) && part['type'] === 'text' && part['text'] === undefined
        ? { type: 'text', text: part['content'] ?? '' }
        : part,
    ),
  };
}

/** A list of choices, each with a message, in an object. */
const MAX_DEPTH = 5;
const HOLDERS = ['messages', 'message', 'choices'];
const CONTENTS = ['content', 'contents', 'parts', 'tool_calls', 'function_call'];
