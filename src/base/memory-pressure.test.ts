import { closeSync, openSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MemoryPressure } from './memory-pressure.ts';

let bytes: number | undefined;
let said: string[];
let pressure: MemoryPressure;

beforeEach(() => {
  vi.useFakeTimers();
  bytes = 99;
  said = [];
  pressure = new MemoryPressure({
    fromBytes: 100,
    readBytes: () => bytes,
    onHigh: () => said.push('high'),
    onRelief: () => said.push('relief'),
  });
  pressure.start();
});

afterEach(() => {
  pressure[Symbol.dispose]();
  vi.useRealTimers();
});

it('says that memory is short for as long as it is, and once that it is not', () => {
  vi.advanceTimersByTime(1000);
  expect([pressure.isHigh(), said]).toEqual([false, []]);
  bytes = 100;
  vi.advanceTimersByTime(1900);
  expect([pressure.isHigh(), said]).toEqual([true, ['high']]);
  vi.advanceTimersByTime(2000);
  expect(said).toEqual(['high', 'high']);
  bytes = 99;
  vi.advanceTimersByTime(3000);
  expect([pressure.isHigh(), said]).toEqual([false, ['high', 'high', 'relief']]);
});

it('says so less and less often where that helps nothing, and at first again after a relief', () => {
  bytes = 100;
  vi.advanceTimersByTime(60_000);
  // After 2, 4, 8, 16 and 16 s.
  expect(said).toHaveLength(6);
  bytes = 99;
  vi.advanceTimersByTime(20_000);
  bytes = 100;
  vi.advanceTimersByTime(5000);
  expect(said.slice(6)).toEqual(['relief', 'high', 'high']);
});

it('answers by what is true now, and tells those who hear of it later', () => {
  bytes = 100;
  vi.advanceTimersByTime(50);
  expect([pressure.isHigh(), said]).toEqual([true, []]);
  bytes = 99;
  expect(pressure.isHigh(), 'as it was a moment ago').toBe(true);
  vi.advanceTimersByTime(50);
  expect([pressure.isHigh(), said], 'those who were refused meanwhile').toEqual([false, ['relief']]);
});

it('reads what this process takes without what files back', () => {
  vi.useRealTimers();
  const rss = process.memoryUsage.rss();
  const isAbove = (fromBytes: number) => {
    using own = new MemoryPressure({ fromBytes, onHigh: () => undefined, onRelief: () => undefined });
    own.start();
    return own.isHigh();
  };
  expect([isAbove(rss / 10), isAbove(rss * 2)]).toEqual([true, false]);
});

it('ends once, however often it is told to', () => {
  vi.useRealTimers();
  using other = new MemoryPressure({ fromBytes: 1, onHigh: () => undefined, onRelief: () => undefined });
  other.start();
  other[Symbol.dispose]();
  const file = openSync('/dev/null', 'r');
  other[Symbol.dispose]();
  expect(() => closeSync(file)).not.toThrow();
});

it('takes what cannot be read for no shortage', () => {
  bytes = 100;
  vi.advanceTimersByTime(100);
  bytes = undefined;
  vi.advanceTimersByTime(100);
  expect([pressure.isHigh(), said]).toEqual([false, ['high', 'relief']]);
});
