/** Which projects the switcher offers, in which order. */

/** A project in the switcher. */
export interface SwitchItem {
  readonly id: string;
  readonly name: string;
  readonly startColor: string;
  readonly endColor: string;
  readonly group: SwitchGroup;
}

/** The headings, in their order. */
export const SWITCH_GROUPS = ['Pinned', 'Recent', 'All projects'] as const;

/** See {@link SWITCH_GROUPS}. */
export type SwitchGroup = (typeof SWITCH_GROUPS)[number];

/** A project as the server tells it. */
export interface ServerProject {
  readonly id: string;
  readonly name: string;
  readonly gradientStartColor: string;
  readonly gradientEndColor: string;
}

/** See {@link listSwitchItems}. */
export interface SwitchSources {
  readonly pinnedIds: readonly string[];
  /** The latest first. */
  readonly recentIds: readonly string[];
  /** The pinned and recent ones that there are, in any order. */
  readonly known: readonly ServerProject[];
  /** What the server found by the text, in its order. */
  readonly found: readonly ServerProject[];
  /** What was typed. */
  readonly text: string;
}

/** Pinned, recent, then all others; each project once, and only those whose name contains the text. */
export function listSwitchItems({ pinnedIds, recentIds, known, found, text }: SwitchSources): readonly SwitchItem[] {
  const search = text.trim().toLowerCase();
  const byId = new Map([...known, ...found].map((project) => [project.id, project]));
  const seen = new Set<string>();
  const take = (group: SwitchGroup, ids: readonly string[]): SwitchItem[] =>
    ids.flatMap((id) => {
      const project = byId.get(id);
      if (project === undefined || seen.has(id) || !project.name.toLowerCase().includes(search)) return [];
      seen.add(id);
      const { name, gradientStartColor: startColor, gradientEndColor: endColor } = project;
      return [{ id, name, startColor, endColor, group }];
    });
  return [
    ...take('Pinned', pinnedIds),
    ...take('Recent', recentIds),
    ...take(
      'All projects',
      found.map(({ id }) => id),
    ),
  ];
}
