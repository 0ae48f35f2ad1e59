/**
 * Whether reading a text as Markdown takes longer than anybody waits, or deeper than the stack goes. Each mark that may
 * close another looks for it among all before it; documents that people and models write have a few hundred marks.
 */
export function isCostlyMarkdown(text: string): boolean {
  return NESTED.test(text) || countMarks(text) > MAX_MARKS;
}

/** So many take a second at worst. */
const MAX_MARKS = 3000;

/** A line that begins fifty quotes or lists, each inside the other. */
const NESTED = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])){50}/m;

function countMarks(text: string): number {
  let count = 0;
  for (const _mark of text.matchAll(/[[\]*_~]/g)) count++;
  return count;
}
