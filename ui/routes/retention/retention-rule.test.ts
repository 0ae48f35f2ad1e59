import { expect, it } from 'vitest';
import { describeRule, readRule, toRuleInput, writeRule } from './retention-rule.ts';

it('reads limits, of which either may be left out', () => {
  expect(readRule({ days: '30', count: '' })).toEqual({ maxDays: 30, maxCount: null });
  expect(readRule({ days: ' 0.5 ', count: '100,000' })).toEqual({ maxDays: 0.5, maxCount: 100_000 });
  for (const none of ['', '0', '0.0'])
    expect(readRule({ days: none, count: none }), none).toEqual({ maxDays: null, maxCount: null });
});

it('says what it does not understand', () => {
  for (const days of ['a month', '-1', '1e9', '1,5'])
    expect(readRule({ days, count: '' }), days).toEqual({ fault: expect.stringContaining('days') as string });
  for (const count of ['many', '1.5', '9999999999'])
    expect(readRule({ days: '', count }), count).toEqual({ fault: expect.stringContaining('traces') as string });
});

it('says a rule in words, in fields and to the server', () => {
  expect(describeRule({ maxDays: 1, maxCount: 2000 })).toBe('1 day, at most 2,000 traces');
  expect(describeRule({ maxDays: 0, maxCount: null })).toBe('everything');
  expect(writeRule({ maxDays: 0, maxCount: 5 })).toEqual({ days: '', count: '5' });
  expect(toRuleInput({ maxDays: null, maxCount: null })).toEqual({ maxDays: { maxDays: 0 } });
  expect(toRuleInput({ maxDays: null, maxCount: 5 })).toEqual({ maxCount: { maxCount: 5 } });
  expect(toRuleInput({ maxDays: 3, maxCount: 5 })).toEqual({ maxDaysOrCount: { maxDays: 3, maxCount: 5 } });
});
