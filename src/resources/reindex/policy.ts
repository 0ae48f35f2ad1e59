import { definePolicy } from '#domain/access';

/** Who may derive again what is made of stored spans. */
export const ACCESS = definePolicy('reindex', {
  read: 'admin',
  start: 'admin',
});
