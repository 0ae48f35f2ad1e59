import { formatGlobalId } from '#base/global-id';
import type { Project } from '#domain/project';

/** A project as REST answers it. */
export function presentProject({ rowId, name, description }: Project) {
  return { id: formatGlobalId('Project', rowId), name, description };
}
