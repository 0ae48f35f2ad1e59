/** The palette's items for the pages of projects: of the one that is shown, and of those looked at lately. */
import type { LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { RecentItem } from '#ui/lib/recent.ts';
import { keepTime, PROJECT_PAGES } from '../../project/project-pages.ts';
import type { Findable } from './palette-items.ts';

/** A page of a project. */
export type ProjectPageItem = Findable & {
  readonly icon: LucideIcon;
  readonly detail: string;
  readonly link: LinkProps;
};

/** Of the projects that were looked at lately. */
const MAX_PROJECTS = 3;

/** Those of the shown project come first; where none is shown, those of the latest ones are offered. */
export function listProjectPages(
  recent: readonly RecentItem[],
  shownId: string | undefined,
): readonly ProjectPageItem[] {
  const known = recent.filter(({ kind }) => kind === 'project');
  const shown = known.filter(({ projectId }) => projectId === shownId);
  const projects = shown.length > 0 ? shown : known.slice(0, MAX_PROJECTS);
  return projects.flatMap(({ projectId, title }) =>
    PROJECT_PAGES.map(
      ({ id, label, icon, keywords }): ProjectPageItem => ({
        id: `page ${projectId} ${id}`,
        group: 'Project pages',
        icon,
        label,
        detail: title,
        keywords: `${keywords} ${title}`,
        link: { to: `/projects/$projectId/${id}`, params: { projectId }, search: keepTime },
      }),
    ),
  );
}
