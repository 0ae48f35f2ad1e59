import { definePolicy } from '#domain/access';

/** What every HTTP application answers, whatever it serves. */
export const HTTP_ACCESS = definePolicy('http', { refuseMethod: 'public', refusePath: 'public' });

/** What the schema has beside the types of resources. */
export const GRAPHQL_ACCESS = definePolicy('graphql', {
  findNode: 'read',
  /** Of an object that its type guards. */
  readId: 'public',
  readPageInfo: 'read',
});
