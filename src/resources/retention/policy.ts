import { definePolicy } from '#domain/access';

/** Who may see and change retention policies, and see what was deleted. */
export const retentionPolicy = definePolicy('retention', {
  list: 'read',
  read: 'read',
  listDeletions: 'read',
  create: 'admin',
  patch: 'admin',
  delete: 'admin',
  assign: 'admin',
});
