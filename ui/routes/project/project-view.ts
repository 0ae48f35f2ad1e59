/** What the pages of a project have in common: which project, which time, whether they follow what arrives. */
import { createContext, useContext } from 'react';
import type { ResolvedTimeRange, TimeRange } from '#ui/lib/time-range.ts';
import { createStored } from '#ui/lib/storage.ts';

/** See the file. */
export interface ProjectView {
  readonly projectId: string;
  readonly range: TimeRange;
  /** The range in instants; it moves on when it is told to, not with every second. */
  readonly timeRange: ResolvedTimeRange;
  /** Another number after each {@link refresh}. */
  readonly refreshCount: number;
  /** Whether what arrives now can fall into the range. */
  readonly canLive: boolean;
  readonly isLive: boolean;
  /** Where a tab puts its tools: at the end of the line of tabs. */
  readonly toolPlace: HTMLElement | null;
  readonly setRange: (range: TimeRange) => void;
  /** Reads everything again. */
  readonly refresh: () => void;
  /** Says that there is no such project, in whose place the page then says so. */
  readonly reportMissing: () => void;
  /** Whether nothing was ever sent to the project: then there is nothing to filter or to draw. */
  readonly isNew: boolean;
  /** Says whether it is. */
  readonly reportNew: (isNew: boolean) => void;
  /** Lets a range that reaches up to now follow the clock, where it lags behind. */
  readonly keepUp: () => void;
}

/** Given by the project's layout. */
export const ProjectViewContext = createContext<ProjectView | undefined>(undefined);

/** The view of the project around. */
export function useProjectView(): ProjectView {
  const view = useContext(ProjectViewContext);
  if (view === undefined) throw new Error('useProjectView works only on the pages of a project.');
  return view;
}

/** Whether lists follow what arrives. */
export const liveChoice = createStored('live', true, (value) => (typeof value === 'boolean' ? value : undefined));

/** The tables of a project. */
export const PROJECT_TABS = ['traces', 'spans', 'sessions'] as const;

/** One of {@link PROJECT_TABS}. */
export type ProjectTab = (typeof PROJECT_TABS)[number];

/** The tab from a path below a project, if it is one. */
export function tabOf(value: unknown): ProjectTab | undefined {
  return PROJECT_TABS.find((tab) => tab === value);
}
