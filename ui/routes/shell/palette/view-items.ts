/** The palette's items for the saved views of the project that is shown. */
import type { LinkProps } from '@tanstack/react-router';
import { useViews } from '../../project/views/view-data.ts';
import { tableOf } from '../../project/views/view-tables.ts';
import type { Findable } from './palette-items.ts';

/** A saved view. */
export type ViewPaletteItem = Findable & { readonly detail: string; readonly link: LinkProps };

/** The views that the reader sees of a project; undefined: of none. */
export function useViewItems(projectId: string | undefined): readonly ViewPaletteItem[] {
  const { views = [] } = useViews(projectId);
  if (projectId === undefined) return [];
  return views.map((view) => ({
    id: `view ${view.id}`,
    group: 'Views',
    label: view.name,
    detail: `View of ${tableOf(view) ?? 'this project'}`,
    keywords: 'saved view',
    link: { to: '/projects/$projectId/views/$viewId', params: { projectId, viewId: view.id } },
  }));
}
