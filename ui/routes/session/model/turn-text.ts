/** What a person said and was answered in a turn, out of whatever the application recorded as its input and output. */
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json';
import { parseContainer, readText } from '../../span/model/read-json.ts';

/** See {@link readTurnText}. */
export type TurnText =
  | { readonly type: 'text'; readonly text: string }
  /** No text was found in it that could be all that was said. */
  | { readonly type: 'json'; readonly value: JsonValue };

/** The text of one side of a turn: of messages the last one by the side that speaks. */
export function readTurnText(value: string, side: 'input' | 'output'): TurnText {
  const json = parseContainer(value);
  if (json === undefined) return { type: 'text', text: value };
  const text = findText(json, side, MAX_DEPTH);
  return text === undefined ? { type: 'json', value: json } : { type: 'text', text };
}

function findText(value: JsonValue | undefined, side: 'input' | 'output', depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return findInList(value, side, depth - 1);
  if (!isJsonObject(value)) return undefined;
  const message = messageFields(value);
  if (message !== undefined) return findContent(message['content'] ?? message['parts'], depth - 1);
  for (const key of side === 'input' ? INPUT_KEYS : OUTPUT_KEYS) {
    const text = value[key] === undefined ? undefined : findText(value[key], side, depth - 1);
    if (text !== undefined) return text;
  }
  // An object of one field is a wrapper, whatever it is called: a component's name, `data`, `result`.
  const [only, ...others] = Object.values(value);
  return others.length === 0 && typeof only === 'object' ? findText(only, side, depth - 1) : undefined;
}

/** Of messages, the last of the side; of parts of one message, their texts; of anything else, the last that is found. */
function findInList(list: readonly JsonValue[], side: 'input' | 'output', depth: number): string | undefined {
  const messages = list
    .filter(isJsonObject)
    .map(messageFields)
    .filter((message) => message !== undefined);
  if (messages.length > 0) {
    const own = messages.filter((message) => (side === 'input' ? USER_ROLES : ASSISTANT_ROLES).has(roleOf(message)));
    const told = own.flatMap((message) => findContent(message['content'] ?? message['parts'], depth) ?? []);
    return told.at(-1);
  }
  const parts = partTexts(list);
  if (parts !== undefined) return parts;
  for (const item of list.toReversed()) {
    const text = findText(item, side, depth);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The object that has a role and content, however it is wrapped; what LangChain writes has its role as a type. */
function messageFields(object: JsonObject): JsonObject | undefined {
  for (const candidate of [object, object['kwargs'], object['data'], object['message']]) {
    if (!isJsonObject(candidate) || (candidate['content'] === undefined && candidate['parts'] === undefined)) continue;
    if (roleOf(candidate) !== '' || roleOf(object) !== '')
      return { ...candidate, role: roleOf(candidate) || roleOf(object) };
  }
  return undefined;
}

function roleOf(message: JsonObject): string {
  const { role, type, id } = message;
  if (typeof role === 'string') return role.toLowerCase();
  // A LangChain constructor: `["langchain", "schema", "messages", "HumanMessage"]`.
  const name = Array.isArray(id) ? id.at(-1) : undefined;
  if (typeof name === 'string' && name.endsWith('Message')) return name.slice(0, -'Message'.length).toLowerCase();
  return typeof type === 'string' && LANGCHAIN_TYPES.has(type.toLowerCase()) ? type.toLowerCase() : '';
}

function findContent(content: JsonValue | undefined, depth: number): string | undefined {
  if (typeof content === 'string') return content.trim() === '' ? undefined : content;
  return Array.isArray(content) && depth > 0 ? partTexts(content) : undefined;
}

/** The texts of parts such as `{type: 'text', text}`; `undefined` where none is one. */
function partTexts(parts: readonly JsonValue[]): string | undefined {
  const texts = parts.flatMap((part) => {
    if (typeof part === 'string') return part;
    if (!isJsonObject(part) || !TEXT_TYPES.has(readText(part['type']) ?? '')) return [];
    const text = part['text'] ?? part['content'];
    return typeof text === 'string' ? text : [];
  });
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

const MAX_DEPTH = 10;

const INPUT_KEYS = [
  'messages',
  'input',
  'question',
  'query',
  'prompt',
  'task',
  'user_input',
  'user_query',
  'message',
  'contents',
  'content',
  'text',
  'data',
  'inputs',
  'args',
  'kwargs',
];

const OUTPUT_KEYS = [
  'answer',
  'output',
  'response',
  'final_output',
  'result',
  'choices',
  'message',
  'messages',
  'generations',
  'candidates',
  'replies',
  'reply',
  'content',
  'text',
  'completion',
  'data',
  'outputs',
];

const USER_ROLES: ReadonlySet<string> = new Set(['user', 'human']);
const ASSISTANT_ROLES: ReadonlySet<string> = new Set(['assistant', 'ai', 'aichunk', 'aimessagechunk', 'model']);
const LANGCHAIN_TYPES: ReadonlySet<string> = new Set(['human', 'ai', 'aimessagechunk', 'system', 'tool', 'function']);
const TEXT_TYPES: ReadonlySet<string> = new Set(['', 'text', 'input_text', 'output_text']);
