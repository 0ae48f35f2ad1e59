/** The tabs that a project can open with, as its config names them. */
import { DEFAULT_TABS, type DefaultTab } from '#domain/project';
import { PROJECT_PAGES } from '../project/project-pages.ts';

/** A tab, or `last`: each person’s own last table. */
export type TabChoice = DefaultTab | 'last';

/** All choices, tabs in their order. */
export const TAB_CHOICES: readonly { readonly id: TabChoice; readonly label: string }[] = [
  { id: 'last', label: 'The table that each person used last' },
  ...PROJECT_PAGES.flatMap(({ id, label }) => {
    const tab = DEFAULT_TABS.find((known) => known === id);
    return tab === undefined ? [] : [{ id: tab, label }];
  }),
];
