/** The tables that have views, as the server and the addresses name them. */
import { VIEW_TABLES, type ViewTable } from '#domain/saved-view';
import type { ViewItem } from './view-data.ts';

/** The table of a view. */
export function tableOf({ table }: Pick<ViewItem, 'table'>): ViewTable | undefined {
  return VIEW_TABLES.find((one) => nameOfTable(one) === table);
}

/** A table as the server calls it. */
export function nameOfTable(table: ViewTable): 'TRACES' | 'SPANS' | 'SESSIONS' {
  return ({ traces: 'TRACES', spans: 'SPANS', sessions: 'SESSIONS' } as const)[table];
}
