/** A text for comparing without regard to case, by Unicode's rules. */
export function foldCase(text: string): string {
  return normalizeText(text, 'NFC').toUpperCase().toLowerCase();
}

/**
 * A normal form in time that is linear in the text. Sorting the marks of one letter takes the square of their number, so
 * that those beyond the first 30 stay as they are sent; no language has as many.
 * @see https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
 */
export function normalizeText(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  if (!MANY_MARKS.test(text)) return text.normalize(form);
  let normal = '';
  let start = 0;
  for (const { 0: marks, index } of text.matchAll(MARKS)) {
    const end = index + marks.length;
    normal += text.slice(start, end).normalize(form);
    start = end;
  }
  return normal + text.slice(start).normalize(form);
}

const MANY_MARKS = /\p{M}{31}/u;
const MARKS = /\p{M}{30}/gu;
