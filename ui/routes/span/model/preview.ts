/** The beginning of a text that is long, cut where a line or a word ends; a text that is not is its own beginning. */
export function previewOf(text: string): string {
  const end = endOfLines(text, MAX_LINES);
  if (text.length <= MAX_LETTERS * SLACK && end >= text.length) return text;
  const cut = text.slice(0, Math.min(end, MAX_LETTERS));
  if (cut.length < MAX_LETTERS) return cut;
  const wordEnd = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'));
  return cut.slice(0, wordEnd > MAX_LETTERS / 2 ? wordEnd : withoutHalfPair(cut));
}

/** Where so many lines end; a few more are not worth a button. */
function endOfLines(text: string, lines: number): number {
  let end = -1;
  for (let line = 0; line < lines; line++) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) return text.length;
  }
  const rest = text.slice(end + 1, end + 2000);
  return rest.length < 1000 && rest.split('\n').length <= lines * (SLACK - 1) ? text.length : end;
}

function withoutHalfPair(cut: string): number {
  const last = cut.charCodeAt(cut.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut.length - 1 : cut.length;
}

const MAX_LETTERS = 1200;
const MAX_LINES = 16;
/** So many times as long, it is shown whole: to open a fold costs more than to read three lines. */
const SLACK = 1.25;
