import { expect, it } from 'vitest';
import { numberRange, setNumberRange } from './range-terms.ts';

const from = (value: number | null, isExclusive = false) => (value === null ? null : { value, isExclusive });
const set = (text: string, min: number | null, max: number | null) =>
  setNumberRange('span', text, 'latency_ms', { min: from(min), max: from(max) });

it('reads bounds wherever they are joined by and', () => {
  expect(numberRange('span', "name == 'a' and latency_ms >= 5 and latency_ms < 1e3", 'latency_ms')).toEqual({
    min: from(5),
    max: from(1000, true),
  });
  expect(numberRange('span', 'latency_ms >= 5 or latency_ms < 2', 'latency_ms')).toEqual({ min: null, max: null });
  expect(numberRange('span', 'latency_ms >= ', 'latency_ms')).toEqual({ min: null, max: null });
});

it('tells what is outside by itself, and keeps that', () => {
  const failed = (filter: string) => numberRange('trace', filter, 'error_count');
  expect(failed('error_count > 0')).toEqual({ min: from(0, true), max: null });
  expect(setNumberRange('trace', 'error_count > 0', 'error_count', { min: from(0, true), max: from(9) })).toBe(
    'error_count > 0 and error_count <= 9',
  );
  expect(setNumberRange('trace', 'error_count > 0', 'error_count', { min: from(0), max: null })).toBe(
    'error_count >= 0',
  );
});

it.each([
  ['span', "annotations['q']"],
  ['trace', "trace_annotations['q']"],
  ['session', "session_annotations['q']"],
] as const)('bounds the scores of annotations of a %s, which may be negative', (grain, annotation) => {
  const filter = setNumberRange(grain, '', `${annotation}.score`, { min: from(-0.5), max: from(0.2, true) });
  expect(filter).toBe(`${annotation}.score >= -0.5 and ${annotation}.score < 0.2`);
  expect(numberRange(grain, filter ?? '', `${annotation}.score`)).toEqual({ min: from(-0.5), max: from(0.2, true) });
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
