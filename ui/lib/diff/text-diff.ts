/** Two texts side by side: lines that are equal, changed, only left or only right, and of changed ones the words. */
import { type EqualRun, findEqualRuns, longestRise, Numbering } from './sequence-diff.ts';

/** A stretch of a line. */
export interface DiffPiece {
  readonly text: string;
  /** Whether the other side has it not. */
  readonly isChanged: boolean;
}

/** A line of one side. */
export interface DiffLine {
  /** From 1. */
  readonly number: number;
  readonly pieces: readonly DiffPiece[];
}

/** Lines that stand beside each other; a side that is absent has no such line. */
export interface DiffRow {
  readonly isEqual: boolean;
  readonly left?: DiffLine;
  readonly right?: DiffLine;
}

/** See {@link diffTexts}. */
export interface TextDiff {
  readonly rows: readonly DiffRow[];
  /** The texts are so long that only their beginnings were compared. */
  readonly isCut: boolean;
}

/** Letters of each side that are compared. */
export const MAX_DIFF_LETTERS = 1_000_000;

/** How far is looked for equal lines, and for equal words within a line. */
const MAX_LINE_EDITS = 1000;
const MAX_WORD_EDITS = 400;
/** Longer lines are compared as a whole, but for what is equal at both ends. */
const MAX_LINE_WORDS = 20_000;
/** Of changed lines beside each other, so many are tried with each other. */
const MAX_TRIED_PAIRS = 400;
/** After this time words are not compared any more. */
const WORDS_MS = 1500;
/** Lines that have less in common are not one line that changed. */
const LEAST_ALIKE = 0.35;

/** Compares two texts line by line. */
export function diffTexts(left: string, right: string, now: () => number = () => performance.now()): TextDiff {
  const isCut = left.length > MAX_DIFF_LETTERS || right.length > MAX_DIFF_LETTERS;
  const lines = [left, right].map((text) => text.slice(0, MAX_DIFF_LETTERS).split(/\r?\n/)) as [string[], string[]];
  const [leftLines, rightLines] = lines;
  const numbering = new Numbering();
  const [leftNumbers = [], rightNumbers = []] = lines.map((side) => side.map((line) => numbering.of(line)));
  const runs = findEqualRuns(leftNumbers, rightNumbers, MAX_LINE_EDITS) ?? findUnique(leftNumbers, rightNumbers);
  const endsMs = now() + WORDS_MS;
  const rows: DiffRow[] = [];
  let [leftAt, rightAt] = [0, 0];
  const change = (leftEnd: number, rightEnd: number) => {
    const changed = pairLines(leftLines.slice(leftAt, leftEnd), rightLines.slice(rightAt, rightEnd));
    for (const [one, other] of changed) {
      const pieces = one !== null && other !== null && now() < endsMs ? diffWords(one, other) : undefined;
      rows.push({
        isEqual: false,
        ...(one !== null && { left: { number: ++leftAt, pieces: pieces?.left ?? whole(one) } }),
        ...(other !== null && { right: { number: ++rightAt, pieces: pieces?.right ?? whole(other) } }),
      });
    }
  };
  for (const run of [...runs, { left: leftLines.length, right: rightLines.length, length: 0 }]) {
    change(run.left, run.right);
    for (let step = 0; step < run.length; step++) {
      const pieces = [{ text: leftLines[leftAt] ?? '', isChanged: false }];
      rows.push({ isEqual: true, left: { number: ++leftAt, pieces }, right: { number: ++rightAt, pieces } });
    }
  }
  return { rows, isCut };
}

function whole(line: string): readonly DiffPiece[] {
  return [{ text: line, isChanged: true }];
}

/** Lines that stand once on each side, as many as keep their order: linear, for texts that have little in common. */
function findUnique(left: readonly number[], right: readonly number[]): readonly EqualRun[] {
  const onceRight = placesOfOnce(right);
  const both = [...placesOfOnce(left)].flatMap(([number, place]) => {
    const other = onceRight.get(number);
    return other === undefined ? [] : [{ left: place, right: other, length: 1 }];
  });
  return longestRise(both.map((run) => run.right)).flatMap((place) => both[place] ?? []);
}

function placesOfOnce(numbers: readonly number[]): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  const twice = new Set<number>();
  for (const [place, number] of numbers.entries()) {
    if (places.has(number)) twice.add(number);
    places.set(number, place);
  }
  for (const number of twice) places.delete(number);
  return places;
}

type LinePair = readonly [left: string | null, right: string | null];

