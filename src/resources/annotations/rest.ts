import type { Route } from '#api/rest/route';

/** Routes of annotations and notes. */
export function annotationRoutes(): readonly Route[] {
  return [];
}
