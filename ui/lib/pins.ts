/** Projects that somebody pinned: kept in this browser, for each account by itself. */
import { type PinnedProject, type Pins, readPins, withPin } from './pin-list.ts';
import { forgetProject } from './recent.ts';
import { createStored, useStored } from './storage.ts';
import { useViewer } from './viewer.ts';

const NONE: readonly PinnedProject[] = [];

const pins = createStored<Pins>('pins', {}, readPins);

/** The projects that the signed-in user has pinned, in the order of pinning. */
export function usePins(): readonly PinnedProject[] {
  const owner = useOwner();
  return useStored(pins)[owner] ?? NONE;
}

/** Whether a project is pinned, and what pins or unpins it. */
export function usePin(project: PinnedProject): readonly [isPinned: boolean, toggle: () => void] {
  const owner = useOwner();
  const own = usePins();
  const isPinned = own.some(({ projectId }) => projectId === project.projectId);
  return [isPinned, () => pins.set({ ...pins.get(), [owner]: withPin(own, project, !isPinned) })];
}

/** Forgets a project that was deleted: its pins, and what was looked at in it. */
export function forgetDeletedProject(projectId: string): void {
  forgetProject(projectId);
  const left = Object.entries(pins.get()).map(
    ([owner, own]) => [owner, own.filter((pin) => pin.projectId !== projectId)] as const,
  );
  pins.set(Object.fromEntries(left));
}

function useOwner(): string {
  return useViewer()?.id ?? '';
}
