import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { LongCalls } from './long-calls.ts';

const asker = { shares: ['somebody', '127.0.0.1'], operation: 1 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
});

it('knows nothing of a call that was not answered', () => {
  expect(new LongCalls().isLong(asker, 'browse')).toBeUndefined();
});

it('holds a long call against its caller for a minute, whatever came before or comes meanwhile', () => {
  const calls = new LongCalls();
  calls.note(asker, 'browse', 10);
  expect(calls.isLong(asker, 'browse')).toBe(false);
  calls.note(asker, 'browse', 600);
  calls.note(asker, 'browse', 10);
  expect(calls.isLong(asker, 'browse')).toBe(true);
  expect(calls.isLong({ ...asker, shares: ['another'] }, 'browse')).toBeUndefined();
  vi.advanceTimersByTime(61_000);
  expect(calls.isLong(asker, 'browse')).toBe(false);
});

it('remembers a caller who was long and still calls, beside thousands who were not', () => {
  const calls = new LongCalls();
  calls.note(asker, 'browse', 600);
  for (let number = 0; number < 6000; number++) {
    calls.note(asker, 'browse', 10);
    calls.note({ ...asker, shares: [`caller ${number}`] }, 'browse', 10);
  }
  expect(calls.isLong(asker, 'browse')).toBe(true);
  expect(calls.isLong({ ...asker, shares: ['caller 0'] }, 'browse')).toBeUndefined();
});
