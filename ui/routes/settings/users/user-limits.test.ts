import { describe, expect, it } from 'vitest';
import { limitsOf } from './user-limits.ts';

const ANN = { id: 'ann', email: 'ann@example.com', authMethod: 'LOCAL' };
const BUILT_IN = { id: 'first', email: 'admin@localhost', authMethod: 'LOCAL' };

describe('limitsOf', () => {
  it('lets an administrator do everything with other accounts', () => {
    expect(limitsOf(ANN, 'me', false)).toEqual({});
  });

  it('protects the own account from a slip', () => {
    expect(Object.keys(limitsOf(ANN, 'ann', false)).toSorted()).toEqual(['deletion', 'password', 'role']);
  });

  it('protects the built-in administrator, but for its password', () => {
    expect(Object.keys(limitsOf(BUILT_IN, 'me', false)).toSorted()).toEqual(['deletion', 'role']);
  });

  it.each([
    [{ ...ANN, authMethod: 'OAUTH2' }, false, 'This user signs in with another service'],
    [ANN, true, 'Signing in with a password is turned off'],
  ])('sets no password that nobody could use', (user, arePasswordsOff, reason) => {
    expect(limitsOf(user, 'me', arePasswordsOff)).toEqual({ password: reason });
  });
});
