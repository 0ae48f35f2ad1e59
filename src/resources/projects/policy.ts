import { definePolicy } from '#domain/access';

/** Who may do what with projects. */
export const projectPolicy = definePolicy('projects', {
  read: 'read',
  create: 'write',
  patch: 'write',
});
