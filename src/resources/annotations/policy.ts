import { definePolicy } from '#domain/access';

/** Who may do what with annotations and notes. Only their authors and administrators delete them, and only authors patch them. */
export const annotationPolicy = definePolicy('annotations', {
  list: { access: 'read', within: 'project' },
  read: 'read',
  /** Of one author, which differs from caller to caller. */
  store: 'write',
  storeFound: 'write',
  storeLater: 'write',
  patch: 'write',
  delete: 'write',
  deleteMatching: { access: 'write', within: 'project' },
  /** Of all authors. */
  deleteByName: 'admin',
  // Of the job that settles what waits.
  settleWaiting: 'admin',
});
