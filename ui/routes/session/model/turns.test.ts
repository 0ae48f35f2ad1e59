import { expect, it } from 'vitest';
import { listConversationRows } from './turns.ts';

const turn = (start: string, end: string, isGood = true) => ({
  startTime: `2026-11-21T${start}Z`,
  endTime: `2026-11-21T${end}Z`,
  isGood,
});

const TURNS = [
  turn('08:00:00', '08:00:10'),
  turn('08:01:00', '08:01:05', false),
  turn('08:30:05', '08:30:06'),
  turn('08:30:07', '08:31:00'),
];

const tell = (isKept: (kept: (typeof TURNS)[number]) => boolean) =>
  listConversationRows(TURNS, isKept).map((row) => (row.type === 'turn' ? row.number : `${row.ms / 60_000} min`));

it('numbers the turns and marks the pauses that are noticed', () => {
  expect(tell(() => true)).toEqual([1, 2, '29 min', 3, 4]);
});

it('keeps the numbers of the turns, and invents no pause, where some are left out', () => {
  expect(tell(({ isGood }) => isGood)).toEqual([1, 3, 4]);
  expect(tell(() => false)).toEqual([]);
});
