/** What keys that are limited to projects may add to. Row ids decide: a name may be another project's by now. */
import type { Kysely } from 'kysely';
import type { Rejection } from '#normalize/normalized';
import type { Tables } from '../../schema/tables.ts';
import type { Registry } from './registry.ts';

/** Of each request the projects that alone its sender may add to; `null` for all. */
export type Reach = readonly (readonly number[] | null)[];

/** Where projects are looked up. */
interface ReachScope {
  readonly db: Kysely<Tables>;
  readonly registry: Registry;
}

/** Something that arrives. */
interface Arriving {
  /** The place of the request that brought it. */
  readonly request: number;
  readonly projectName: string;
}

/** Whether the reach of any request has an end. */
export function isLimited(reach: Reach): boolean {
  return reach.some((projects) => projects !== null);
}

/**
 * The project that something is stored in, which is that of its trace or the one that it names; `undefined` where its sender may not
 * add to it. A sender who is limited makes no project.
 */
export async function reachProject(
  { db, registry }: ReachScope,
  reach: Reach,
  ofTrace: number | undefined,
  { request, projectName }: Arriving,
): Promise<number | undefined> {
  const projects = reach[request] ?? null;
  if (projects === null) return ofTrace ?? registry.projectId(db, projectName);
  const projectId = ofTrace ?? (await registry.findProjectId(db, projectName));
  return projectId !== undefined && projects.includes(projectId) ? projectId : undefined;
}

/** Why something out of reach was not stored. */
export function outOfReach(what: string, traceId: string | null): Rejection {
  const message =
    traceId === null
      ? `${what} is for a project that the key may not send to any more.`
      : `${what} is for the trace ${traceId}, whose project the key may not send to.`;
  return { reason: 'not_permitted', message };
}
