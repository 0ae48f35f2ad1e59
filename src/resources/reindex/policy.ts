import { definePolicy } from '#domain/access';

/** Who may have derived data made again. */
export const ACCESS = definePolicy('reindex', {
  read: 'admin',
  start: 'admin',
});
