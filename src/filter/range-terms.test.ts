import { expect, it } from 'vitest';
import { numberRange, setNumberRange } from './range-terms.ts';

const set = (text: string, min: number | null, max: number | null) =>
  setNumberRange('span', text, 'latency_ms', { min, max });

it('reads bounds wherever they are joined by and', () => {
  expect(numberRange('span', "name == 'a' and latency_ms >= 5 and latency_ms < 1e3", 'latency_ms')).toEqual({
    min: 5,
    max: 1000,
  });
  expect(numberRange('span', 'latency_ms >= 5 or latency_ms < 2', 'latency_ms')).toEqual({ min: null, max: null });
  expect(numberRange('span', 'latency_ms >= ', 'latency_ms')).toEqual({ min: null, max: null });
});

it('adds, changes and removes bounds, and leaves the rest as it is written', () => {
  expect(set('', 5, null)).toBe('latency_ms >= 5');
  expect(set("name == 'a' or name=='b'", 5, 9)).toBe(
    "(name == 'a' or name=='b') and latency_ms >= 5 and latency_ms <= 9",
  );
  expect(set("latency_ms > 1 and name=='b'", 5.5, null)).toBe("latency_ms >= 5.5 and name=='b'");
  expect(set("latency_ms >= 1 and name=='b' and latency_ms <= 3", null, null)).toBe("name=='b'");
  expect(set('latency_ms >= 1', null, null)).toBe('');
  expect(set('latency_ms >=', 1, 2)).toBeNull();
});
