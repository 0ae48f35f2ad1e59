import { format, inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Secret } from './secret.ts';

describe('a secret', () => {
  const secret = new Secret('hunter2');

  it('prints as [secret] however it is printed', () => {
    expect([
      String(secret),
      `${secret}`,
      JSON.stringify({ secret }),
      inspect({ secret }),
      format('%s %o', secret, secret),
    ]).toEqual(['[secret]', '[secret]', '{"secret":"[secret]"}', '{ secret: [secret] }', '[secret] [secret]']);
  });

  it('has no property that holds the text', () => {
    expect(inspect(secret, { showHidden: true, depth: 5, customInspect: false })).not.toContain('hunter2');
    expect({ ...secret }).toEqual({});
  });

  it('gives its text when asked by name', () => {
    expect(secret.reveal()).toBe('hunter2');
  });
});
