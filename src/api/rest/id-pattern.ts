/** Patterns for the document: which texts are ids and cursors, all of which are base64 of a type and a number. */

/** The pattern of ids of any of the types: `Type:12` in base64. A number has no leading zero and at most `maxDigits` digits. */
export function idPattern(types: string | readonly string[], maxDigits = 15): string {
  const forms = [types].flat().map((type) => encoded(`${type}:`, maxDigits));
  return `^(?:${forms.join('|')})$`;
}

/** The pattern of cursors whose form depends on what the list is sorted by: nobody makes one but the server. */
export const OPAQUE_CURSOR = '^[A-Za-z0-9+/]+={0,2}$';

/** The pattern of cursors `0000000000000012:DATETIME:1700000000000000`, of times before 1970, too. */
export function timeCursorPattern(): string {
  // The sixteenth digit of the row is in one group with the two characters after it.
  const head = `${TRIPLE}{5}${groupOf(DIGITS, ':', 'D')}`;
  return `^${head}(?:${encoded('ATETIME:', 16)}|${encoded('ATETIME:-', 16)})$`;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const DIGITS = '0123456789';
const FIRST_DIGITS = '123456789';

/** Three digits, which are one group: in base64, three bytes are four characters. */
const TRIPLE = `(?:${groupOf(DIGITS, DIGITS, DIGITS)})`;

/** A prefix, which begins at a group, and a number. */
function encoded(prefix: string, maxDigits: number): string {
  const rest = prefix.length % 3;
  const whole = Buffer.from(prefix.slice(0, prefix.length - rest)).toString('base64');
  const [a = FIRST_DIGITS, b = rest === 1 ? FIRST_DIGITS : DIGITS] = prefix.slice(prefix.length - rest);
  const group = groupOf(a, b, rest === 2 ? FIRST_DIGITS : DIGITS);
  const short = rest === 0 ? [endOf(a), endOf(a, b)] : rest === 1 ? [endOf(a, b)] : [];
  return `${whole}(?:${[`${group}${moreDigits(maxDigits - 3 + rest)}`, ...short].join('|')})`;
}

/** Up to so many further digits, which begin at a group. */
function moreDigits(most: number): string {
  const triples = Math.floor(most / 3);
  const ends = [endOf(DIGITS), endOf(DIGITS, DIGITS)];
  const last = ends.slice(0, most % 3).map((end) => `|${end}`);
  return `(?:${TRIPLE}{0,${triples - 1}}(?:${ends.join('|')})?|${TRIPLE}{${triples}}${last.length === 0 ? '' : `(?:${last.join('')})`})`;
}

function groupOf(a: string, b: string, c: string): string {
  return `${firstTwo(a, b)}${thirdOf(b, c)}${fourthOf(c)}`;
}

/** A last byte, or two, and what fills the group. */
function endOf(a: string, b?: string): string {
  return b === undefined ? `${firstTwo(a, '\0')}==` : `${firstTwo(a, b)}${thirdOf(b, '\0')}=`;
}

function firstTwo(a: string, b: string): string {
  const upper = codeOf(b) >> 4;
  const pairs = Array.from(a, (character) => {
    const code = codeOf(character);
    return [ALPHABET.charAt(code >> 2), ALPHABET.charAt(((code & 3) << 4) | upper)] as const;
  });
  const forms = [...Map.groupBy(pairs, ([first]) => first)].map(
    ([first, seconds]) => `${literal(first)}${classOf(seconds.map(([, second]) => second))}`,
  );
  return forms.length === 1 ? forms.join('') : `(?:${forms.join('|')})`;
}

function thirdOf(b: string, c: string): string {
  return classOf(Array.from(b, (character) => ALPHABET.charAt(((codeOf(character) & 15) << 2) | (codeOf(c) >> 6))));
}

function fourthOf(c: string): string {
  return classOf(Array.from(c, (character) => ALPHABET.charAt(codeOf(character) & 63)));
}

function classOf(characters: readonly string[]): string {
  return characters.length === 1 ? characters.map(literal).join('') : `[${characters.join('')}]`;
}

function literal(character: string): string {
  return character === '+' || character === '/' ? `[${character}]` : character;
}

/** Of any of the characters, whose upper bits are the same. */
function codeOf(characters: string): number {
  return characters.charCodeAt(0);
}
