import { expect, it } from 'vitest';
import { findPasswordFault } from '#ui/lib/password-policy.ts';
import { makeTemporaryPassword } from './temporary-password.ts';

it('makes passwords that meet the strong policy, never the same', () => {
  const passwords = Array.from({ length: 200 }, makeTemporaryPassword);
  expect(passwords.map((password) => findPasswordFault(password, true))).toEqual(passwords.map(() => undefined));
  expect(new Set(passwords).size).toBe(200);
  expect(passwords.join('')).not.toMatch(/[0O1lI]/);
});
