import { AppError } from '#base/errors';
import { parseGlobalId } from '#base/global-id';
import { assertInReach } from '#domain/access';
import type { Caller, ForCaller } from '#domain/caller';
import type { Project } from '#domain/project';
import type { ProjectStore } from '#store/projects/port';

/**
 * The project of an id or, where the text is none, of exactly that name.
 * @throws AppError `not_found`; `permission_denied` where the caller's key is limited to others
 */
export async function getProject(
  caller: Caller,
  projects: ForCaller<ProjectStore>,
  identifier: string,
): Promise<Project> {
  const rowId = parseGlobalId('Project', identifier);
  const project = await projects(caller).findProject(rowId === undefined ? { name: identifier } : { rowId });
  assertInReach(caller, project?.rowId);
  if (project === undefined) throw new AppError('not_found', `There is no project ${identifier}.`);
  return project;
}
