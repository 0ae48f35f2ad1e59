import { definePolicy } from '#domain/access';

/** Who may do what with accounts. */
export const userPolicy = definePolicy('users', {
  /** One's own account, and fields of any: those that not everybody may see ask for themselves. */
  read: 'identify',
  listRoles: 'read',
  // Over REST, where accounts can be managed while authentication is off.
  list: 'admin',
  create: 'admin',
  delete: 'admin',
  // Over GraphQL, where they cannot.
  browse: 'accounts',
  add: 'accounts',
  patch: 'accounts',
  remove: 'accounts',
  patchViewer: 'profile',
  // Of the start of a server, and of the command line.
  prepare: 'admin',
  resetPassword: 'admin',
});
