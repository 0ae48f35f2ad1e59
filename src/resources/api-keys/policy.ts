import { definePolicy } from '#domain/access';

/** Who may do what with the keys of programs. No key makes another, whatever its owner may do. */
export const apiKeyPolicy = definePolicy('apiKeys', {
  listOwn: 'own',
  /** Fields of a personal key, which its owner and administrators come by. */
  read: 'own',
  createOwn: 'own',
  /** One's own; an administrator deletes those of others, too. */
  deletePersonal: 'own',
  listPersonal: 'accounts',
  listSystem: 'accounts',
  createSystem: 'accounts',
  deleteSystem: 'accounts',
  // Of the server itself.
  noteUse: 'admin',
});
