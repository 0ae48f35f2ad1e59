import { definePolicy } from '#domain/access';

/** Who may see log records. */
export const logPolicy = definePolicy('logs', {
  list: 'read',
  read: 'read',
  readOriginal: 'read',
});
