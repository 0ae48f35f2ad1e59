/** The words of the filter language. */
import type { Range } from './diagnostic.ts';

/** Words that are no names. */
export const KEYWORDS = ['and', 'or', 'not', 'in', 'is', 'for', 'if', 'True', 'False', 'None'] as const;

/** One of {@link KEYWORDS}. */
export type Keyword = (typeof KEYWORDS)[number];

/** Signs, the longer ones first. Those that mean nothing here are known to be able to say so. */
// biome-ignore format: a line for each length
export const SIGNS = [
  '==', '!=', '<=', '>=', '**', '//', '<<', '>>', '->', ':=',
  '<', '>', '+', '-', '*', '/', '%', '(', ')', '[', ']', '{', '}', '.', ',', ':', '^', '~', '@', ';', '?',
] as const;

/** One of {@link SIGNS}. */
export type Sign = (typeof SIGNS)[number];

/** A word with its place in the text. The text of a token as it was written is that of its range. */
export type Token = Range &
  (
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'keyword'; readonly word: Keyword }
    | { readonly kind: 'sign'; readonly sign: Sign }
    | { readonly kind: 'text'; readonly value: string; readonly isClosed: boolean; readonly isProse?: true }
    | { readonly kind: 'number'; readonly value: number; readonly text: string }
    | { readonly kind: 'end' }
  );

/** Whether the text can be written as a name: letters, digits and `_`, no digit first. Keywords are not told apart. */
export function isName(text: string): boolean {
  return WHOLE_NAME.test(text);
}

const WHOLE_NAME = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u;
