import { definePolicy } from '#domain/access';

/** Who may do what with sign-ins. What signing in shows of its sender is asked by the operations themselves. */
export const signInPolicy = definePolicy('signIn', {
  login: 'public',
  loginByDirectory: 'public',
  refresh: 'public',
  logout: 'public',
  /** Asked for by the field itself, whose user it is about. */
  readLock: 'identify',
  unlock: 'accounts',
  // Of the server itself.
  countAttempt: 'accounts',
  takeBackAttempt: 'accounts',
  lock: 'accounts',
  endReused: 'accounts',
  syncFromDirectory: 'accounts',
  barByDirectory: 'accounts',
  tidy: 'accounts',
});
