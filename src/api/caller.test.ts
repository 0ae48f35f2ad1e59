import { describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { NOBODY } from '#domain/caller';
import { userCaller } from '#domain/callers.fixture';
import { admitCaller, type Credentials, type Callers } from './caller.ts';
import { testPolicy } from './test-policy.fixture.ts';

const MEMBER = userCaller('member', 7);

/** Knows one key, and one that has expired. */
const resolve: Callers['resolve'] = async ({ header }) => {
  if (header('authorization') === 'old') throw new AppError('unauthenticated', 'The key has expired.');
  return header('authorization') === 'key' ? MEMBER : NOBODY;
};

const callers: Callers = { resolve, stillHolds: async () => true };

const showing = (authorization?: string): Credentials => ({
  header: (name) => (name === 'authorization' ? authorization : undefined),
  remoteAddress: '127.0.0.1',
});

describe('a caller is admitted', () => {
  it('as who the credentials say', async () => {
    expect(await admitCaller(callers, testPolicy.write, showing('key'))).toEqual({ ...MEMBER, address: '127.0.0.1' });
  });

  it('to what is public without being looked for', async () => {
    const away: Callers = { ...callers, resolve: () => Promise.reject(new Error('no keys can be read')) };
    expect((await admitCaller(away, testPolicy.open, showing('old'))).kind).toBe('nobody');
  });

  it.each([
    ['without credentials', undefined, 'unauthenticated'],
    ['with those that the resolver refuses', 'old', 'unauthenticated'],
    ['with too small a role', 'key', 'permission_denied'],
  ])('to nothing else %s', async (_how, authorization, code) => {
    await expect(admitCaller(callers, testPolicy.manage, showing(authorization))).rejects.toMatchObject({
      code,
    });
  });
});

describe('of what is refused is noted', () => {
  it.each([
    ['what was shown and is wrong', 'old', ['nobody test.manage']],
    ['what was shown and is no key', 'Basic eDp5', ['nobody test.manage']],
    ['who is known', 'key', ['user test.manage']],
    ['nothing of a request that shows nothing', undefined, []],
  ])('%s', async (_what, authorization, expected) => {
    const noted: string[] = [];
    const noteRefusal: Callers['noteRefusal'] = ({ kind }, { operation }) => noted.push(`${kind} ${operation}`);
    const asked = admitCaller({ ...callers, noteRefusal }, testPolicy.manage, showing(authorization));
    await expect(asked).rejects.toThrow(AppError);
    expect(noted).toEqual(expected);
  });
});
