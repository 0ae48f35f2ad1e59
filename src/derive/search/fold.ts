/** Spellings that read the same, made one: compatibility forms, letter case, and the marks on Latin, Greek and Cyrillic letters. */
import { foldCase, normalizeText } from '#base/text';

/** The word as it is indexed and looked for; empty where nothing of it is a letter, a number or a mark. */
export function foldWord(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase();
  // As filters fold before they compare, so that what is alike to them has the same words.
  const folded = foldCase(foldCase(word));
  const apart = normalizeText(normalizeText(folded, 'NFKC').toLowerCase(), 'NFKD');
  return normalizeText(apart.replace(MARKS, ''), 'NFC')
    .replace(VARIANTS, (letter) => VARIANT_OF[letter] ?? letter)
    .replace(NO_WORD, '');
}

/** The same of a letter of a script that writes no spaces, whose marks carry meaning. */
export function foldUnspaced(letter: string): string {
  return normalizeText(letter, 'NFKC').replace(NO_WORD, '');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII
const ASCII = /^[\0-\x7f]*$/;
const MARKS = /[\u0300-\u036f]/g;
const VARIANTS = /[ßςıøłđæœþðħ]/g;
const NO_WORD = /[^\p{L}\p{N}\p{M}]/gu;

/** Letters that users without such a key type as other letters, besides those that Unicode decomposes. */
const VARIANT_OF: Readonly<Record<string, string>> = {
  ß: 'ss',
  ς: 'σ',
  ı: 'i',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  ħ: 'h',
};
