/** How somebody looks at projects. */
import { createStored } from '#ui/lib/storage.ts';

const LOOKS = ['grid', 'table'] as const;
const ORDERS = ['endTime', 'name'] as const;

/** How projects are laid out. */
export type ProjectsLook = (typeof LOOKS)[number];
/** What projects are ordered by. */
export type ProjectsOrder = (typeof ORDERS)[number];

/** Kept in this browser. */
export const lookChoice = createStored<ProjectsLook>('projects.look', 'grid', (value) =>
  LOOKS.find((look) => look === value),
);
/** Kept in this browser. */
export const orderChoice = createStored<ProjectsOrder>('projects.order', 'endTime', (value) =>
  ORDERS.find((order) => order === value),
);
