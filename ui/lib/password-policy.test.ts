import { describe, expect, it } from 'vitest';
import { describePasswordPolicy, findPasswordFault } from './password-policy.ts';

describe('the default policy', () => {
  it.each(['abcd', '4321', 'a!b~', 'Correct-horse-battery'])('accepts %s', (password) => {
    expect(findPasswordFault(password, false)).toBeUndefined();
  });

  it.each([
    ['', 'Enter a new password.'],
    ['abc', 'Enter at least 4 characters.'],
    ['ab cd', 'Remove the spaces: a password has none.'],
    ['pässword', 'Use only unaccented letters, digits and the symbols of an English keyboard.'],
  ])('refuses %j', (password, fault) => {
    expect(findPasswordFault(password, false)).toBe(fault);
  });
});

describe('the strong policy', () => {
  it('accepts what has everything', () => {
    expect(findPasswordFault('Abcdefgh123!', true)).toBeUndefined();
  });

  it.each([
    ['Abcdefg123!', 'Missing: at least 12 characters.'],
    ['abcdefghijkl', 'Missing: an upper-case letter, a digit, one of !@#$%^&*()_+.'],
    ['ABCDEFGH123!', 'Missing: a lower-case letter.'],
  ])('says everything that %s lacks', (password, fault) => {
    expect(findPasswordFault(password, true)).toBe(fault);
  });

  it('is described', () => {
    expect(describePasswordPolicy(true)).toContain('12 characters');
    expect(describePasswordPolicy(false)).toContain('4 characters');
  });
});
