import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { compilePattern } from './name-pattern.ts';

describe('a pattern of model names', () => {
  it.each([
    ['gpt-4o', 'openai/gpt-4o-mini', true],
    ['^gpt-4o$', 'gpt-4o-mini', false],
    ['^gpt-4o$', 'gpt-4o', true],
    ['(?i)^claude', 'CLAUDE-3', true],
    ['^claude', 'CLAUDE-3', false],
    ['^gpt-(35|3\\.5)-turbo$', 'gpt-35-turbo', true],
    ['^gpt-(35|3\\.5)-turbo$', 'gpt-3x5-turbo', false],
    ['^(?:a|b)+$', 'abba', true],
    ['^(?P<family>claude)-\\d{4}-\\d{2}$', 'claude-2024-10', true],
    ['^m[^a-z0-9]x$', 'm-x', true],
    ['^m[^a-z0-9]x$', 'm1x', false],
    ['^[\\w.-]{2,4}$', 'a.b', true],
    ['^[\\w.-]{2,4}$', 'a.b.c', false],
    ['^a{2,}$', 'aaaa', true],
    ['^a{0}$', '', true],
    ['o3?', 'o1', true],
    ['^$', '', true],
    ['a||b', 'c', true],
    ['[]x]', ']', true],
    ['a{x', 'a{x', true],
  ])('%s in %s: %s', (pattern, name, isFound) => {
    expect(compilePattern(pattern).matches(name)).toBe(isFound);
  });

  it.each([
    ['', /is empty/],
    ['gpt(?!-mini)', /looks ahead, behind or back/],
    ['(a)\\1', /\\1 is not understood/],
    ['*', /nothing for \* to repeat/],
    ['a++', /repeated already/],
    ['(a', /not closed/],
    ['a)', /closes nothing/],
    ['[a', /not closed/],
    ['[z-a]', /ends before it begins/],
    ['a{3,2}', /ends below/],
    ['a{1000}', /more than 256/],
    ['((a{99}){99}){99}', /repeats too much/],
    [`${'('.repeat(30)}a${')'.repeat(30)}`, /20 deep/],
    ['a\\', /backslash/],
    ['a'.repeat(513), /at most 512/],
  ])('%s is refused with a reason', (pattern, message) => {
    expect(() => compilePattern(pattern)).toThrow(message);
  });

  it.each(['(a+)+$', '(a|a)*$', '(a*)*$', '((){256}){256}', '(?:(?:a?){30}){30}$'])('%s ends in no time', (pattern) => {
    const startedAt = performance.now();
    compilePattern(pattern).matches(`${'a'.repeat(10_000)}!`);
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  it('matches as regular expressions do', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '.',
      '^',
      '$',
      '(a|b)',
      '[ab]',
      '[^a]',
      'a?',
      'b*',
      '(ab)+',
      'a{1,2}',
      '|',
      '(?:a|)',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 8 }),
        fc.stringMatching(/^[abc]{0,8}$/),
        (pieces, name) => {
          const pattern = pieces.join('');
          expect(compilePattern(pattern).matches(name)).toBe(new RegExp(pattern).test(name));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('never fails otherwise than with what is wrong', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab(?:|)[]^$.*+{1,}\\-d') }), (pattern) => {
        try {
          compilePattern(pattern).matches('abab');
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('says more the more of a name it says', () => {
    const ordered = ['gpt.*', 'gpt-4', 'gpt-4o', '^gpt-4o', 'gpt-4o-mini', '^gpt-4o$'];
    const scores = ordered.map((pattern) => compilePattern(pattern).specificity);
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    expect(compilePattern('.*').specificity).toBeGreaterThanOrEqual(1);
  });
});
