/** Which views the menu of a table offers, in which order. */
import { NO_VIEW } from './open-view.ts';
import type { ViewItem } from './view-data.ts';

/** A line of the menu. */
export interface ListedView {
  readonly id: string;
  readonly name: string;
  /** Whose it is, and whether the table opens with it. */
  readonly detail: string;
  readonly isShown: boolean;
}

/** Lines below one heading. */
export interface ViewGroup {
  readonly label: string;
  readonly items: readonly ListedView[];
}

/** As many as can be looked through; others are found by their names. */
const MAX_LISTED = 100;

/** Views whose names contain a text, by name: those of the reader, then those of others. */
export function listViewGroups(
  views: readonly ViewItem[],
  { text, shown }: { readonly text: string; readonly shown: ViewItem | undefined },
): readonly ViewGroup[] {
  const wanted = text.trim().toLowerCase();
  const found = views
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .slice(0, MAX_LISTED);
  const toItem = (view: ViewItem): ListedView => ({
    id: view.id,
    name: view.name,
    detail: detailOf(view),
    isShown: view.id === shown?.id,
  });
  const isPersonal = ({ isShared }: ViewItem) => !isShared;
  const canLeave =
    wanted === '' && (shown !== undefined || views.some((view) => view.isOwnDefault || view.isSharedDefault));
  const none: ListedView = { id: NO_VIEW, name: 'No view', detail: '', isShown: shown === undefined };
  return [
    { label: 'Table', items: canLeave ? [none] : [] },
    { label: 'Personal', items: found.filter(isPersonal).map(toItem) },
    { label: 'Shared', items: found.filter((view) => !isPersonal(view)).map(toItem) },
  ].filter(({ items }) => items.length > 0);
}

function detailOf({ isOwn, isShared, ownerName, isOwnDefault, isSharedDefault }: ViewItem): string {
  const owner = isShared && !isOwn ? ownerName : null;
  const opens = isOwnDefault ? 'your default' : isSharedDefault ? 'default' : null;
  return [owner, opens].filter((part) => part != null).join(' · ');
}
