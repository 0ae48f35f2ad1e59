/** What the panel with the whole text of a cell shows. */
import { stringifyJson, tryParseJson } from '#base/json';

/** As many characters as are laid out at once: who wants more opens the row. */
export const MAX_SHOWN_CHARACTERS = 20_000;

/** A text as it is read: JSON on lines of its own. */
export interface ShownText {
  readonly text: string;
  readonly isCode: boolean;
  readonly isCut: boolean;
}

/** The text of an input or output. */
export function shownText(value: string, mimeType: string): ShownText {
  const isShort = value.length <= MAX_SHOWN_CHARACTERS;
  const laidOut = mimeType === 'json' && isShort ? indent(value) : undefined;
  const text = laidOut ?? value;
  return {
    text: text.slice(0, MAX_SHOWN_CHARACTERS),
    isCode: mimeType === 'json' && /^\s*[[{"]/.test(value),
    isCut: text.length > MAX_SHOWN_CHARACTERS,
  };
}

/** Undefined where it is no JSON. */
function indent(value: string): string | undefined {
  const parsed = tryParseJson(value);
  return parsed === undefined ? undefined : stringifyJson(parsed, 2);
}
