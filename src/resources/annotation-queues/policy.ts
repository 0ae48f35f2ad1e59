import { definePolicy } from '#domain/access';

/** Who may do what with review queues. They hold rows of any projects, so keys that are limited to projects do not reach them. */
export const annotationQueuePolicy = definePolicy('annotationQueues', {
  list: 'read',
  read: 'read',
  create: 'write',
  patch: 'write',
  delete: 'write',
  /** Takes the items of a queue that is being deleted, some at a time. */
  clear: 'write',
  addRule: 'write',
  deleteRule: 'write',
  removeItems: 'write',
  hold: 'write',
  release: 'write',
  review: 'write',
  // Of the job that applies rules.
  applyRule: 'admin',
});
