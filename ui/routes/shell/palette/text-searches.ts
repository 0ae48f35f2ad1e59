/** The palette's item that searches the texts of spans for what is typed. */
import type { LinkProps } from '@tanstack/react-router';
import { type LucideIcon, TextSearch } from 'lucide-react';
import type { RecentItem } from '#ui/lib/recent.ts';
import { MAX_SEARCH_LENGTH } from '../../search/search-address.ts';
import type { Findable } from './palette-items.ts';

/** A search in a project. */
export type TextSearchItem = Findable & {
  readonly icon: LucideIcon;
  readonly detail: string;
  readonly link: LinkProps;
};

/** Searches the shown project, or the one that was looked at last; none before either is known or anything is typed. */
export function listTextSearches(
  text: string,
  recent: readonly RecentItem[],
  shownId: string | undefined,
): readonly TextSearchItem[] {
  const last = recent.find(({ kind }) => kind === 'project');
  const projectId = shownId ?? last?.projectId;
  const q = text.trim();
  if (projectId === undefined || q === '') return [];
  const title = recent.find((item) => item.kind === 'project' && item.projectId === projectId)?.title;
  return [
    {
      id: 'texts',
      group: 'Texts',
      icon: TextSearch,
      label: `Search spans for “${q}”`,
      detail: title ?? 'This project',
      link: {
        to: '/projects/$projectId/search',
        params: { projectId },
        search: ({ range, start, end }) => ({ range, start, end, q: q.slice(0, MAX_SEARCH_LENGTH) }),
      },
    },
  ];
}
