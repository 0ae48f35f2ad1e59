/** What model calls say to tools and hear from them, as lists show it: `→ track_parcel(id: "4711") +2`. */
import { isJsonObject, type JsonValue, stringifyJson, tryParseJson } from '#base/json';
import { type LastMessage, lastMessage, type ToolCall } from './last-message.ts';

type Entries = Iterable<readonly [key: string, value: JsonValue]>;

/** The tools that the last message of an answer calls: the first, and how many others; undefined where it calls none. */
export function describeCalls(entries: Entries): string | undefined {
  const [first, ...others] = lastMessage(entries, 'llm.output_messages')?.calls ?? [];
  return first === undefined ? undefined : describeCall(first, others.length);
}

/** The result of a tool, if a model was given that last: `← track_parcel: delivered`. */
export function describeResult(entries: Entries): string | undefined {
  const message = lastMessage(entries, 'llm.input_messages');
  if (message?.text === undefined || !isResult(message)) return undefined;
  const text = cut(oneLine(message.text), MAX_RESULT);
  return message.toolName === undefined ? `← ${text}` : `← ${cut(oneLine(message.toolName), MAX_NAME)}: ${text}`;
}

function isResult({ role, callId }: LastMessage): boolean {
  return callId !== undefined || role === 'tool' || role === 'function';
}

/** As many characters as a list shows: the arguments are cut, so that the end of the call and the number of others are seen. */
function describeCall(call: ToolCall, otherCount: number): string {
  const head = `→ ${cut(oneLine(call.name), MAX_NAME)}(`;
  const tail = otherCount === 0 ? ')' : `) +${otherCount}`;
  const room = MAX_SHOWN - Array.from(head).length - tail.length;
  return `${head}${cut(describeArguments(call.arguments), room)}${tail}`;
}

function describeArguments(given: JsonValue | undefined): string {
  if (given === undefined || given === null) return '';
  const parsed = typeof given === 'string' ? parseBriefly(given) : given;
  if (isJsonObject(parsed)) {
    return oneLine(
      Object.entries(parsed)
        .map(([name, value]) => `${name}: ${stringifyJson(value)}`)
        .join(', '),
    );
  }
  return oneLine(typeof given === 'string' ? given : stringifyJson(given));
}

/** Rows are made while somebody waits, and of long arguments only the beginning is shown anyway. */
function parseBriefly(text: string): JsonValue | undefined {
  return text.length <= MAX_PARSED ? tryParseJson(text) : undefined;
}

function oneLine(text: string): string {
  return text.slice(0, MAX_PARSED).replaceAll(/\s+/g, ' ').trim();
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = Array.from(text.slice(0, 2 * length));
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/** Characters that lists show: those of a preview. */
const MAX_SHOWN = 100;
const MAX_NAME = 48;
const MAX_RESULT = 150;
const MAX_PARSED = 16 * 1024;
