import { expect, it } from 'vitest';
import { parseFilter } from './parse-filter.ts';
import { selectsRootsOnly } from './selects-roots.ts';

it.each([
  ['parent_span is None', true],
  ['parent_id is None', true],
  ["name == 'a' and parent_span is None", true],
  ['parent_span is None or parent_id is None', true],
  ["parent_span is None or name == 'a'", false],
  ['parent_span is not None', false],
  ['not parent_span is not None', true],
  ["name == 'a'", false],
])('%s: %s', (text, expected) => {
  const { condition } = parseFilter('span', text);
  expect(condition !== null && selectsRootsOnly(condition)).toBe(expected);
});
