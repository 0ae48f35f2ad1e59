/** By what the rows of tables can be grouped. */
import { formatAttribute } from '#filter/format';
import type { Sort } from '#ui/components/data-table/table-column.ts';

/** In the address. */
export type GroupingId = 'name' | 'model' | 'user' | 'session';

/** One of the ways. */
export interface Grouping {
  readonly id: GroupingId;
  readonly label: string;
  /** As the server names it. */
  readonly by: string;
  /** Said of rows without a value. */
  readonly missing: string;
  /** What several values are called, in the middle of a sentence. */
  readonly plural: string;
}

const NAME: Grouping = { id: 'name', label: 'Name', by: 'name', missing: 'No name', plural: 'names' };
const USER: Grouping = { id: 'user', label: 'User', by: 'user.id', missing: 'No user', plural: 'users' };
const SESSION: Omit<Grouping, 'by'> = { id: 'session', label: 'Session', missing: 'No session', plural: 'sessions' };

/** Of each table; a trace is told apart by its root span, which seldom calls a model itself. */
export const GROUPINGS: Readonly<Record<'span' | 'trace', readonly Grouping[]>> = {
  span: [
    NAME,
    { id: 'model', label: 'Model', by: 'model_name', missing: 'No model', plural: 'models' },
    USER,
    { ...SESSION, by: 'session.id' },
  ],
  trace: [NAME, USER, { ...SESSION, by: formatAttribute('trace', 'session.id') }],
};

/** The grouping that an address names, where the table has it. */
export function groupingOf(grain: 'span' | 'trace', id: string | undefined): Grouping | undefined {
  return GROUPINGS[grain].find((grouping) => grouping.id === id);
}

/** The order of groups where nobody has chosen one. */
export const LARGEST_FIRST: Sort = { column: 'count', direction: 'desc' };
