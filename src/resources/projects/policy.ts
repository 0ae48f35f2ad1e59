import { definePolicy } from '#domain/access';

/** Who may do what with projects. */
export const projectPolicy = definePolicy('projects', {
  list: { access: 'read', within: 'project' },
  read: { access: 'read', within: 'project' },
  search: 'read',
  watch: 'read',
  create: 'write',
  patch: 'admin',
});
