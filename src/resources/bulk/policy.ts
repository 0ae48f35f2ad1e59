import { definePolicy } from '#domain/access';

/** Who may do something to many rows at once, and see how far that is. */
export const bulkPolicy = definePolicy('bulk', {
  delete: { access: 'write', within: 'project' },
  move: { access: 'write', within: 'project' },
  annotate: { access: 'write', within: 'project' },
  /** Of a queue, which belongs to no project: keys that are limited to projects do not reach it. */
  queue: 'write',
  cancel: { access: 'write', within: 'project' },
  read: { access: 'read', within: 'project' },
});
