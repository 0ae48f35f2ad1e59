/** The pages of a project. Its tabs, the palette and the switcher are made of this table. */
import {
  Activity,
  ChartColumn,
  Layers,
  type LucideIcon,
  MessagesSquare,
  Scale,
  SlidersHorizontal,
  TextSearch,
  UsersRound,
} from 'lucide-react';
import type { TimeRangeSearch } from '#ui/lib/time-range.ts';

/** One of them. */
export interface ProjectPageInfo {
  readonly id: ProjectPage;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Further words that the palette finds it by. */
  readonly keywords: string;
}

/** The last part of its address. */
export type ProjectPage = 'traces' | 'spans' | 'sessions' | 'users' | 'metrics' | 'agreement' | 'search' | 'config';

/** In the order of the tabs. */
export const PROJECT_PAGES: readonly ProjectPageInfo[] = [
  { id: 'traces', label: 'Traces', icon: Activity, keywords: 'runs requests' },
  { id: 'spans', label: 'Spans', icon: Layers, keywords: 'calls steps' },
  { id: 'sessions', label: 'Sessions', icon: MessagesSquare, keywords: 'conversations threads chats' },
  { id: 'users', label: 'Users', icon: UsersRound, keywords: 'people customers cost' },
  { id: 'metrics', label: 'Metrics', icon: ChartColumn, keywords: 'charts dashboard latency cost errors' },
  {
    id: 'agreement',
    label: 'Agreement',
    icon: Scale,
    keywords: 'annotations judges kappa alpha confusion matrix scores',
  },
  { id: 'search', label: 'Search', icon: TextSearch, keywords: 'text find' },
  {
    id: 'config',
    label: 'Config',
    icon: SlidersHorizontal,
    keywords: 'configuration settings name description colours retention delete clear',
  },
];

/** The page from the path of a match below a project: `/projects/$projectId/metrics`. */
export function pageOf(fullPath: string | undefined): ProjectPage | undefined {
  const part = fullPath?.split('/')[3];
  return PROJECT_PAGES.find(({ id }) => id === part)?.id;
}

/** The part of an address that the user keeps on the way to another page or project. */
export function keepTime({ range, start, end }: TimeRangeSearch): TimeRangeSearch {
  return { range, start, end };
}
