import { definePolicy } from '#domain/access';

/** Who may do what with retention policies. */
export const retentionPolicy = definePolicy('retention', {
  list: 'read',
  read: 'read',
  listDeletions: 'read',
  create: 'admin',
  patch: 'admin',
  delete: 'admin',
  assign: 'admin',
  // Of the job that applies policies.
  seedDefault: 'admin',
  noteApplied: 'admin',
});
