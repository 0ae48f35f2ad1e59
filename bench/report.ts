/** The tables that the benchmark prints, ready to be put into docs/performance.md. */
import type { RunResult } from './run.ts';

/** The medians of runs of one kind. */
export interface ReportRow {
  readonly kind: string;
  readonly result: RunResult;
}

/** Each member's median by itself. */
export function medianOf(results: readonly RunResult[]): RunResult {
  const members = Object.keys(results[0] as RunResult) as (keyof RunResult)[];
  const entries = members.map((member) => {
    const ascending = results.map((result) => result[member]).sort((a, b) => a - b);
    return [member, ascending[Math.floor((ascending.length - 1) / 2)]];
  });
  return Object.fromEntries(entries) as RunResult;
}

/** Speed, then size, as two tables. */
export function formatReport(rows: readonly ReportRow[]): string {
  return [SPEED_COLUMNS, SIZE_COLUMNS].map((columns) => formatTable(rows, columns)).join('\n\n');
}

type Column = readonly [title: string, value: (result: RunResult) => string];

const SPEED_COLUMNS: readonly Column[] = [
  ['spans/s', ({ spansPerSecond }) => whole(spansPerSecond)],
  ['MB/s', ({ megabytesPerSecond }) => megabytesPerSecond.toFixed(1)],
  ['ceiling, spans/s', ({ ceilingSpansPerSecond }) => whole(ceilingSpansPerSecond)],
  ['of ceiling', ({ ceilingRatio }) => percent(ceilingRatio)],
  ['CPU µs/span', ({ cpuUsPerSpan }) => whole(cpuUsPerSpan)],
  ['of the database', ({ databaseCpuUsPerSpan }) => whole(databaseCpuUsPerSpan)],
  ['of the sender', ({ loadCpuUsPerSpan }) => whole(loadCpuUsPerSpan)],
  ['p50 ms', ({ p50Ms }) => p50Ms.toFixed(1)],
  ['p99 ms', ({ p99Ms }) => p99Ms.toFixed(1)],
  ['spans/commit', ({ spansPerCommit }) => whole(spansPerCommit)],
];

const SIZE_COLUMNS: readonly Column[] = [
  ['raw B/span', ({ rawBytesPerSpan }) => whole(rawBytesPerSpan)],
  ['blocks', ({ blockBytesPerSpan }) => whole(blockBytesPerSpan)],
  ['rows', ({ rowBytesPerSpan }) => whole(rowBytesPerSpan)],
  ['indexes', ({ indexBytesPerSpan }) => whole(indexBytesPerSpan)],
  ['disk of raw', ({ diskRatio }) => percent(diskRatio)],
  ['idle MB', ({ idleMb }) => whole(idleMb)],
  ['peak MB', ({ peakMb }) => whole(peakMb)],
  ['start ms', ({ startMs }) => whole(startMs)],
];

function formatTable(rows: readonly ReportRow[], columns: readonly Column[]): string {
  const cells = [
    ['run', ...columns.map(([title]) => title)],
    ...rows.map(({ kind, result }) => [kind, ...columns.map(([, value]) => value(result))]),
  ];
  const widths = (cells[0] as string[]).map((_, place) =>
    Math.max(...cells.map((row) => (row[place] as string).length)),
  );
  const lines = cells.map((row) => row.map((cell, place) => align(cell, place, widths)).join(' | '));
  const rule = widths
    .map((width, place) => (place === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
    .join(' | ');
  return [lines[0], rule, ...lines.slice(1)].map((line) => `| ${line} |`).join('\n');
}

function align(cell: string, place: number, widths: readonly number[]): string {
  const width = widths[place] as number;
  return place === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function percent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`;
}
