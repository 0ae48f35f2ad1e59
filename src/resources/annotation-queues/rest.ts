import type { Route } from '#api/rest/route';

/** The routes. */
export function annotationQueueRoutes(): readonly Route[] {
  return [];
}
