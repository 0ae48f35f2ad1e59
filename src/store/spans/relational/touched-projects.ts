import { MAX_TOUCHED_TRACES, type TouchedProject } from '../../writer-port.ts';

/** Where something that is shown is another now. */
export interface TouchedPlace {
  readonly projectId: number;
  /** OpenTelemetry id; `null` for what belongs to no trace. */
  readonly traceId: string | null;
}

/** The projects of the places, with their traces as long as they are few. */
export function touchedProjects(places: readonly TouchedPlace[]): readonly TouchedProject[] {
  const projects = new Map<number, Set<string>>();
  for (const { projectId, traceId } of places) {
    const traceIds = projects.get(projectId) ?? new Set();
    projects.set(projectId, traceIds);
    if (traceId !== null && traceIds.size <= MAX_TOUCHED_TRACES) traceIds.add(traceId);
  }
  return [...projects].map(([projectRowId, traceIds]) => ({
    projectRowId,
    traceIds: traceIds.size > MAX_TOUCHED_TRACES ? null : [...traceIds],
  }));
}

/** Several lists as one, in which each project is once. */
export function joinTouched(lists: readonly (readonly TouchedProject[])[]): readonly TouchedProject[] {
  const projects = new Map<number, Set<string> | null>();
  for (const { projectRowId, traceIds } of lists.flat()) {
    const before = projects.get(projectRowId);
    const all = before === null || traceIds === null ? null : new Set([...(before ?? []), ...traceIds]);
    projects.set(projectRowId, all === null || all.size > MAX_TOUCHED_TRACES ? null : all);
  }
  return [...projects].map(([projectRowId, traceIds]) => ({ projectRowId, traceIds: traceIds && [...traceIds] }));
}
