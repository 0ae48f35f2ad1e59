/** Texts of Claude Code's detailed tracing: each begins with a heading that says what it is, and rules stand between several. */
import { type JsonObject, type JsonValue, jsonObject } from '#base/json';
import { readJsonContainer } from '../json-value.ts';

/** What is new in the prompt of a call, as messages of Anthropic's API; a text without headings is what the user said. */
export function readNewContext(text: JsonValue | undefined): JsonValue | undefined {
  if (typeof text !== 'string' || !HEADING.test(text)) return text;
  return text.split(RULE).map((part) => {
    const [heading = '', , callId] = HEADING.exec(part) ?? [];
    const said = part.slice(heading.length);
    return toUserMessage(callId === undefined ? said : [toResult(callId, said)]);
  });
}

/** What stands under the heading of a tool's input. */
export function readToolInput(text: JsonValue | undefined): JsonValue | undefined {
  return typeof text === 'string' ? text.replace(TOOL_HEADING, '') : text;
}

const HEADING = /^\[(USER|USER PROMPT|TOOL RESULT: ([^\]\n]*))\]\n/;
const RULE = /\n\n---\n\n(?=\[(?:USER|TOOL RESULT: [^\]\n]*)\]\n)/;
const TOOL_HEADING = /^\[TOOL INPUT: [^\]\n]*\]\n/;

function toUserMessage(content: JsonValue): JsonObject {
  return Object.assign(jsonObject(), { role: 'user', content });
}

/** Parts of a result are sent as JSON text. */
function toResult(callId: string, said: string): JsonObject {
  const parts = readJsonContainer(said);
  const content = Array.isArray(parts) ? parts : said;
  return Object.assign(jsonObject(), { type: 'tool_result', tool_use_id: callId, content });
}
