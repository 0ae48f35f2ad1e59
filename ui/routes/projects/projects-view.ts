/** How somebody looks at projects. */
import { readSort, type Sort, writeSort } from '#ui/components/data-table/table-column.ts';
import { createStored } from '#ui/lib/storage.ts';

const LOOKS = ['grid', 'table'] as const;

/** How projects are laid out. */
export type ProjectsLook = (typeof LOOKS)[number];

/** What projects are ordered by; all but the first two are figures. */
export const PROJECT_COLUMNS = ['activity', 'name', 'traces', 'errors', 'p50', 'p95', 'tokens', 'cost'] as const;

/** One of {@link PROJECT_COLUMNS}. */
export type ProjectColumn = (typeof PROJECT_COLUMNS)[number];

/** How a table and a choice of orders name them. */
export const PROJECT_HEADERS: Readonly<Record<ProjectColumn, string>> = {
  activity: 'Last activity',
  name: 'Name',
  traces: 'Traces',
  errors: 'Errors',
  p50: 'P50',
  p95: 'P95',
  tokens: 'Tokens',
  cost: 'Cost',
};

/** An order of projects. */
export interface ProjectsSort extends Sort {
  readonly column: ProjectColumn;
}

const LATEST_FIRST = { column: 'activity', direction: 'desc' } as const;

/** Kept in this browser. */
export const lookChoice = createStored<ProjectsLook>('projects.look', 'grid', (value) =>
  LOOKS.find((look) => look === value),
);

/** Kept in this browser, as the address writes it. */
export const sortChoice = createStored<string>('projects.sort', writeSort(LATEST_FIRST), (value) =>
  typeof value === 'string' ? value : undefined,
);

/** The order that a text names; the latest activity first where it names none. */
export function readProjectsSort(text: string | undefined): ProjectsSort {
  const { column, direction } = readSort(text, PROJECT_COLUMNS, LATEST_FIRST);
  return { column: PROJECT_COLUMNS.find((known) => known === column) ?? LATEST_FIRST.column, direction };
}

/** The order after a press on the header of a column: names from A on, everything else the largest first. */
export function nextProjectsSort(sort: ProjectsSort, column: ProjectColumn): ProjectsSort {
  if (sort.column === column) return { column, direction: sort.direction === 'desc' ? 'asc' : 'desc' };
  return { column, direction: column === 'name' ? 'asc' : 'desc' };
}
