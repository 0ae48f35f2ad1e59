import { definePolicy } from '#domain/access';

/** Who may do what with spans; those that arrive over OTLP have a policy of the server. */
export const spanPolicy = definePolicy('spans', {
  list: { access: 'read', within: 'project' },
  read: 'read',
  readOriginal: 'read',
  listOriginals: { access: 'read', within: 'project' },
  query: { access: 'read', within: 'project' },
  create: { access: 'ingest', within: 'project' },
});
