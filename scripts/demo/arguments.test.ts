import { describe, expect, it } from 'vitest';
import { parseDemoArguments } from './arguments.ts';

describe('parseDemoArguments', () => {
  it('has defaults for everything', () => {
    expect(parseDemoArguments([], 1_790_000_000_000, {})).toEqual({
      url: 'http://localhost:6006/v1/traces',
      key: null,
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

  it('takes the key of the option, or of the environment', () => {
    const keyOf = (args: string[], env = {}) => parseDemoArguments(args, 0, env);
    const env = { CAIRN_API_KEY: 'a', PHOENIX_API_KEY: 'b' };
    expect(keyOf(['--key', ' c '], env)).toMatchObject({ key: 'c' });
    expect(keyOf([], env)).toMatchObject({ key: 'a' });
    expect(keyOf([], { CAIRN_API_KEY: '', PHOENIX_API_KEY: 'b' })).toMatchObject({ key: 'b' });
    expect(() => keyOf(['--key', 'hunter 2'])).toThrow(/^An API key is one word of ASCII characters/);
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
