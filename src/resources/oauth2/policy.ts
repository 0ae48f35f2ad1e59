import { definePolicy } from '#domain/access';

/** Who may do what with the applications that people let in. What proves who an application is, the operations ask themselves. */
export const oauth2Policy = definePolicy('oauth2', {
  readMetadata: 'public',
  authorize: 'public',
  register: 'public',
  exchange: 'public',
  refresh: 'public',
  revokeToken: 'public',
  /** Of a person who signed in with a browser. */
  readRequest: 'own',
  approve: 'own',
  deny: 'own',
  /** Fields of a grant, which its owner and administrators come by. */
  read: 'own',
  /** One's own; an administrator revokes those of others, too. */
  revoke: 'own',
  list: 'accounts',
  // Of the server itself.
  endReplayed: 'accounts',
});
