import { type MediaBeginning, readMediaBeginning } from '#ui/lib/media-beginning.ts';

/** What lists show of an input or output: what was said last in JSON where anything was, else its beginning. */
export interface IoBeginning {
  readonly mimeType: string;
  readonly truncatedValue: string;
}

/** One line of an input or output. */
export interface Preview {
  readonly text: string;
  /** Data of a program, not what somebody said. */
  readonly isCode: boolean;
  /** Undefined of a text. */
  readonly media?: MediaBeginning['kind'];
}

/** One line that tells what was said. */
export function previewOf(io: IoBeginning | null | undefined): Preview | undefined {
  const text = io?.truncatedValue.replaceAll(/\s+/g, ' ').trim() ?? '';
  if (text === '') return undefined;
  const media = readMediaBeginning(text);
  if (media !== undefined) return { text: media.label, isCode: false, media: media.kind };
  const isCode =
    CALL.test(text) ||
    /^(?:\{ ?"|\{ ?\}|\[ ?[[{\]"\d-])/.test(text) ||
    (io?.mimeType === 'json' && /^(?:true|false|null|-?\d[\d.eE+-]*)$/.test(text));
  return { text: isCode ? text : plain(text), isCode };
}

/** What a model asks of tools, as the server writes it. */
const CALL = /^→ [^\s(]+\(/;

/** Markdown's marks say nothing in a line that shows none. */
function plain(text: string): string {
  return text.replaceAll(/\*\*|`+|^#{1,6} /g, '');
}
