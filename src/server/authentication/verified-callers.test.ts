import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { userCaller } from '#domain/callers.fixture';
import { type Verdict, VerifiedCallers } from './verified-callers.ts';

const GOOD: Verdict = { caller: userCaller('member'), expiresAtUs: null };
const BAD: Verdict = { refusal: new AppError('unauthenticated', 'no') };

let nowMs: number;
let looks: string[];
let verified: VerifiedCallers;

beforeEach(() => {
  nowMs = 1000;
  looks = [];
  verified = new VerifiedCallers(() => nowMs);
});

const find = (credential: string, verdict: Promise<Verdict> = Promise.resolve(GOOD)) =>
  verified.find(credential, () => {
    looks.push(credential);
    return verdict;
  });

describe('a caller', () => {
  it('is looked up once for all who ask within less than a second', async () => {
    await Promise.all([find('a'), find('a')]);
    nowMs += 799;
    expect(await find('a')).toBe(GOOD);
    expect(looks).toEqual(['a']);
    nowMs += 1;
    await find('a');
    expect(looks).toEqual(['a', 'a']);
  });

  it('is looked up again after a change of access, also where a look had begun before it', async () => {
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    const early = find('a', promise);
    verified.forget();
    const late = find('a', Promise.resolve(BAD));
    resolve(GOOD);
    expect([await early, await late]).toEqual([GOOD, BAD]);
    expect(await find('a', Promise.resolve(BAD))).toBe(BAD);
  });

  it('that is refused is not kept, and drives nobody out', async () => {
    await find('a');
    await find('b', Promise.resolve(BAD));
    await find('b', Promise.resolve(BAD));
    expect(looks).toEqual(['a', 'b', 'b']);
  });

  it('that could not be looked up is looked up again', async () => {
    await expect(find('a', Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await find('a')).toBe(GOOD);
  });

  it('that has not been seen for long makes room', async () => {
    for (let index = 0; index <= 10_000; index++) await find(`key ${index}`);
    looks = [];
    await find('key 1');
    await find('key 0');
    expect(looks).toEqual(['key 0']);
  });
});
