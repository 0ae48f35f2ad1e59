/** The measures of the code, and the bounds within which they stay. */
import { isTestFile, type SourceTree } from '../source/tree.ts';
import { measureBoundaryDocs } from './boundary-docs.ts';

/** Lines of the files that are no part of src/ but count: tests for the ratio, all of them for the limit of one file. */
export interface OtherFiles {
  readonly testLineCount: number;
  readonly lineCounts: ReadonlyMap<string, number>;
}

/** One measure as it is printed. */
export interface Measure {
  readonly name: string;
  readonly value: string;
  readonly bound: string;
  readonly isWithin: boolean;
  /** What to look at when it is not. */
  readonly places: readonly string[];
}

const MAX_FILE_LINES = 500;

/** Files that may be longer, each with its reason. */
const LONG_FILES: ReadonlyMap<string, string> = new Map([]);

/** Takes every measure of `tree`, in the order in which they are printed. */
export function measure(tree: SourceTree, others: OtherFiles): readonly Measure[] {
  const sources = [...tree.values()].filter(({ path }) => !isTestFile(path));
  const lineCounts = sources.map(({ lineCount }) => lineCount).sort((a, b) => a - b);
  const sourceLines = sum(lineCounts);
  const testLines = sum([...tree.values()].map(({ lineCount }) => lineCount)) - sourceLines + others.testLineCount;
  const all = new Map([...tree.values()].map(({ path, lineCount }) => [path, lineCount] as const));
  const tooLong = [...all, ...others.lineCounts].filter(
    ([path, lineCount]) => lineCount > MAX_FILE_LINES && !LONG_FILES.has(path),
  );
  const anys = sources.filter(({ anyCount }) => anyCount > 0);
  const docs = measureBoundaryDocs(tree);
  const documented = docs.exportCount - docs.undocumented.length;

  return [
    { name: 'source files', value: String(sources.length), bound: '', isWithin: true, places: [] },
    atMost('median lines', quantile(lineCounts, 0.5), 120),
    atMost('p90 lines', quantile(lineCounts, 0.9), 320),
    atMost(
      `files over ${MAX_FILE_LINES} lines, tests too`,
      tooLong.length,
      0,
      tooLong.map(([path, lineCount]) => `${path} (${lineCount})`),
    ),
    atMost(
      'any per 1,000 lines',
      ratio(1000 * sum(anys.map(({ anyCount }) => anyCount)), sourceLines),
      0.3,
      anys.map(({ path, anyCount }) => `${path} (${anyCount})`),
    ),
    atLeast('documented boundary exports, %', 100 * ratio(documented, docs.exportCount, 1), 100, docs.undocumented),
    // Tables of cases in JSON, recordings and seeded properties hold much that lines do not count.
    atLeast('test lines per source line', ratio(testLines, sourceLines, 1), 0.7),
  ];
}

function atMost(name: string, value: number, bound: number, places: readonly string[] = []): Measure {
  return { name, value: format(value, Math.ceil), bound: `≤ ${bound}`, isWithin: value <= bound, places };
}

function atLeast(name: string, value: number, bound: number, places: readonly string[] = []): Measure {
  return { name, value: format(value, Math.floor), bound: `≥ ${bound}`, isWithin: value >= bound, places };
}

/** Two decimals, rounded towards the bad side, so that no breach prints as the bound itself. */
function format(value: number, round: (value: number) => number): string {
  return String(round(value * 100) / 100);
}

function ratio(part: number, whole: number, ifEmpty = 0): number {
  return whole === 0 ? ifEmpty : part / whole;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The smallest of the ascending values that `share` of them do not exceed. */
function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)] ?? 0;
}
