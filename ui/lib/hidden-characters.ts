/** What cannot be seen in a text, or changes how the rest of it is seen: two names that look alike are not, or one reads as another. */

/** A stretch of a text. */
export interface Piece {
  /** As it is, or the mark that stands for what cannot be seen: `⟨U+202E⟩`. */
  readonly text: string;
  /** Of a mark: what it stands for. */
  readonly meaning?: string;
}

/** More of a name fits nowhere. */
const MAX_LETTERS = 1000;
/** A name with more of them is no name. */
const MAX_MARKS = 20;

/** Whether nothing in the text needs a mark or could reorder what stands beside it. */
export function isPlainText(text: string): boolean {
  return text.length <= MAX_LETTERS && PRINTABLE_ASCII.test(text);
}

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** The beginning of a text with a mark in the place of each run of characters that cannot be seen. */
export function splitHidden(text: string): readonly Piece[] {
  const shown = text.length > MAX_LETTERS ? withoutHalfPair(text.slice(0, MAX_LETTERS)) : text;
  const pieces: Piece[] = [];
  let from = 0;
  for (const { index, 0: run } of shown.matchAll(HIDDEN_RUN)) {
    if (index > from) pieces.push({ text: shown.slice(from, index) });
    from = index;
    if (pieces.length >= 2 * MAX_MARKS) return [...pieces, { text: '…' }];
    pieces.push(markOf(run));
    from += run.length;
  }
  const rest = shown.slice(from) + (shown.length < text.length ? '…' : '');
  if (rest !== '') pieces.push({ text: rest });
  return pieces;
}

/** The same as one text, where there is room for text alone: titles, labels. */
export function revealHidden(text: string): string {
  if (isPlainText(text)) return text;
  return splitHidden(text)
    .map((piece) => piece.text)
    .join('');
}

function markOf(run: string): Piece {
  const code = run.codePointAt(0) ?? 0;
  const count = run.length / (code > 0xffff ? 2 : 1);
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return {
    text: count === 1 ? `⟨${name}⟩` : `⟨${name} ×${count}⟩`,
    meaning: MEANINGS.get(code) ?? (code < 0xa0 ? 'Control character' : 'Invisible character'),
  };
}

function withoutHalfPair(text: string): string {
  return text.isWellFormed() ? text : text.replace(/[\ud800-\udbff]$/, '');
}

/** Where joiners shape what is written. */
const JOINING = ['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil']
  .concat(['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Thaana', 'Nko'])
  .map((script) => `\\p{Script=${script}}`)
  .join('');

const HIDDEN = [
  // Controls but those that are blanks, and halves of characters.
  '[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\p{Surrogate}]',
  // Blank letters, marks of order, of width zero and of format.
  '[\\xad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]',
  `(?<![${JOINING}])\\u200c`,
  `(?<![${JOINING}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d`,
  // Tags, but in flags of regions.
  '(?<!\\u{1f3f4}[\\u{e0020}-\\u{e007f}]*)[\\u{e0001}\\u{e0020}-\\u{e007f}]',
].join('|');

/** One such character, as often as it is repeated. */
const HIDDEN_RUN = new RegExp(`(${HIDDEN})\\1*`, 'gu');

const MEANINGS: ReadonlyMap<number, string> = new Map([
  [0x00, 'Null'],
  [0x1b, 'Escape'],
  [0xad, 'Soft hyphen'],
  [0x061c, 'Arabic letter mark'],
  [0x200b, 'Zero-width space'],
  [0x200c, 'Zero-width non-joiner'],
  [0x200d, 'Zero-width joiner'],
  [0x200e, 'Left-to-right mark'],
  [0x200f, 'Right-to-left mark'],
  [0x202a, 'Left-to-right embedding'],
  [0x202b, 'Right-to-left embedding'],
  [0x202c, 'Pop directional formatting'],
  [0x202d, 'Left-to-right override'],
  [0x202e, 'Right-to-left override'],
  [0x2060, 'Word joiner'],
  [0x2066, 'Left-to-right isolate'],
  [0x2067, 'Right-to-left isolate'],
  [0x2068, 'First strong isolate'],
  [0x2069, 'Pop directional isolate'],
  [0xfeff, 'Byte order mark'],
]);
