import { definePolicy } from '#domain/access';

/** Who may do what with retention policies. */
export const retentionPolicy = definePolicy('retention', {
  read: 'read',
  create: 'admin',
  patch: 'admin',
  delete: 'admin',
  assign: 'admin',
});
