/** Pinned projects, as a browser keeps them. */

/** A pinned project, under the name that it has. */
export interface PinnedProject {
  readonly projectId: string;
  readonly title: string;
}

/** By account; under the empty text while authentication is off. */
export type Pins = Readonly<Record<string, readonly PinnedProject[]>>;

/** The pins with a project, or without it. */
export function withPin(
  own: readonly PinnedProject[],
  { projectId, title }: PinnedProject,
  isPinned: boolean,
): readonly PinnedProject[] {
  const others = own.filter((pin) => pin.projectId !== projectId);
  return isPinned ? [...others, { projectId, title }] : others;
}

/** What was kept, without what is none. */
export function readPins(value: unknown): Pins | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([owner, own]) => [owner, Array.isArray(own) ? own.filter(isPin) : []]),
  );
}

function isPin(value: unknown): value is PinnedProject {
  if (typeof value !== 'object' || value === null) return false;
  const { projectId, title } = value as Partial<Record<keyof PinnedProject, unknown>>;
  return typeof projectId === 'string' && typeof title === 'string';
}
