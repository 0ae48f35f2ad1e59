import { describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { type Caller, NOBODY } from '#domain/caller';
import { admitCaller, type Credentials, type ResolveCaller } from './caller.ts';
import { testPolicy } from './test-policy.fixture.ts';

const MEMBER: Caller = { kind: 'user', role: 'member', rowId: 7, name: 'Ada' };

/** Knows one key, and one that has expired. */
const resolveCaller: ResolveCaller = async ({ header }) => {
  if (header('authorization') === 'old') throw new AppError('unauthenticated', 'The key has expired.');
  return header('authorization') === 'key' ? MEMBER : NOBODY;
};

const showing = (authorization?: string): Credentials => ({
  header: (name) => (name === 'authorization' ? authorization : undefined),
  remoteAddress: '127.0.0.1',
});

describe('a caller is admitted', () => {
  it('as who the credentials say', async () => {
    expect(await admitCaller(resolveCaller, testPolicy.write, showing('key'))).toBe(MEMBER);
  });

  it('to what is public without being looked for', async () => {
    const away: ResolveCaller = () => Promise.reject(new Error('no keys can be read'));
    expect(await admitCaller(away, testPolicy.open, showing('old'))).toBe(NOBODY);
  });

  it.each([
    ['without credentials', undefined, 'unauthenticated'],
    ['with those that the resolver refuses', 'old', 'unauthenticated'],
    ['with too small a role', 'key', 'permission_denied'],
  ])('to nothing else %s', async (_how, authorization, code) => {
    await expect(admitCaller(resolveCaller, testPolicy.manage, showing(authorization))).rejects.toMatchObject({
      code,
    });
  });
});
