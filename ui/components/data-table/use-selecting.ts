import type { KeyboardEvent } from 'react';
import { selectRange, togglePage, toggleRow } from './selection.ts';
import type { SelectionStore } from './selection-store.ts';

interface SelectingOptions {
  /** Undefined where rows cannot be selected. */
  readonly store: SelectionStore | undefined;
  readonly rows: readonly { readonly id: string }[];
  readonly activeIndex: number;
  readonly giveKeyboard: (index: number) => void;
}

/** What selects rows of a table; none of it does anything where they cannot be selected. */
export function useSelecting({ store, rows, activeIndex, giveKeyboard }: SelectingOptions) {
  const loaded = () => rows.map(({ id }) => id);

  function select(id: string | undefined, isRange: boolean): void {
    if (store === undefined || id === undefined) return;
    const before = store.get();
    const from = rows[activeIndex]?.id;
    store.set(isRange ? selectRange(before, loaded(), from, id) : toggleRow(before, id));
  }

  function extend(delta: number): void {
    const target = rows[activeIndex + delta];
    if (target === undefined) return;
    select(target.id, true);
    giveKeyboard(activeIndex + delta);
  }

  function page(): void {
    store?.set(togglePage(store.get(), loaded()));
  }

  /** Whether the key selects. */
  function onKey(event: KeyboardEvent<HTMLElement>): boolean {
    if (store === undefined || event.altKey) return false;
    const isMod = event.ctrlKey || event.metaKey;
    if (isMod && !event.shiftKey && event.key.toLowerCase() === 'a') page();
    else if (!isMod && event.shiftKey && event.key === 'ArrowDown') extend(1);
    else if (!isMod && event.shiftKey && event.key === 'ArrowUp') extend(-1);
    else return false;
    return true;
  }

  return { select, extend, page, onKey, toggleActive: (isRange: boolean) => select(rows[activeIndex]?.id, isRange) };
}
