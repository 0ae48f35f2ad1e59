import { definePolicy } from '#domain/access';

/** Who may do what with saved views. Which views a caller may change depends on the view, too: see `mayChangeView`. */
export const savedViewPolicy = definePolicy('savedViews', {
  list: 'read',
  read: 'read',
  create: 'write',
  patch: 'write',
  delete: 'write',
  setOwnDefault: 'own',
  setSharedDefault: 'admin',
});
