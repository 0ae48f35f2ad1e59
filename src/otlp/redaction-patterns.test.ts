import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRedaction } from './redaction-patterns.ts';

describe('compileRedaction', () => {
  it.each([
    ['user.email', 'user.email', true],
    ['user.email', 'User.Email', true],
    ['USER.*', 'user.email', true],
    ['user.email', 'user.emails', false],
    ['user.email', 'userXemail', false],
    ['llm.input_messages.*', 'llm.input_messages.0.message.content', true],
    ['llm.input_messages.*', 'llm.input_messages', false],
    ['*.content', 'llm.input_messages.0.message.content', true],
    ['llm.*.content', 'llm.input_messages.0.message.content', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['a*b*c', 'a-c-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['*ab*ab*', 'ab', false],
    ['a**c', 'ac', true],
    ['*', '', true],
    ['(a+)+$', '(a+)+$', true],
    ['[ab]', 'a', false],
    [' one , two ', 'two', true],
    [',,', '', false],
    ['', 'anything', false],
  ])('with the patterns %j, key %j: %s', (patterns, key, isMasked) => {
    expect(compileRedaction(patterns)(key)).toBe(isMasked);
  });

  it('agrees with the same pattern as a regular expression', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 8 });
    const key = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 12 });
    fc.assert(
      fc.property(word, key, (pattern, text) => {
        const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
        expect(compileRedaction(pattern)(text)).toBe(pattern !== '' && expression.test(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('is not slowed down by a pattern of many wildcards', () => {
    expect(compileRedaction(`${'*a'.repeat(30)}*b`)('a'.repeat(200_000))).toBe(false);
  });
});
