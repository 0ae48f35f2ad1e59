/** What a page with a table gives to the table: its columns' layout, its density, and how the page commands it. */
import { createContext, type Ref, useContext } from 'react';
import type { SelectionStore } from '#ui/components/data-table/selection-store.ts';
import type { RowForm, Sort } from '#ui/components/data-table/table-column.ts';
import type { ColumnLayout } from '#ui/lib/columns.ts';
import type { ProjectTab } from './project-view.ts';

/** What a panel asks of the list beside it. */
export interface ListHandle {
  step(delta: -1 | 1): void;
  focusRow(): void;
}

/** What the page asks of its table; the methods that select are absent where rows cannot be selected. */
export interface TableHandle extends ListHandle {
  /** Selects the row that has the keyboard, or takes it out; with `isRange` up to it. */
  toggleSelected?(isRange: boolean): void;
  extendSelection?(delta: -1 | 1): void;
}

/** See the file. */
export interface ListView {
  readonly name: ProjectTab;
  readonly label: string;
  /** What the rows are, in the middle of a sentence. */
  readonly noun: string;
  /** As the address has it; the rows may still be those of another order. */
  readonly sort: Sort;
  /** In the filter language, as the address has it; null: none. */
  readonly filter: string | null;
  readonly layout: ColumnLayout;
  readonly setLayout: (layout: ColumnLayout) => void;
  readonly rowForm: RowForm;
  readonly handle: Ref<TableHandle>;
  /** Which rows are selected. */
  readonly selection: SelectionStore;
  /** Told why the server has no answer to the filter, and with null that this no longer holds. */
  readonly onRefusal: (refusal: Error | null) => void;
}

/** Given by the page. */
export const ListContext = createContext<ListView | undefined>(undefined);

/** The list around. */
export function useListContext(): ListView {
  const view = useContext(ListContext);
  if (view === undefined) throw new Error('A table takes its layout from a list page.');
  return view;
}