/** Which changed lines stand beside each other: of few those that are alike, of many one after the other. */
function pairLines(left: readonly string[], right: readonly string[]): readonly LinePair[] {
  if (left.length * right.length > MAX_TRIED_PAIRS || left.length * right.length === 0) {
    return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => [
      left[at] ?? null,
      right[at] ?? null,
    ]);
  }
  const likeness = left.map((one) => right.map((other) => likenessOf(one, other)));
  // The best that can be reached from each pair of places on.
  const best = Array.from({ length: left.length + 1 }, () => new Float64Array(right.length + 1));
  const at = (x: number, y: number) => best[x]?.[y] ?? 0;
  const paired = (x: number, y: number) => {
    const alike = likeness[x]?.[y] ?? 0;
    return alike < LEAST_ALIKE ? -1 : alike + at(x + 1, y + 1);
  };
  for (let x = left.length - 1; x >= 0; x--) {
    for (let y = right.length - 1; y >= 0; y--) {
      const row = best[x];
      if (row !== undefined) row[y] = Math.max(paired(x, y), at(x + 1, y), at(x, y + 1));
    }
  }
  const pairs: LinePair[] = [];
  let [leftAt, rightAt] = [0, 0];
  // What has no partner stands beside what has none either.
  const passTo = (leftEnd: number, rightEnd: number) => {
    while (leftAt < leftEnd || rightAt < rightEnd)
      pairs.push([
        leftAt < leftEnd ? (left[leftAt++] ?? '') : null,
        rightAt < rightEnd ? (right[rightAt++] ?? '') : null,
      ]);
  };
  for (let [x, y] = [0, 0]; x < left.length && y < right.length; ) {
    if (paired(x, y) === at(x, y)) {
      passTo(x, y);
      pairs.push([left[x++] ?? '', right[y++] ?? '']);
      [leftAt, rightAt] = [x, y];
    } else if (at(x + 1, y) >= at(x, y + 1)) x++;
    else y++;
  }
  passTo(left.length, right.length);
  return pairs;
}

/** Share of the words that two lines have in common, in any order: 0 to 1. */
function likenessOf(one: string, other: string): number {
  const counts = new Map<string, number>();
  const [left, right] = [one, other].map((line) => line.slice(0, MAX_LIKENESS_LETTERS).match(WORDS) ?? []);
  if (left === undefined || right === undefined || left.length + right.length === 0) return 0;
  for (const word of left) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of right) {
    const count = counts.get(word) ?? 0;
    if (count === 0) continue;
    counts.set(word, count - 1);
    common++;
  }
  return (2 * common) / (left.length + right.length);
}

const MAX_LIKENESS_LETTERS = 2000;

/** Words and figures, without what stands between them. */
const WORDS = /[\p{L}\p{N}]+/gu;
/** The same with what stands between them, each mark by itself. */
const TOKENS = /[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu;

/** Two lines word by word; undefined where they have too little in common to be read so. */
function diffWords(
  left: string,
  right: string,
): { readonly left: readonly DiffPiece[]; readonly right: readonly DiffPiece[] } | undefined {
  const [leftWords, rightWords] = [left.match(TOKENS) ?? [], right.match(TOKENS) ?? []];
  if (leftWords.length > MAX_LINE_WORDS || rightWords.length > MAX_LINE_WORDS) return undefined;
  const numbering = new Numbering();
  const numbersOf = (words: readonly string[]) => words.map((word) => numbering.of(word));
  const runs = findEqualRuns(numbersOf(leftWords), numbersOf(rightWords), MAX_WORD_EDITS);
  if (runs === undefined) return undefined;
  const kept = runs.filter((run) => saysSomething(leftWords, run));
  const letters = kept.reduce((sum, run) => sum + lettersOf(leftWords, run), 0);
  if (letters < LEAST_ALIKE * Math.min(left.trim().length, right.trim().length)) return undefined;
  return {
    left: toPieces(
      leftWords,
      kept.map(({ left: start, length }) => [start, length]),
    ),
    right: toPieces(
      rightWords,
      kept.map(({ right: start, length }) => [start, length]),
    ),
  };
}

/** A space or a comma between two changed words changed with them. */
function saysSomething(words: readonly string[], { left, length }: EqualRun): boolean {
  if (left === 0 || left + length === words.length) return true;
  return words.slice(left, left + length).some((word) => /[\p{L}\p{N}]/u.test(word));
}

function lettersOf(words: readonly string[], { left, length }: EqualRun): number {
  return words.slice(left, left + length).reduce((sum, word) => sum + word.length, 0);
}

function toPieces(words: readonly string[], kept: readonly (readonly [start: number, length: number])[]): DiffPiece[] {
  const pieces: DiffPiece[] = [];
  let at = 0;
  const push = (end: number, isChanged: boolean) => {
    if (end > at) pieces.push({ text: words.slice(at, end).join(''), isChanged });
    at = end;
  };
  for (const [start, length] of kept) {
    push(start, true);
    push(start + length, false);
  }
  push(words.length, true);
  return pieces;
}
