import { definePolicy } from '#domain/access';

/** Who may see sessions. */
export const sessionPolicy = definePolicy('sessions', {
  list: { access: 'read', within: 'project' },
  /** Of any project, or of all. */
  listAnywhere: 'read',
  read: 'read',
});
