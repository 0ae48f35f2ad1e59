import { definePolicy } from '#domain/access';

/** Who may do what with spans; those that arrive over OTLP have a policy of the server. */
export const spanPolicy = definePolicy('spans', {
  list: 'read',
  read: 'read',
  readOriginal: 'read',
  query: 'write',
  create: 'write',
});
