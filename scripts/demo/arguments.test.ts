import { describe, expect, it } from 'vitest';
import { parseDemoArguments } from './arguments.ts';

describe('parseDemoArguments', () => {
  it('has defaults for everything', () => {
    expect(parseDemoArguments([], 1_790_000_000_000)).toEqual({
      url: 'http://localhost:6006/v1/traces',
      seed: 'demo',
      days: 7,
      scale: 1,
      untilMs: 1_790_000_000_000,
    });
  });

  it('takes the address with or without the option and keeps a root path', () => {
    expect(parseDemoArguments(['http://host:1/base/'])).toMatchObject({ url: 'http://host:1/base/v1/traces' });
    expect(parseDemoArguments(['--url', 'https://host'])).toMatchObject({ url: 'https://host/v1/traces' });
  });

  it('reads the other options', () => {
    const args = ['--days', '2', '--scale=0.5', '--seed', 'x', '--until', '2026-11-20T18:00Z'];
    expect(parseDemoArguments(args)).toMatchObject({
      days: 2,
      scale: 0.5,
      seed: 'x',
      untilMs: Date.UTC(2026, 10, 20, 18),
    });
    expect(parseDemoArguments(['--help'])).toBe('help');
  });

  it.each([
    [['--days', 'many'], '--days must be a number from 1 to 90'],
    [['--scale', '0'], '--scale must be a number from 0.01'],
    [['--until', 'noon'], '--until "noon" is not a time'],
    [['localhost:6006'], 'not a server address'],
    [['http://a', 'http://b'], 'One address is enough'],
    [['--speed', '3'], '--speed'],
  ])('refuses %j in one line', (args, message) => {
    expect(() => parseDemoArguments(args)).toThrow(message);
  });
});
