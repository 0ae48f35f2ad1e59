import { nextMomentUs } from '#base/moment';
import { MAX_TOUCHED_TRACES, type TouchedProject } from '../../engine/touched-project.ts';

/** Where something that is shown is another now. */
export interface TouchedPlace {
  readonly projectId: number;
  /** OpenTelemetry id; `null` for what belongs to no trace. */
  readonly traceId: string | null;
}

/** The projects of the places, with their traces as long as they are few. */
export function touchedProjects(
  places: readonly TouchedPlace[],
  changedAtUs = nextMomentUs(),
): readonly TouchedProject[] {
  const projects = new Map<number, Set<string>>();
  for (const { projectId, traceId } of places) {
    const traceIds = projects.get(projectId) ?? new Set();
    projects.set(projectId, traceIds);
    if (traceId !== null && traceIds.size <= MAX_TOUCHED_TRACES) traceIds.add(traceId);
  }
  return [...projects].map(([projectRowId, traceIds]) => ({
    projectRowId,
    traceIds: traceIds.size > MAX_TOUCHED_TRACES ? null : [...traceIds],
    changedAtUs,
  }));
}

/** Several lists as one, in which each project is once, with its last change. */
export function joinTouched(lists: readonly (readonly TouchedProject[])[]): readonly TouchedProject[] {
  const projects = new Map<number, TouchedProject>();
  for (const touched of lists.flat()) {
    const { projectRowId } = touched;
    const before = projects.get(projectRowId) ?? { ...touched, traceIds: [] };
    const changedAtUs = Math.max(before.changedAtUs, touched.changedAtUs);
    projects.set(projectRowId, { projectRowId, traceIds: joinIds(before.traceIds, touched.traceIds), changedAtUs });
  }
  return [...projects.values()];
}

function joinIds(some: TouchedProject['traceIds'], more: TouchedProject['traceIds']): TouchedProject['traceIds'] {
  if (some === null || more === null) return null;
  const all = new Set([...some, ...more]);
  return all.size > MAX_TOUCHED_TRACES ? null : [...all];
}
