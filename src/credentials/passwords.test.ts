import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkPassword, hashPassword } from './password-hashes.ts';
import { PasswordThread } from './passwords.ts';
import type { StoredPassword } from './port.ts';

const PASSWORD = 'correct-horse';

/** What Phoenix stores. */
function phoenixHash(password: string, iterations = 10_000): StoredPassword {
  const salt = randomBytes(32);
  const hash = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  return {
    hash: hash.toString('base64'),
    salt: salt.toString('base64'),
    algorithm: `pbkdf2-sha256:${iterations}`,
  };
}

/** Making one takes half a second of processor time. */
const stored = hashPassword(PASSWORD);

describe('what is stored of a password', () => {
  it('fits that password alone, and is another one each time', () => {
    expect(stored.algorithm).toBe('argon2id:m=65536,t=2,p=1');
    const another = hashPassword(PASSWORD);
    expect(another.hash).not.toBe(stored.hash);
    expect(checkPassword(PASSWORD, stored)).toEqual({ isRight: true, isOutdated: false });
    expect(checkPassword(`${PASSWORD} `, stored)).toEqual({ isRight: false, isOutdated: false });
    expect(checkPassword(PASSWORD, { ...stored, salt: another.salt }).isRight).toBe(false);
  });

  it('is outdated where another algorithm, or the same with other parameters, made it', () => {
    const older = phoenixHash(PASSWORD);
    expect(checkPassword(PASSWORD, older)).toEqual({ isRight: true, isOutdated: true });
    expect(checkPassword('another', older)).toEqual({ isRight: false, isOutdated: false });
    // From the tests of RFC 9106's reference implementation: `password`, `somesalt`, 64 MiB, two passes, one lane.
    const reference: StoredPassword = {
      hash: Buffer.from('09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7', 'hex').toString('base64'),
      salt: Buffer.from('somesalt').toString('base64'),
      algorithm: 'argon2id:m=65536,t=2,p=1',
    };
    expect(checkPassword('password', reference)).toEqual({ isRight: true, isOutdated: false });
    const weaker: StoredPassword = {
      hash: Buffer.from('9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe', 'hex').toString('base64'),
      salt: reference.salt,
      algorithm: 'argon2id:m=256,t=2,p=1',
    };
    expect(checkPassword('password', weaker)).toEqual({ isRight: true, isOutdated: true });
  });

  it.each<Partial<StoredPassword>>([
    { algorithm: 'md5' },
    { algorithm: 'pbkdf2-sha256:0' },
    { algorithm: 'argon2id:m=9999999,t=2,p=1' },
    { algorithm: 'argon2id:m=1,t=1,p=1' },
    { hash: '' },
    { salt: '' },
  ])('fits nothing where somebody wrote nonsense: %j', (nonsense) => {
    expect(checkPassword(PASSWORD, { ...stored, ...nonsense }).isRight).toBe(false);
  });

  it('takes as long to refuse where nothing, or an older hash, is stored', () => {
    const timeOf = (which: StoredPassword | null) => {
      const times = [1, 2].map(() => {
        const before = process.threadCpuUsage();
        checkPassword('another', which);
        const { user, system } = process.threadCpuUsage(before);
        return user + system;
      });
      return Math.min(...times);
    };
    const usual = timeOf(stored);
    for (const which of [null, phoenixHash(PASSWORD), { ...stored, algorithm: 'md5' }]) {
      expect(timeOf(which)).toBeGreaterThan(usual / 2);
    }
  });
});

describe('the thread for passwords', () => {
  let passwords: PasswordThread;
  let deaths: string[];
  let lines: string[];

  beforeEach(() => {
    deaths = [];
    lines = [];
    passwords = new PasswordThread({
      onDeath: (reason) => deaths.push(reason),
      onLog: ({ message }) => lines.push(message),
    });
  });

  afterEach(() => passwords.close());

  it('hashes and checks', async () => {
    const made = await passwords.hash(PASSWORD);
    expect(await passwords.verify(PASSWORD, made)).toEqual({ isRight: true, isOutdated: false });
    expect(await passwords.verify('another', made)).toEqual({ isRight: false, isOutdated: false });
    expect(await passwords.verify(PASSWORD, null)).toEqual({ isRight: false, isOutdated: false });
    expect(lines).toEqual([]);
    await passwords.verify(PASSWORD, { ...made, algorithm: 'md5' });
    expect(lines).toEqual([expect.stringContaining('does not know')]);
    expect(deaths).toEqual([]);
  });

  it('refuses more than it can do in the time that somebody waits, and does what it took', async () => {
    const older = phoenixHash(PASSWORD, 1);
    const taken = Array.from({ length: 64 }, () => passwords.verify(PASSWORD, older));
    await expect(passwords.hash(PASSWORD)).rejects.toMatchObject({
      code: 'resource_exhausted',
      retryAfterSeconds: expect.any(Number),
    });
    for (const { isRight } of await Promise.all(taken)) expect(isRight).toBe(true);
    expect((await passwords.verify(PASSWORD, older)).isRight).toBe(true);
  });

  it('takes nothing after it was closed', async () => {
    const last = passwords.hash(PASSWORD);
    await passwords.close();
    expect((await last).algorithm).toMatch(/^argon2id/);
    await expect(passwords.hash(PASSWORD)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
