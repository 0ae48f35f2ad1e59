import { definePolicy } from '#domain/access';

/** Who may see sessions. */
export const sessionPolicy = definePolicy('sessions', {
  list: 'read',
  read: 'read',
});
