/** Finds things by name, for a box that searches everything. */
import type { Builder } from '#api/graphql/builder';
import { AppError } from '#base/errors';
import { foldCase } from '#base/text';
import type { ForCaller } from '#domain/caller';
import type { Project } from '#domain/project';
import type { ProjectBrowser } from '#store/projects/port';
import { projectPolicy } from '../policy.ts';

const MAX_FOUND = 25;

/** Reading all names and descriptions. */
const SEARCH_COST = 20;

const ROWS_AT_ONCE = 1000;

/** Adds the query and its union. */
export function addResourceSearch(builder: Builder, projects: ForCaller<ProjectBrowser>): void {
  const result = builder.unionType('SearchResult', { types: ['Project'], resolveType: () => 'Project' });
  builder.queryField('searchResources', (t) =>
    t.field({
      type: [result],
      access: projectPolicy.search,
      cost: SEARCH_COST,
      description: 'Objects whose name or description contains the text, in any case; matches of names first.',
      args: {
        query: t.arg.string({ required: true }),
        limitPerType: t.arg.int({ required: true, defaultValue: 5, description: `${MAX_FOUND} at most.` }),
      },
      resolve: (_root, { query, limitPerType }, { caller }) => {
        if (limitPerType < 1 || limitPerType > MAX_FOUND) {
          throw new AppError('invalid_argument', `limitPerType must be between 1 and ${MAX_FOUND}.`);
        }
        const text = query.trim();
        return text === '' ? [] : findProjects(projects(caller), text, limitPerType);
      },
    }),
  );
}

async function findProjects(projects: ProjectBrowser, text: string, limit: number): Promise<Project[]> {
  const order = { sort: 'name', order: 'asc' } as const;
  const found = [...(await projects.browseProjects({ nameContains: text }, { ...order, offset: 0, limit }))];
  const known = new Set(found.map(({ rowId }) => rowId));
  const folded = foldCase(text);
  for (let offset = 0; found.length < limit; offset += ROWS_AT_ONCE) {
    const rows = await projects.browseProjects({}, { ...order, offset, limit: ROWS_AT_ONCE });
    const described = rows.filter(
      ({ rowId, description }) => !known.has(rowId) && foldCase(description ?? '').includes(folded),
    );
    found.push(...described.slice(0, limit - found.length));
    if (rows.length < ROWS_AT_ONCE) break;
  }
  return found;
}
