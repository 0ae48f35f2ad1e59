import { expect, it } from 'vitest';
import { addMonths, dayAfterKey, monthAfter, weeksOf } from './calendar-days.ts';

it('lays a month out in weeks from Monday on', () => {
  const weeks = weeksOf('2026-11');
  expect(weeks).toHaveLength(6);
  expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01']);
  expect(weeks.at(-1)).toEqual(['2026-11-30', null, null, null, null, null, null]);
  expect(weeksOf('2027-02')).toHaveLength(4);
});

it('goes through the days by keys', () => {
  const after = (key: string, isShift = false) => dayAfterKey('2026-11-20', key, isShift);
  expect(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].map((key) => after(key))).toEqual([
    '2026-11-19',
    '2026-11-21',
    '2026-11-13',
    '2026-11-27',
    '2026-11-16',
    '2026-11-22',
  ]);
  expect([after('PageUp'), after('PageDown'), after('PageUp', true), after('x')]).toEqual([
    '2026-10-20',
    '2026-12-20',
    '2025-11-20',
    undefined,
  ]);
});

it('stays within shorter months, and passes the ends of years', () => {
  expect(addMonths('2026-10-31', 1)).toBe('2026-11-30');
  expect(addMonths('2024-02-29', 12)).toBe('2025-02-28');
  expect([monthAfter('2026-12', 1), monthAfter('2026-01', -1)]).toEqual(['2027-01', '2025-12']);
});
