/** Weighs texts of JSON without parsing them. */
import { endOfString } from '#base/json-string';

/** Whether the text would be an object or a list, were it JSON. */
export function isContainerText(text: string): boolean {
  return CONTAINER.test(text);
}

const CONTAINER = /^\s*[[{]/;

/**
 * The bytes that the values of a text of JSON take once it is parsed, counted without parsing it. `undefined` where they are far more than
 * the text (not much to send, but it fills a heap): where an object or list opens for every few characters, or a long text has more of
 * them, or of members and items, than readable JSON has.
 */
export function weighJson(text: string, charactersOfContainer = 4): number | undefined {
  const maxContainers = 64 + text.length / charactersOfContainer;
  const maxBytes = FEW_BYTES + 2 * text.length;
  let containers = 0;
  let others = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) others++;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      containers++;
      if (containers > maxContainers || containers * CONTAINER_BYTES > maxBytes) return undefined;
    }
  }
  const bytes = containers * CONTAINER_BYTES + others * VALUE_BYTES;
  return bytes > maxBytes ? undefined : bytes;
}

/** The same of an object or a list; 0 where the text stays text. */
export function weighJsonContainer(text: string): number {
  return isContainerText(text) ? (weighJson(text) ?? 0) : 0;
}

/** What a text may take beside twice its length, so that short ones may hold nothing but small lists. */
const FEW_BYTES = 16 * 1024 * 1024;

/** What an object or a list takes. */
const CONTAINER_BYTES = 100;

/** What another value takes with its place and, in an object of many members, its name. */
const VALUE_BYTES = 50;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
