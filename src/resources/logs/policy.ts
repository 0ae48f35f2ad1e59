import { definePolicy } from '#domain/access';

/** Who may see log records. */
export const logPolicy = definePolicy('logs', {
  list: 'read',
  read: 'read',
  readOriginal: 'read',
  /** Those of a project that belong to no span. */
  readUnattached: { access: 'read', within: 'project' },
});
