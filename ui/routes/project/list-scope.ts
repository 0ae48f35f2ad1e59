/** What figures beside a table are about: the same project, time and filter as its rows. */
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { parseFilter } from '#filter/parse-filter';
import type { FilterGrain } from '#filter/tree';
import { takingTurns } from '#ui/lib/live.ts';
import { useProjectChanges } from '#ui/lib/project-changes.ts';
import type { ResolvedTimeRange } from '#ui/lib/time-range.ts';
import { effectiveFilter } from './filter/effective-filter.ts';
import { useProjectView } from './project-view.ts';

/** See the file. */
export interface ListScope {
  readonly projectId: string;
  readonly timeRange: ResolvedTimeRange;
  readonly grain: FilterGrain;
  /** All that the rows fulfil, in the filter language of the grain; null: nothing. */
  readonly filter: string | null;
  /** Another one asks again. */
  readonly refresh: string;
}

/** Figures are read again at most this often while spans arrive. */
const TURN_MS = 10_000;

/** Another text whenever figures are to be read again: when everything is, and while spans arrive. */
export function useRefresh(): string {
  const { projectId, refreshCount, isLive } = useProjectView();
  const [turn, setTurn] = useState(0);
  const onChange = useMemo(
    () =>
      takingTurns(async () => {
        if (!document.hidden) setTurn((before) => before + 1);
      }, TURN_MS),
    [],
  );
  useProjectChanges(projectId, isLive, onChange);
  return `${refreshCount} ${turn}`;
}

/** What a table shows; undefined where its filter has mistakes. */
export function useListScope(grain: FilterGrain): ListScope | undefined {
  const { projectId, timeRange } = useProjectView();
  const { filter = null, spans } = useSearch({ strict: false });
  const refresh = useRefresh();
  const all = effectiveFilter(filter, grain === 'span' && spans === 'roots');
  return useMemo(() => {
    const isFaulty = all !== null && parseFilter(grain, all).diagnostics.some(({ severity }) => severity === 'error');
    return isFaulty ? undefined : { projectId, grain, timeRange, filter: all, refresh };
  }, [projectId, grain, timeRange, all, refresh]);
}
