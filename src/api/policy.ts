import { definePolicy } from '#domain/access';

/** What every HTTP application answers, whatever it serves. */
export const httpPolicy = definePolicy('http', {
  refuseMethod: 'public',
  refusePath: 'public',
  /** Both of them below `/v1`. */
  refuseApi: 'identify',
});

/** What the schema has beside the types of resources. */
export const graphqlPolicy = definePolicy('graphql', {
  findNode: 'identify',
  /** Fields of interfaces: the object that is read has an access of its own. */
  readInterface: 'public',
  readPageInfo: 'read',
});
