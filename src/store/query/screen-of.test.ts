import { expect, it } from 'vitest';
import { parseFilter } from '#filter/parse-filter';
import { screenOf } from './screen-of.ts';

it.each([
  ["name == 'a'", ['name']],
  ["name == 'a' and tenant.id == 'b'", ['name', 'tenant.id']],
  // What comes later may change these.
  ["trace_id == 'a'", null],
  ['cumulative_llm_token_count_total > 1', null],
  ['parent_id is None', ['parent_span_id']],
  ["trace_id == 'a' and name == 'a'", ['name']],
  ["name == 'a' or trace_id == 'b'", null],
])('%s is screened by %j', (text, names) => {
  const { condition } = parseFilter('span', text);
  if (condition === null) throw new Error(`${text} is no filter`);
  const screen = screenOf(condition);
  expect(screen && [...screen.columns, ...screen.attributes]).toEqual(names);
});
