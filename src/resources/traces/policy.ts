import { definePolicy } from '#domain/access';

/** Who may see traces. */
export const tracePolicy = definePolicy('traces', {
  list: 'read',
  read: 'read',
  readOriginal: 'read',
});
