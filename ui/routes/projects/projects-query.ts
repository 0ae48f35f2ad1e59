/** What the list of projects asks first. */
import listQuery, {
  type projectListQuery,
  type projectListQuery$variables,
} from '#ui/__generated__/projectListQuery.graphql.ts';
import { preloadQuery } from '#ui/lib/preload-query.ts';
import { isByFigure } from './project-figures.ts';
import { type ProjectsSort, readProjectsSort, sortChoice } from './projects-view.ts';

/** Which projects, in which order; the page itself orders them by figures. */
export function projectsVariables(sort: ProjectsSort, search: string): projectListQuery$variables {
  return {
    filter: search === '' ? null : { col: 'name', value: search },
    sort: { col: sort.column === 'name' ? 'name' : 'endTime', dir: isByFigure(sort) ? 'desc' : sort.direction },
  };
}

/** Asks for the list before its page is there. */
export async function preloadProjects(sortText: string | undefined): Promise<void> {
  const sort = readProjectsSort(sortText ?? sortChoice.get());
  await preloadQuery<projectListQuery>(listQuery, projectsVariables(sort, ''));
}
