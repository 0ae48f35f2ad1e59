import { definePolicy } from '#domain/access';

/** Who may see log records. */
export const ACCESS = definePolicy('logs', {
  list: 'read',
  read: 'read',
  readOriginal: 'read',
});
