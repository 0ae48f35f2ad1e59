/** Messages as a person reads them: one line for each thing said, called or answered, whatever shape it came in. */
import { type Attributes, canonical, listItems, readJson, textAt } from './reading.ts';
import type { TruthMessage, TruthPart } from './truth.ts';

/** One thing in a conversation. */
export interface Line {
  readonly type: LineType;
  /** What was said; of a call its name and arguments; of an image its address. */
  readonly text: string;
  /** The call, of a call and of its result. */
  readonly callId?: string;
}

/** Who says something, or what it is where it is no text. */
export type LineType = 'system' | 'user' | 'assistant' | 'call' | 'result' | 'image' | 'reasoning' | 'other';

/** The lines of messages that were really sent. */
export function truthLines(messages: readonly TruthMessage[]): Line[] {
  return messages.flatMap(({ role, content }) => content.map((part) => truthLine(role, part)));
}

/** The lines that a span shows at `llm.input_messages` or `llm.output_messages`. */
export function shownLines(attributes: Attributes, path: string): Line[] {
  return listItems(attributes, path).flatMap(messageLines);
}

/** Whether the texts are the same, alone or joined in one another's places. */
export function isSameText(expected: readonly string[], shown: readonly string[]): boolean {
  const trimmed = [expected, shown].map((texts) => texts.map((text) => text.trim()).filter((text) => text !== ''));
  return ['\u0000', '', '\n', '\n\n'].some((between) => trimmed[0]?.join(between) === trimmed[1]?.join(between));
}

/** Whether a call is the same: its name, and its arguments as JSON, where none at all is an empty object. */
export function isSameCall(expected: string, shown: string): boolean {
  return expected === shown || (expected.endsWith(' {}') && shown === expected.slice(0, -' {}'.length));
}

/** Whether a tool's answer is the same: as it is, or as a text within the JSON around it. */
export function isSameResult(expected: unknown, shown: string | undefined): boolean {
  if (shown === undefined) return false;
  if (canonical(expected) === canonical(shown) || String(expected).trim() === shown.trim()) return true;
  const texts = listLeaves(readJson(expected));
  return texts.length > 0 && texts.every((text) => listLeaves(readJson(shown)).includes(text));
}

function truthLine(role: string, part: TruthPart): Line {
  switch (part.type) {
    case 'text':
      return { type: typeOfRole(role), text: part.text };
    case 'reasoning':
      return { type: 'reasoning', text: part.text };
    case 'image':
      return { type: 'image', text: part.base64 };
    case 'tool_call':
      return { type: 'call', text: `${part.name} ${canonical(part.arguments)}`, callId: part.id };
    case 'tool_result':
      return { type: 'result', text: canonical(part.result), callId: part.id };
  }
}

function messageLines(message: Attributes): Line[] {
  const role = textAt(message, 'message.role') ?? '';
  const callId = textAt(message, 'message.tool_call_id');
  const type = typeOfRole(role);
  const say = (text: string | undefined): Line[] => {
    if (text === undefined) return [];
    return [{ type, text: type === 'result' ? canonical(text) : text, ...(callId !== undefined && { callId }) }];
  };
  const contents = listItems(message, 'message.contents');
  const parts = contents.flatMap((content) => contentLines(content, say));
  const calls = listItems(message, 'message.tool_calls').map(callLine);
  // Some instrumentations send a text both ways.
  const isTextInParts = parts.some((line) => line.type === type);
  return [...(isTextInParts ? [] : say(textAt(message, 'message.content'))), ...parts, ...calls];
}

function contentLines(content: Attributes, say: (text: string | undefined) => Line[]): Line[] {
  const text = textAt(content, 'message_content.text');
  const url = textAt(content, 'message_content.image.image.url');
  switch (textAt(content, 'message_content.type')) {
    case 'image':
      return url === undefined ? [] : [{ type: 'image', text: url }];
    case 'reasoning':
      return text === undefined ? [] : [{ type: 'reasoning', text }];
    case 'text':
      return say(text);
    default:
      return [{ type: 'other', text: JSON.stringify(content) }];
  }
}

function callLine(call: Attributes): Line {
  const name = textAt(call, 'tool_call.function.name') ?? '';
  const given = textAt(call, 'tool_call.function.arguments');
  const callId = textAt(call, 'tool_call.id');
  const text = given === undefined ? name : `${name} ${canonical(given)}`;
  return { type: 'call', text, ...(callId !== undefined && { callId }) };
}

function typeOfRole(role: string): LineType {
  switch (role.toLowerCase()) {
    case 'system':
    case 'developer':
      return 'system';
    case 'user':
    case 'human':
      return 'user';
    case 'assistant':
    case 'model':
    case 'ai':
      return 'assistant';
    case 'tool':
    case 'function':
      return 'result';
    default:
      return 'other';
  }
}

function listLeaves(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value).trim()];
  return Object.values(value).flatMap(listLeaves);
}
