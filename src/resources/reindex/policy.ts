import { definePolicy } from '#domain/access';

/** Who may derive again what is made of stored spans. */
export const reindexPolicy = definePolicy('reindex', {
  read: 'read',
  start: 'admin',
});
