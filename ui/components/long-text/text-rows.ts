/** Text broken into rows of a fixed width, so that any length of it can be shown by the rows in sight. */

/** See {@link breakText}. */
export interface TextRows {
  readonly text: string;
  /** Where each row begins; the first is 0. */
  readonly starts: readonly number[];
}

/** Breaks at line ends and after so many columns, then preferably behind a space. Wide characters take two columns. */
export function breakText(text: string, columns: number): TextRows {
  const starts = [0];
  let rowStart = 0;
  let width = 0;
  let spaceEnd = 0;
  let widthAtSpace = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === NEWLINE) {
      starts.push(index + 1);
      rowStart = spaceEnd = index + 1;
      width = widthAtSpace = 0;
      continue;
    }
    const own = columnsOf(code);
    if (width + own > columns && index > rowStart) {
      const isAtSpace = widthAtSpace > columns / 2;
      rowStart = isAtSpace ? spaceEnd : index;
      width = isAtSpace ? width - widthAtSpace : 0;
      widthAtSpace = 0;
      starts.push(rowStart);
    }
    width += own;
    if (code === SPACE) {
      spaceEnd = index + 1;
      widthAtSpace = width;
    }
  }
  return { text, starts };
}

/** The text of a row, without the line end. */
export function rowText({ text, starts }: TextRows, row: number): string {
  const start = starts[row] ?? text.length;
  const end = starts[row + 1] ?? text.length;
  const isLine = end > start && end < text.length + 1 && text.charCodeAt(end - 1) === NEWLINE;
  return text.slice(start, isLine ? end - 1 : end);
}

/** The row in which a character stands. */
export function rowAt({ starts }: TextRows, offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

const NEWLINE = 10;
const SPACE = 32;
const TAB = 9;

/** Columns of one UTF-16 unit: a pair takes its two with the first. */
function columnsOf(code: number): number {
  if (code < 0x1100) return code === TAB ? 2 : 1;
  if (code >= 0xdc00 && code <= 0xdfff) return 0;
  return code <= 0x115f ||
    (code >= 0x2e80 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60)
    ? 2
    : 1;
}
