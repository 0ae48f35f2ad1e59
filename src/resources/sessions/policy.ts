import { definePolicy } from '#domain/access';

/** Who may see sessions. */
export const ACCESS = definePolicy('sessions', {
  list: 'read',
  read: 'read',
});
