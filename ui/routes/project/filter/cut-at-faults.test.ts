import { expect, it } from 'vitest';
import { parseFilter } from '#filter/parse-filter';
import { cutAtFaults } from './cut-at-faults.ts';

const cut = (text: string) =>
  cutAtFaults(text, parseFilter('span', text).diagnostics).map(({ part, severity }) =>
    severity === null ? part : `[${part}]`,
  );

it('underlines what is faulty, and leaves the rest', () => {
  expect(cut("name == 'a'")).toEqual(["name == 'a'"]);
  expect(cut("latency_ms > '100' and name == 'a'").join('')).toBe("latency_ms > ['100'] and name == 'a'");
});

it('underlines the end where something is missing', () => {
  expect(cut('latency_ms >').at(-1)).toMatch(/^\[.+\]$/);
  expect(cut('')).toEqual([]);
});
