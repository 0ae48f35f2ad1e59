import { definePolicy } from '#domain/access';

/** Who may see traces. */
export const ACCESS = definePolicy('traces', {
  list: 'read',
  read: 'read',
  readOriginal: 'read',
});
