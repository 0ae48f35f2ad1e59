/** The view that a table shows, with what this browser has changed of its columns. */
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import { type ViewContent, readViewContent, type ViewTable } from '#domain/saved-view';
import { createStored, type Stored, useStored } from '#ui/lib/storage.ts';
import type { TimeRangeSearch } from '#ui/lib/time-range.ts';
import { useProjectView } from '../project-view.ts';
import { toSearch } from './view-state.ts';

/** What the address does not carry. */
export type ViewLook = Pick<ViewContent, 'density' | 'columns' | 'attributes'>;

/** See the file. */
export interface OpenView {
  readonly id: string;
  readonly table: ViewTable;
  /** As it is saved. */
  readonly content: ViewContent;
}

/** Given by the page of a table; undefined where no view is open. */
export const OpenViewContext = createContext<OpenView | undefined>(undefined);

const looks = new Map<string, Stored<ViewLook>>();

/** What this browser has changed of a view's look. Each change replaces the whole. */
export function lookChanges(viewId: string): Stored<ViewLook> {
  const stored = looks.get(viewId) ?? createStored<ViewLook>(`view.${viewId}`, {}, readLook);
  looks.set(viewId, stored);
  return stored;
}

function readLook(value: unknown): ViewLook {
  const { density, columns, attributes } = readViewContent(JSON.stringify(value));
  return { density, columns, attributes };
}

const NO_LOOK: Stored<ViewLook> = { get: () => NOTHING, set: () => undefined, subscribe: () => () => undefined };
const NOTHING: ViewLook = {};

/** How the open view wants its table to look, with what was changed since, and what changes it; undefined where none is open. */
export function useViewLook() {
  const view = useContext(OpenViewContext);
  const changes = view === undefined ? NO_LOOK : lookChanges(view.id);
  const changed = useStored(changes);
  if (view === undefined) return undefined;
  const { density, columns, attributes } = { ...view.content, ...changed };
  return {
    /** The table whose columns these are, as it is called where layouts are kept. */
    tableKey: view.content.group === undefined ? view.table : `${view.table}.groups`,
    look: { density, columns, attributes },
    change: (part: ViewLook) => changes.set({ ...changes.get(), ...part }),
  };
}

/** A view to be opened. */
export interface ViewToOpen {
  readonly id: string;
  readonly table: ViewTable;
}

/** Opens a view as it is saved. */
export function useOpenView(): (
  view: ViewToOpen,
  content: ViewContent,
  options?: Pick<NavigateOptions, 'replace'>,
) => void {
  const navigate = useNavigate();
  const { projectId } = useProjectView();
  return ({ id, table }, content, options) => {
    lookChanges(id).set({});
    void navigate({
      to: `/projects/$projectId/${table}`,
      params: { projectId },
      search: ({ range, start, end }: TimeRangeSearch) => ({ range, start, end, ...toSearch(content), saved: id }),
      ...options,
    });
  };
}

/** Shows the table without a view: as it is for those who have none. */
export const NO_VIEW = 'none';
