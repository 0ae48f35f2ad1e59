/**
 * A selection that rows listen to one by one: to select a thousand rows renders only those that are in sight, and not their table.
 */
import { useCallback, useSyncExternalStore } from 'react';
import { hasSelection, isSelected, keepOnly, NOTHING_SELECTED, type Selection } from './selection.ts';

/** See the file. */
export interface SelectionStore {
  readonly get: () => Selection;
  readonly set: (next: Selection) => void;
  readonly subscribe: (listener: () => void) => () => void;
  /** Ids of the rows that are loaded, in the order of the table. */
  readonly loaded: () => readonly string[];
  /** Says which list the rows are of, and which are loaded. Another list keeps of the selection what it has itself. */
  readonly enter: (listKey: string, loaded: readonly string[]) => void;
}

/** A store with nothing selected. */
export function createSelectionStore(): SelectionStore {
  let selection = NOTHING_SELECTED;
  let rows: readonly string[] = [];
  let entered: string | undefined;
  const listeners = new Set<() => void>();
  function tell(): void {
    for (const listener of listeners) listener();
  }
  return {
    get: () => selection,
    set: (next) => {
      if (next === selection) return;
      selection = next;
      tell();
    },
    loaded: () => rows,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    enter: (listKey, loaded) => {
      if (entered !== listKey) selection = keepOnly(selection, loaded);
      entered = listKey;
      rows = loaded;
      tell();
    },
  };
}

/** Whether a row is selected; false without a store. */
export function useIsSelected(store: SelectionStore | undefined, id: string): boolean {
  return useStoreValue(store, (selection) => isSelected(selection, id), false);
}

/** Whether any row is selected; false without a store. */
export function useHasSelection(store: SelectionStore | undefined): boolean {
  return useStoreValue(store, hasSelection, false);
}

/** The selection as it is now. */
export function useSelection(store: SelectionStore): Selection {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** What is read out of a selection; `read` gives a text, a number or a truth. */
export function useStoreValue<Value extends string | number | boolean>(
  store: SelectionStore | undefined,
  read: (selection: Selection) => Value,
  without: Value,
): Value {
  const subscribe = useCallback((listener: () => void) => store?.subscribe(listener) ?? NOT_SUBSCRIBED, [store]);
  return useSyncExternalStore(subscribe, () => (store === undefined ? without : read(store.get())));
}

const NOT_SUBSCRIBED = () => undefined;
