import { expect, it } from 'vitest';
import { joinFilters } from './join-filters.ts';

it('joins filters by and, those with or in brackets', () => {
  expect(joinFilters(null, null)).toBeNull();
  expect(joinFilters('latency_ms > 1', null)).toBe('latency_ms > 1');
  expect(joinFilters(null, 'latency_ms > 1')).toBe('latency_ms > 1');
  expect(joinFilters('latency_ms > 1', "name == 'a' and name != 'b'")).toBe(
    "latency_ms > 1 and name == 'a' and name != 'b'",
  );
  expect(joinFilters("name == 'a' or name == 'b'", 'latency_ms > 1')).toBe(
    "(name == 'a' or name == 'b') and latency_ms > 1",
  );
  expect(joinFilters('error_count > 0 or num_spans > 2', 'latency_ms > 1', 'trace')).toBe(
    '(error_count > 0 or num_spans > 2) and latency_ms > 1',
  );
});
