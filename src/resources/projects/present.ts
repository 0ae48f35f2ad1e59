import { z } from 'zod';
import { formatGlobalId } from '#base/global-id';
import type { Project } from '#domain/project';

/** What paths below a project name. */
export const PROJECT_PARAMS = z.object({ project_identifier: z.string().describe('Id or name of a project.') });

/** A project as REST answers it. */
export function presentProject({ rowId, name, description }: Project) {
  return { id: formatGlobalId('Project', rowId), name, description };
}
