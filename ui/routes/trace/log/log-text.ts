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

/** A stretch of a text, found or not. */
export interface Stretch {
  readonly text: string;
  readonly isFound: boolean;
}

/** A text cut where a query occurs in it, in any case. */
export function cutAtFinds(text: string, query: string): readonly Stretch[] {
  if (query === '') return [{ text, isFound: false }];
  const lower = text.toLowerCase();
  const wanted = query.toLowerCase();
  // Some letters change their length with their case: then no place can be told.
  if (lower.length !== text.length) return [{ text, isFound: false }];
  const stretches: Stretch[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    if (at > from) stretches.push({ text: text.slice(from, at), isFound: false });
    from = at + wanted.length;
    stretches.push({ text: text.slice(at, from), isFound: true });
  }
  if (from < text.length || stretches.length === 0) stretches.push({ text: text.slice(from), isFound: false });
  return stretches;
}

/** Whether a query occurs anywhere in what a span read, wrote or met, in any case. */
export function occursIn(content: LogContent, query: string): boolean {
  const wanted = query.toLowerCase();
  const texts = [content.input, content.output, content.statusMessage];
  for (const { type, message, stack } of content.exceptions) texts.push(type, message, stack);
  return texts.some((text) => text?.toLowerCase().includes(wanted) === true);
}
