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
  /** What has to be known to read the figures. */
  readonly note?: string;
}

const NAME: Grouping = { id: 'name', label: 'Name', by: 'name', missing: 'No name', plural: 'names' };
const USER: Grouping = { id: 'user', label: 'User', by: 'user.id', missing: 'No user', plural: 'users' };
const SESSION: Omit<Grouping, 'by'> = { id: 'session', label: 'Session', missing: 'No session', plural: 'sessions' };

const MODEL: Grouping = { id: 'model', label: 'Model', by: 'model_name', missing: 'No model', plural: 'models' };

/** Of each table; a trace is told apart by its root span, but for the models that any of its spans call. */
export const GROUPINGS: Readonly<Record<'span' | 'trace', readonly Grouping[]>> = {
  span: [NAME, MODEL, USER, { ...SESSION, by: 'session.id' }],
  trace: [
    NAME,
    { ...MODEL, note: 'A trace that calls several models is counted for each of them.' },
    USER,
    { ...SESSION, by: formatAttribute('trace', 'session.id') },
  ],
};

/** The grouping that an address names, where the table has it. */
export function groupingOf(grain: 'span' | 'trace', id: string | undefined): Grouping | undefined {
  return GROUPINGS[grain].find((grouping) => grouping.id === id);
}

/** The order of groups where nobody has chosen one. */
export const LARGEST_FIRST: Sort = { column: 'count', direction: 'desc' };
