import { definePolicy } from '#domain/access';

/** Who may do what with projects. */
export const projectPolicy = definePolicy('projects', {
  list: 'read',
  read: 'read',
  watch: 'read',
  create: 'write',
  patch: 'write',
});
