/** Where the shell leads. Navigation, drawer, palette and shortcuts are made of this one table: a new area is a new line. */
import type { LinkProps } from '@tanstack/react-router';
import { BookOpen, Boxes, ListChecks, type LucideIcon, Settings, Waypoints } from 'lucide-react';

/** The groups of the navigation, in their order; one without places does not appear. */
export const PLACE_GROUPS = [
  { id: 'observe', label: 'Observe' },
  { id: 'improve', label: 'Improve' },
  { id: 'review', label: 'Review' },
] as const;

/** A group, or the foot of the navigation, which has no heading. */
export type PlaceGroup = (typeof PLACE_GROUPS)[number]['id'] | 'foot';

/** A page or an area that is not part of another one. */
export interface Place {
  readonly id: string;
  readonly group: PlaceGroup;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Further words that the palette finds it by. */
  readonly keywords?: string;
  /** Two keys that lead there from everywhere, with what the panel of shortcuts says of them. */
  readonly shortcut?: { readonly keys: string; readonly label: string };
  readonly to: NonNullable<LinkProps['to']>;
  /** Whether it is marked for its own address alone, not for those below it. */
  readonly isExact?: true;
}

/** In the order of the navigation. */
export const PLACES: readonly Place[] = [
  {
    id: 'projects',
    group: 'observe',
    label: 'Projects',
    icon: Boxes,
    keywords: 'traces applications',
    shortcut: { keys: 'g p', label: 'Go to projects' },
    to: '/projects',
    isExact: true,
  },
  {
    id: 'queues',
    group: 'review',
    label: 'Queues',
    icon: ListChecks,
    keywords: 'review annotate judge',
    shortcut: { keys: 'g q', label: 'Go to the queues' },
    to: '/queues',
  },
  {
    id: 'settings',
    group: 'foot',
    label: 'Settings',
    icon: Settings,
    keywords: 'configuration administration',
    shortcut: { keys: 'g o', label: 'Go to the settings' },
    to: '/settings',
  },
  {
    id: 'docs',
    group: 'foot',
    label: 'API reference',
    icon: BookOpen,
    keywords: 'rest openapi documentation',
    to: '/docs',
  },
  {
    id: 'graphql',
    group: 'foot',
    label: 'GraphQL explorer',
    icon: Waypoints,
    keywords: 'graphiql query schema',
    to: '/graphql',
  },
];
