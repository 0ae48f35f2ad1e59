/** Texts of the log: which part is shown, and where something occurs in them. */
import type { LogContent } from './log-contents.ts';

/** Longer texts are folded. */
export const FOLDED_CHARS = 1200;
/** Even unfolded no more of a text is in the document; the details show all of it. */
const MAX_CHARS = 50_000;

/** A run of letters and digits this long is no language. */
const BINARY = /[A-Za-z0-9+/_-]{400,}={0,2}/g;

/** What is shown of a text. */
export interface Excerpt {
  readonly text: string;
  /** Characters that are left out. */
  readonly hiddenCount: number;
}

/** The beginning of a text, encoded bytes replaced by their size. */
export function excerptOf(text: string, isUnfolded: boolean): Excerpt {
  const readable = text.replace(BINARY, (run) => `⟨${Math.round((run.length * 3) / 4 / 1024)} KiB encoded⟩`);
  const limit = isUnfolded ? MAX_CHARS : FOLDED_CHARS;
  if (readable.length <= limit) return { text: readable, hiddenCount: 0 };
  return { text: readable.slice(0, limit).toWellFormed(), hiddenCount: readable.length - limit };
}

/** Whether a query occurs anywhere in what a span read, wrote or met, in any case. */
export function occursIn(content: LogContent, query: string): boolean {
  const wanted = query.toLowerCase();
  const texts = [content.input, content.output, content.statusMessage];
  for (const { type, message, stackTrace } of content.exceptions)
    texts.push(type ?? null, message ?? null, stackTrace ?? null);
  return texts.some((text) => text?.toLowerCase().includes(wanted) === true);
}
