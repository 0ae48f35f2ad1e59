/** The texts of faults, which people read, are in test/fixtures/filters/faults.json. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from './diagnostic.ts';
import { parseFilter } from './parse-filter.ts';
import type { FilterGrain } from './tree.ts';

/** The fragment is in «»; the last is the filter once it is mended. */
type Fault = readonly [grain: FilterGrain, marked: string, code: string, message: string, mended: string | null];

const FAULTS = JSON.parse(
  readFileSync(new URL('../../test/fixtures/filters/faults.json', import.meta.url), 'utf8'),
) as readonly Fault[];

const MENDED = FAULTS.flatMap(([grain, , , message, mended]) =>
  mended === null ? [] : [[grain, mended, message] as const],
);

describe('a fault says where it is, what it is, and what to write instead', () => {
  it.each(FAULTS)('%s: %s', (grain, marked, code, message, mended) => {
    const text = marked.replace('«', '').replace('»', '');
    const { condition, diagnostics } = parseFilter(grain, text);
    const found = diagnostics.map((fault) => [grain, mark(text, fault), fault.code, fault.message, mend(text, fault)]);
    expect(found).toEqual([[grain, marked, code, message, mended]]);
    expect(condition !== null).toBe(diagnostics.every(({ severity }) => severity === 'warning'));
  });

  it.each(MENDED)('%s: %s', (grain, mended, message) => {
    const messages = parseFilter(grain, mended).diagnostics.map((fault) => fault.message);
    expect(messages).not.toContain(message);
  });
});

it('tells of all faults, in the order of the text', () => {
  const text = `latncy_ms > '5' AND (foo == 1 && any(s.nam == “a” for s in span)) or total_cost and input = 5`;
  expect(parseFilter('trace', text).diagnostics.map((fault) => [fault.code, fault.message])).toEqual([
    ['unknown_name', 'traces have no `latncy_ms`: did you mean `latency_ms`?'],
    ['unsupported', '`AND` must be in lower case: `and`'],
    ['unknown_name', expect.stringContaining('traces have no `foo`: they have trace_id, ')],
    ['unsupported', '`&&` is not an operator here: write `and`'],
    ['bad_text', "`“a”` has typographic quotation marks: write 'a'"],
    ['bad_comprehension', '`span` is not a collection: did you mean `spans`?'],
    ['not_a_condition', '`total_cost` is a value, not a condition: compare it, as in `total_cost > 0`'],
    ['unsupported', '`=` is not an operator here: write `==`'],
    ['type_mismatch', "`input` is a text and `5` is a number: write '5' instead of 5"],
  ]);
});

it('repairs no duration beside a time of day', () => {
  const found = parseFilter('span', 'start_time > 5d').diagnostics;
  expect(found.map(({ code, repair }) => [code, repair])).toEqual([
    ['bad_number', undefined],
    ['type_mismatch', undefined],
  ]);
});

function mark(text: string, { start, end }: Diagnostic): string {
  return `${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`;
}

function mend(text: string, { repair }: Diagnostic): string | null {
  return repair === undefined ? null : text.slice(0, repair.start) + repair.text + text.slice(repair.end);
}
