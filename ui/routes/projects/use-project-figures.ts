/** Reads what listed projects did, a few projects at a time, after the list itself. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import type {
  useProjectFiguresQuery,
  useProjectFiguresQuery$data,
} from '#ui/__generated__/useProjectFiguresQuery.graphql.ts';
import type { TimeRange } from '#ui/lib/time-range.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { chooseBarUnit, type ProjectFigures, stretchOf } from './project-figures.ts';

const QUERY = graphql`
  query useProjectFiguresQuery($ids: [ID!]!, $timeRange: TimeRange!, $buckets: TimeBuckets!) {
    nodes(ids: $ids) {
      ... on Project @alias(as: "project") {
        id
        traceTotals(timeRange: $timeRange) {
          share
          count
          errorCount
          latencyMsP50
          latencyMsP95
          promptTokens
          completionTokens
          cost
        }
        traceHistogram(timeRange: $timeRange, buckets: $buckets) {
          buckets {
            startTime
            endTime
            totalCount
            errorCount
          }
        }
      }
    }
  }
`;

/** Projects of one request: the first cards are not kept waiting by all others. */
const PROJECTS_AT_ONCE = 12;

/** Figures are read again after a minute, or after so many times as long as reading them took. */
const REST_MS = 60_000;
const REST_FACTOR = 20;

interface Asked {
  readonly ids: readonly string[];
  readonly range: TimeRange;
  /** Start of the first trace of all projects that are listed. */
  readonly earliestMs: number | undefined;
  /** Another one asks again. */
  readonly changeCount: number;
}

/** See {@link useProjectFigures}. */
export interface FiguresAnswer {
  /** By the id of their project; those of another time stay until there are others. */
  readonly figures: ReadonlyMap<string, ProjectFigures>;
  /** Whether any are of another time, or missing. */
  readonly isLoading: boolean;
  readonly error: Error | undefined;
  readonly ask: () => void;
}

interface Known {
  readonly figures: ProjectFigures;
  /** What they are an answer to. */
  readonly choice: string;
}

/** See the file. What is no longer wanted is called off. */
export function useProjectFigures({ ids, range, earliestMs, changeCount }: Asked): FiguresAnswer {
  const environment = useRelayEnvironment();
  const timeZone = useTimeZone();
  const [attempt, setAttempt] = useState(0);
  const [error, setError] = useState<Error>();
  const known = useRef<ReadonlyMap<string, Known>>(new Map());
  const [shown, setShown] = useState(known.current);
  const wanted = ids.join(' ');
  const choice = JSON.stringify([range, range.kind === 'last' ? null : earliestMs, timeZone, changeCount, attempt]);

  useEffect(() => {
    const all = wanted === '' ? [] : wanted.split(' ');
    const asked = JSON.parse(choice) as readonly [TimeRange, number | null];
    let stop: () => void = () => undefined;

    function round(waiting: readonly string[]): void {
      const begun = performance.now();
      const stretch = stretchOf(asked[0], wholeMinute(Date.now()), asked[1] ?? undefined);
      const rest = () => {
        const ms = Math.max(REST_MS, (performance.now() - begun) * REST_FACTOR);
        // What nobody looks at is read when somebody does.
        const timer = setTimeout(() => (document.hidden ? rest() : round(all)), ms);
        stop = () => clearTimeout(timer);
      };
      const step = (from: number): void => {
        const part = waiting.slice(from, from + PROJECTS_AT_ONCE);
        if (part.length === 0) return rest();
        const variables = {
          ids: part,
          timeRange: { start: new Date(stretch.startMs).toISOString(), end: new Date(stretch.endMs).toISOString() },
          buckets: { scale: chooseBarUnit(stretch), timeZone },
        };
        const reading = fetchQuery<useProjectFiguresQuery>(environment, QUERY, variables, {
          networkCacheConfig: { force: true },
        }).subscribe({
          next: (data) => {
            const read = readFigures(data).map(([id, figures]): [string, Known] => [id, { figures, choice }]);
            known.current = new Map([...known.current, ...read]);
            setShown(known.current);
            setError(undefined);
          },
          error: (reason: Error) => {
            setError(reason);
            rest();
          },
          complete: () => step(from + PROJECTS_AT_ONCE),
        });
        stop = () => reading.unsubscribe();
      };
      step(0);
    }

    round(all.filter((id) => known.current.get(id)?.choice !== choice));
    return () => stop();
  }, [environment, wanted, choice, timeZone]);

  const figures = useMemo(() => new Map([...shown].map(([id, own]) => [id, own.figures])), [shown]);
  const isLoading = ids.some((id) => shown.get(id)?.choice !== choice);
  return { figures, isLoading, error, ask: () => setAttempt((before) => before + 1) };
}

function readFigures({ nodes }: useProjectFiguresQuery$data): readonly [string, ProjectFigures][] {
  return nodes.flatMap((node): [string, ProjectFigures][] => {
    if (node?.project == null) return [];
    const { id, traceTotals: totals, traceHistogram } = node.project;
    const figures: ProjectFigures = {
      count: totals.count,
      errorCount: totals.errorCount,
      latencyMsP50: totals.latencyMsP50 ?? null,
      latencyMsP95: totals.latencyMsP95 ?? null,
      tokens: totals.promptTokens + totals.completionTokens,
      cost: totals.cost,
      share: totals.share,
      bars: traceHistogram.buckets.map(({ startTime, endTime, totalCount, errorCount }) => ({
        startMs: Date.parse(startTime),
        endMs: Date.parse(endTime),
        count: totalCount,
        errorCount,
      })),
    };
    return [[id, figures]];
  });
}

function wholeMinute(ms: number): number {
  return Math.floor(ms / 60_000) * 60_000;
}
