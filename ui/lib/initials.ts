/** What stands for a person where there is no picture. */

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The first letters of the first and the last word of a name, as capitals; a question mark for a name without letters. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean);
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  if (first === undefined) return '?';
  return [first, last].map((word) => (word === undefined ? '' : firstLetter(word))).join('');
}

function firstLetter(word: string): string {
  const [letter] = letters.segment(word);
  return letter?.segment.toLocaleUpperCase() ?? '';
}
