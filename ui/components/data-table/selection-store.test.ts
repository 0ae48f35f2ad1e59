import { expect, it, vi } from 'vitest';
import { NOTHING_SELECTED, selectAll, toggleRow } from './selection.ts';
import { createSelectionStore } from './selection-store.ts';

it('tells its listeners of each change, and of nothing else', () => {
  const store = createSelectionStore();
  const listener = vi.fn<() => void>();
  const stop = store.subscribe(listener);
  store.set(NOTHING_SELECTED);
  expect(listener).not.toHaveBeenCalled();
  store.set(selectAll());
  expect(listener).toHaveBeenCalledOnce();
  stop();
  store.set(NOTHING_SELECTED);
  expect(listener).toHaveBeenCalledOnce();
});

it('keeps the selection of a list however its rows change, and what another list has of it', () => {
  const store = createSelectionStore();
  store.enter('one', ['a', 'b']);
  store.set(toggleRow(toggleRow(NOTHING_SELECTED, 'a'), 'b'));
  store.enter('one', ['b']);
  expect(store.get().ids).toEqual(new Set(['a', 'b']));
  store.enter('other', ['b', 'c']);
  expect(store.get().ids).toEqual(new Set(['b']));
  expect(store.loaded()).toEqual(['b', 'c']);
});
