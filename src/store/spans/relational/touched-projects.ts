import { MAX_TOUCHED_TRACES, type TouchedProject } from '../../writer-port.ts';
import type { TraceCount } from './request-writer.ts';

/** The projects in which a request changed something, with its traces as long as they are few. */
export function touchedProjects(counts: readonly TraceCount[]): readonly TouchedProject[] {
  const projects = new Map<number, Set<string>>();
  for (const { projectId, traceId, stored, replaced } of counts) {
    if (stored + replaced === 0) continue;
    const traceIds = projects.get(projectId);
    if (traceIds === undefined) projects.set(projectId, new Set([traceId]));
    else if (traceIds.size <= MAX_TOUCHED_TRACES) traceIds.add(traceId);
  }
  return [...projects].map(([projectRowId, traceIds]) => ({
    projectRowId,
    traceIds: traceIds.size > MAX_TOUCHED_TRACES ? null : [...traceIds],
  }));
}
