import { describe, expect, it } from 'vitest';
import { assertPassword, checkEmail, checkUsername, maySeeAccount } from './account.ts';
import { ANONYMOUS, type Caller, NOBODY } from './caller.ts';
import { keyCaller, pendingCaller, systemKeyCaller, userCaller } from './callers.fixture.ts';

const refused = (message: string | RegExp) =>
  expect.objectContaining({ code: 'invalid_argument', message: expect.stringMatching(message) });
const faultOf = (check: () => unknown): unknown => {
  try {
    check();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('a password', () => {
  it.each(['abcd', 'a!~\\', 'x'.repeat(1024)])('is taken: %j', (password) => {
    expect(faultOf(() => assertPassword(password, false))).toBeUndefined();
  });

  it.each([
    ['', /^A password needs at least 4 characters\.$/],
    ['abc', /at least 4/],
    ['ab d', /no white space/],
    ['abcd\n', /no white space/],
    ['pässword', /ASCII/],
    ['abc\u007f', /ASCII/],
    ['x'.repeat(1025), /at most 1024/],
    ['ä ', /^A password needs at least 4 characters, no white space and only letters, digits and signs of ASCII\.$/],
  ])('is refused: %j', (password, message) => {
    expect(faultOf(() => assertPassword(password, false))).toEqual(refused(message));
  });

  it('of the strong policy breaks several rules at once, all of which are told', () => {
    expect(faultOf(() => assertPassword('Abcdefghij1!', true))).toBeUndefined();
    expect(faultOf(() => assertPassword('abc', true))).toEqual(
      refused(
        /^A password needs at least 12 characters, an upper-case letter, a digit and one of !@#\$%\^&\*\(\)_\+\.$/,
      ),
    );
    expect(faultOf(() => assertPassword('ABCDEFGHIJK1!', true))).toEqual(
      refused(/^A password needs a lower-case letter\.$/),
    );
    expect(faultOf(() => assertPassword('Abcdefghij1?', true))).toEqual(refused(/^A password needs one of/));
  });
});

describe('an e-mail address', () => {
  it('has no white space around it and no upper case', () => {
    expect(checkEmail(' Ada@Example.COM\n')).toBe('ada@example.com');
  });

  it.each([
    '',
    'ada',
    'ada@localhost',
    '@example.com',
    'a@b@example.com',
    'a b@example.com',
    'ada@example.',
    'ada@.com',
    'a@b..c',
    `${'a'.repeat(250)}@b.cd`,
    'a\u0000@b.cd',
  ])('is refused: %j', (email) => {
    expect(faultOf(() => checkEmail(email))).toEqual(refused(/not an e-mail address/));
  });
});

describe('a username', () => {
  it('has no white space around it', () => {
    expect(checkUsername('  Ada L. 🌙 ')).toBe('Ada L. 🌙');
  });

  it.each(['', ' \n', 'x'.repeat(201), 'a\u0000b', 'a\u202eb', '\ud800'])('is refused: %j', (username) => {
    expect(faultOf(() => checkUsername(username))).toEqual(refused(/username/));
  });
});

describe('what only some may see of an account', () => {
  const ADA = { rowId: 7, role: 'MEMBER' } as const;
  const SYSTEM = { rowId: 1, role: 'SYSTEM' } as const;

  it.each<[string, Caller, boolean, boolean]>([
    ['anybody while authentication is off', ANONYMOUS, true, true],
    ['an administrator', userCaller('admin', 3), true, true],
    ['the secret of the administrator', { kind: 'admin_secret', role: 'admin', rowId: 1 }, true, true],
    ['herself', userCaller('viewer', 7), true, false],
    ['herself, who must choose a password', pendingCaller('viewer', 7), true, false],
    ['an administrator who must choose a password', pendingCaller('admin', 3), false, false],
    ['a narrowed key of an administrator', keyCaller('admin', { operations: 'read', projects: null }, 3), false, false],
    ['her key', keyCaller('member', null, 7), true, false],
    ['somebody else', userCaller('member', 8), false, false],
    ['a key of the system', systemKeyCaller(), false, true],
    ['nobody', NOBODY, false, false],
  ])('is seen by %s', (_who, caller, ofAda, ofSystem) => {
    expect([maySeeAccount(caller, ADA), maySeeAccount(caller, SYSTEM)]).toEqual([ofAda, ofSystem]);
  });
});
