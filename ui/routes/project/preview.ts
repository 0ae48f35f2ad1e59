/** The beginning of an input or output, as the schema gives it. */
export interface IoBeginning {
  readonly mimeType: string;
  readonly truncatedValue: string;
}

const SPOKEN = /"(?:content|text|query|question|answer|input|output|message|prompt|result)"\s*:\s*"((?:[^"\\]|\\.)*)/g;

/** One line of an input or output. */
export interface Preview {
  readonly text: string;
  /** Data of a program, not what somebody said. */
  readonly isCode: boolean;
}

/**
 * One line that tells what was said. Of JSON that is the last thing said in it, where its beginning shows one; of
 * anything else the text itself.
 */
export function previewOf(io: IoBeginning | null | undefined): Preview | undefined {
  const text = io?.truncatedValue.replaceAll(/\s+/g, ' ').trim() ?? '';
  if (io == null || text === '') return undefined;
  if (io.mimeType !== 'json') return { text: plain(text), isCode: /^(?:\{ ?"|\[ ?[{[])/.test(text) };
  const said = [...text.matchAll(SPOKEN)]
    .map(([, value = '']) => unescape(value))
    .filter((value) => value.trim() !== '');
  const last = said.at(-1);
  return last === undefined ? { text, isCode: true } : { text: plain(last), isCode: false };
}

/** Markdown's marks say nothing in a line that shows none. */
function plain(text: string): string {
  return text.replaceAll(/\*\*|`+|^#{1,6} /g, '');
}

/** The value of JSON text that may have been cut off inside an escape. */
function unescape(text: string): string {
  try {
    return String(JSON.parse(`"${text.replace(/\\u?[\da-fA-F]{0,3}$/, '')}"`)).replaceAll(/\s+/g, ' ');
  } catch {
    return text; // not JSON after all: shown as it came
  }
}
