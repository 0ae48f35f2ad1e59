import { definePolicy } from '#domain/access';

/** Who may see traces. */
export const tracePolicy = definePolicy('traces', {
  list: { access: 'read', within: 'project' },
  read: 'read',
  readOriginal: 'read',
});
