import { definePolicy } from '#domain/access';

/** Who may delete and move many rows at once, and see how far that is. */
export const bulkPolicy = definePolicy('bulk', {
  delete: { access: 'write', within: 'project' },
  move: { access: 'write', within: 'project' },
  cancel: { access: 'write', within: 'project' },
  read: { access: 'read', within: 'project' },
});
