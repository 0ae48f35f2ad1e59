/** What projects did in a time range, and their order by it. */
import type { TimeRange } from '#ui/lib/time-range.ts';
import type { ProjectColumn, ProjectsSort } from './projects-view.ts';

/** Traces of a stretch of time; milliseconds since 1970. */
export interface TraceBar {
  readonly startMs: number;
  readonly endMs: number;
  readonly count: number;
  readonly errorCount: number;
}

/** See the file. */
export interface ProjectFigures {
  readonly count: number;
  readonly errorCount: number;
  /** Null without traces. */
  readonly latencyMsP50: number | null;
  readonly latencyMsP95: number | null;
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
  /** Of the traces that were counted, the newest; 1: all of them. */
  readonly share: number;
  /** Ascending, without gaps. */
  readonly bars: readonly TraceBar[];
}

const UNITS = [
  ['MINUTE', 1],
  ['FIVE_MINUTES', 5],
  ['QUARTER_HOUR', 15],
  ['HOUR', 60],
  ['SIX_HOURS', 360],
  ['DAY', 1440],
  ['WEEK', 10_080],
  ['MONTH', 43_800],
] as const;

/** A size of buckets. */
export type BarUnit = (typeof UNITS)[number][0] | 'YEAR';

/** Bars that can be told apart in a card. */
const MAX_BARS = 45;

/** The smallest unit in which so long a time is no more bars than can be told apart. */
export function chooseBarUnit({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }): BarUnit {
  const minutes = (endMs - startMs) / 60_000;
  return UNITS.find(([, length]) => minutes / length <= MAX_BARS)?.[0] ?? 'YEAR';
}

/**
 * The stretch that the figures of all projects are of, so that their pictures have one scale; all of the time begins with the
 * earliest trace of the projects that are listed.
 */
export function stretchOf(
  range: TimeRange,
  resolvedAtMs: number,
  earliestMs: number | undefined,
): { readonly startMs: number; readonly endMs: number } {
  const nowMs = resolvedAtMs + 60_000;
  switch (range.kind) {
    case 'last':
      return { startMs: resolvedAtMs - range.minutes * 60_000, endMs: nowMs };
    case 'between': {
      const endMs = range.end === undefined ? nowMs : Date.parse(range.end);
      const startMs = range.start === undefined ? (earliestMs ?? endMs) : Date.parse(range.start);
      return { startMs: Math.min(startMs, endMs), endMs };
    }
    case 'all':
      return { startMs: Math.min(earliestMs ?? resolvedAtMs, resolvedAtMs), endMs: nowMs };
    default:
      return range satisfies never;
  }
}

/** Whether projects are ordered by figures, which the server is asked for apart from the list. */
export function isByFigure({ column }: ProjectsSort): boolean {
  return column !== 'name' && column !== 'activity';
}

/**
 * The projects by a figure, those without a value last; as they were while the figures of any are not known.
 */
export function sortByFigure<Project extends { readonly id: string }>(
  projects: readonly Project[],
  figures: ReadonlyMap<string, ProjectFigures>,
  { column, direction }: ProjectsSort,
): readonly Project[] {
  if (projects.some(({ id }) => !figures.has(id))) return projects;
  const sign = direction === 'asc' ? 1 : -1;
  const valueOf = ({ id }: Project) => {
    const own = figures.get(id);
    return own === undefined || own.count === 0 ? null : figureOf(own, column);
  };
  return projects.toSorted((a, b) => {
    const [left, right] = [valueOf(a), valueOf(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * (left - right);
  });
}

function figureOf(figures: ProjectFigures, column: ProjectColumn): number | null {
  switch (column) {
    case 'traces':
      return figures.count;
    case 'errors':
      return figures.errorCount / figures.count;
    case 'p50':
      return figures.latencyMsP50;
    case 'p95':
      return figures.latencyMsP95;
    case 'tokens':
      return figures.tokens;
    case 'cost':
      return figures.cost;
    case 'name':
    case 'activity':
      return null;
    default:
      return column satisfies never;
  }
}
