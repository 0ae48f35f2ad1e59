import { definePolicy } from '#domain/access';

/** Who may sign in with a provider: anybody may begin, and the provider shows who came. */
export const providerSignInPolicy = definePolicy('providerSignIn', {
  begin: 'public',
  signIn: 'public',
  // Of the server itself.
  spendState: 'accounts',
  admit: 'accounts',
  bar: 'accounts',
});
