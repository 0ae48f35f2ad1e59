import { beforeEach, describe, expect, it } from 'vitest';
import type { AppError } from '#base/errors';
import { RateLimits, type RatedAction } from './rate-limits.ts';

let nowMs: number;
let limits: RateLimits;

beforeEach(() => {
  nowMs = 1e6;
  limits = new RateLimits(true, () => nowMs);
});

/** How many of so many attempts are let through. */
function tryOften(times: number, address: string, action: RatedAction = 'sign-in'): number {
  return Array.from({ length: times }).filter(() => waitOf(address, action) === 0).length;
}

/** Seconds to wait. */
function waitOf(address: string | undefined, action: RatedAction = 'sign-in'): number {
  try {
    limits.countClient(action, address);
    return 0;
  } catch (error) {
    expect(error).toMatchObject({ code: 'resource_exhausted', message: expect.stringMatching(/^Too many requests\./) });
    return (error as AppError).retryAfterSeconds ?? Number.NaN;
  }
}

describe('rate limits', () => {
  it('let twelve sign-ins of a client through, and then one in five seconds', () => {
    expect(tryOften(20, '192.0.2.1')).toBe(12);
    expect(waitOf('192.0.2.1')).toBe(5);
    nowMs += 4000;
    expect(waitOf('192.0.2.1')).toBe(1);
    nowMs += 1000;
    expect(tryOften(3, '192.0.2.1')).toBe(1);
    nowMs += 3600_000;
    expect(tryOften(20, '192.0.2.1')).toBe(12);
  });

  it('count clients apart, and what they do', () => {
    expect(tryOften(20, '192.0.2.1')).toBe(12);
    expect(tryOften(20, '192.0.2.2')).toBe(12);
    expect(tryOften(100, '192.0.2.1', 'refresh')).toBe(60);
    expect(tryOften(20, '192.0.2.1', 'reset')).toBe(12);
  });

  it.each([
    ['2001:db8:0:1::1', '2001:0db8::1:ffff:0:0:9', true],
    ['2001:db8::1', '2001:db8:0:0:8::', true],
    ['::1', '::ffff:a:b', true],
    ['64:ff9b::192.0.2.1', '64:ff9b::192.0.2.2', true],
    ['2001:db8:0:1::1', '2001:db8:0:2::1', false],
    ['2001:db8::1', '2001:db9::1', false],
  ])('count %s and %s together: %s', (one, other, isTogether) => {
    expect(tryOften(12, one)).toBe(12);
    expect(waitOf(other) > 0).toBe(isTogether);
  });

  it('count clients of unknown addresses together', () => {
    for (let times = 0; times < 12; times++) expect(waitOf(undefined)).toBe(0);
    expect(waitOf(undefined)).toBe(5);
  });

  it('count accounts apart from clients', () => {
    expect(tryOften(12, 'ada')).toBe(12);
    for (let times = 0; times < 24; times++) limits.countAccount('sign-in', 'ada');
    expect(() => limits.countAccount('sign-in', 'ada')).toThrow('Try again in 5 s.');
    expect(() => limits.countAccount('sign-in', 'bob')).not.toThrow();
  });

  it('leave the reader of a reset mail the time to use it, however often strangers ask for another', () => {
    const ask = () => limits.countAccount('reset request', 'ada@example.com');
    for (let times = 0; times < 3; times++) ask();
    for (let minute = 0; minute < 9; minute++) {
      nowMs += 60_000;
      expect(ask).toThrow('Too many requests.');
    }
    nowMs += 60_000;
    expect(ask).not.toThrow();
  });

  it('forget who was seen longest ago, and keep who is seen', () => {
    expect(tryOften(12, 'old')).toBe(12);
    expect(tryOften(12, 'busy')).toBe(12);
    for (let other = 0; other < 20_000; other++) {
      waitOf(`other ${other}`);
      if (other % 5000 !== 0) continue;
      nowMs += 5000;
      expect(tryOften(2, 'busy')).toBe(1);
    }
    expect(waitOf('busy')).toBeGreaterThan(0);
    expect(tryOften(20, 'old')).toBe(12);
  });

  it('can be switched off', () => {
    limits = new RateLimits(false);
    expect(tryOften(1000, '192.0.2.1')).toBe(1000);
  });
});
