import { definePolicy } from '#domain/access';

/** Who may read the log of who did what. */
export const auditPolicy = definePolicy('audit', {
  list: 'admin',
  read: 'admin',
  export: 'admin',
  // Of the server itself.
  recordRefusals: 'admin',
  prune: 'admin',
});
