/** Long base64 inside of text: bytes that nobody reads, and that would fill the page. */

/** From this many characters on, base64 is told by its size and not printed. */
export const MAX_PRINTED_BASE64 = 100_000;

/** A piece of base64 in a text. */
export interface Base64Run {
  readonly start: number;
  readonly end: number;
  /** As the data address in front of it says, if there is one. */
  readonly mimeType: string | undefined;
  /** Bytes that it stands for. */
  readonly bytes: number;
}

/** The long runs of base64 in the text, broken over lines or not. */
export function findBase64Runs(text: string): Base64Run[] {
  const runs: Base64Run[] = [];
  // A run that is long enough covers at least one of these places.
  for (let probe = MAX_PRINTED_BASE64 - 1; probe < text.length; probe += MAX_PRINTED_BASE64) {
    const covered = runs.at(-1)?.end ?? 0;
    if (probe < covered) continue;
    const run = runAround(text, probe, covered);
    if (run !== undefined) runs.push(run);
  }
  return runs;
}

/** The text with a short mark for every long run of base64. */
export function withoutBase64(text: string, mark: (run: Base64Run) => string): string {
  const runs = findBase64Runs(text);
  let rest = 0;
  const pieces = runs.map((run) => {
    const piece = text.slice(rest, run.start) + mark(run);
    rest = run.end;
    return piece;
  });
  return pieces.join('') + text.slice(rest);
}

function runAround(text: string, probe: number, earliest: number): Base64Run | undefined {
  let start = probe;
  while (start > earliest && isInRun(text, start - 1)) start--;
  let end = probe;
  while (end < text.length && isInRun(text, end)) end++;
  if (end - start < MAX_PRINTED_BASE64) return undefined;
  const lineEnds = countLineEnds(text, start, end);
  if (lineEnds > (end - start) / MIN_LINE) return undefined;
  const header = DATA_HEADER.exec(text.slice(Math.max(0, start - MAX_HEADER), start));
  return {
    start: start - (header?.[0].length ?? 0),
    end,
    mimeType: header?.[1]?.toLowerCase(),
    bytes: Math.floor(((end - start - lineEnds) * 3) / 4),
  };
}

/** A letter of base64, or a line end in it; within JSON a line end is the letters `\n`. */
function isInRun(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code === BACKSLASH) return text.charCodeAt(index + 1) === LETTER_N || text.charCodeAt(index + 1) === LETTER_R;
  return code < IS_BASE64.length && IS_BASE64[code] === 1;
}

function countLineEnds(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

const BACKSLASH = 92;
const LETTER_N = 110;
const LETTER_R = 114;
/** Lines of base64 have 64 or 76 letters; a list of words is none. */
const MIN_LINE = 60;
const MAX_HEADER = 200;
const DATA_HEADER = /data:([\w-]+\/[\w.+-]+)?(?:;[\w=.-]+)*;base64,$/i;

const IS_BASE64 = new Uint8Array(128);
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_\r\n')
  IS_BASE64[letter.charCodeAt(0)] = 1;
