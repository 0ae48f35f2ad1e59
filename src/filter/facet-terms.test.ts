import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditions } from './conditions.fixture.ts';
import { addFacetValue, facetValues, type FacetValue, removeFacetValue } from './facet-terms.ts';
import { formatAttribute, formatFilter } from './format.ts';
import { parseFilter } from './parse-filter.ts';

describe('ticking a value', () => {
  it.each<[text: string, name: string, value: FacetValue, result: string]>([
    ['', 'name', 'a', "name == 'a'"],
    ['  ', 'name', 'a', "name == 'a'"],
    ["name == 'a'", 'name', 'b', "name in ['a', 'b']"],
    ["name == 'a'", 'name', 'a', "name == 'a'"],
    ["name in ['a', 'b']", 'name', 'c', "name in ['a', 'b', 'c']"],
    ["name == 'a'", 'llm.model_name', 'b', "name == 'a' and llm.model_name == 'b'"],
    ['a == 1 or b == 2', 'name', 'a', "(a == 1 or b == 2) and name == 'a'"],
    ['(a == 1 or b == 2)', 'name', 'a', "(a == 1 or b == 2) and name == 'a'"],
    ['(a == 1) or (b == 2)', 'name', 'a', "((a == 1) or (b == 2)) and name == 'a'"],
    [
      "latency_ms  >  5 and (name == 'a') and b == 2",
      'name',
      'b',
      "latency_ms  >  5 and name in ['a', 'b'] and b == 2",
    ],
    ["a == 1 and (b == 2 and name == 'a')", 'name', 'b', "a == 1 and (b == 2 and name in ['a', 'b'])"],
    ["name == 'a' or b == 2", 'name', 'b', "(name == 'a' or b == 2) and name == 'b'"],
    ["name != 'a'", 'name', 'b', "name != 'a' and name == 'b'"],
    ['x == 1', 'x', 'a', "(x == 'a' or x == 1)"],
    ["(x == 'a' or x == 1)", 'x', 2, "(x == 'a' or x in [1, 2])"],
    ["x == 'a'", 'x', null, "(x == 'a' or x is None)"],
    ['', 'x', true, 'x == True'],
    ["attributes['llm']['model_name'] == 'a'", 'llm.model_name', 'b', "llm.model_name in ['a', 'b']"],
    ['', formatAttribute('span', "it's-a.b"), 'a', `attributes["it's-a.b"] == 'a'`],
    ['', 'name', "it's\n", `name == "it's\\n"`],
  ])('%s: %s %j', (text, name, value, result) => {
    expect(addFacetValue('span', text, name, value)).toBe(result);
    expect(facetValues('span', result, name)).toContain(value);
  });
});

describe('unticking a value', () => {
  it.each<[text: string, name: string, value: FacetValue, result: string]>([
    ["name == 'a'", 'name', 'a', ''],
    ["name in ['a', 'b', 'c']", 'name', 'b', "name in ['a', 'c']"],
    ["name in ['a', 'b']", 'name', 'b', "name == 'a'"],
    ["name == 'a'", 'name', 'b', "name == 'a'"],
    ["name == 'a' and b == 2", 'name', 'a', 'b == 2'],
    ["b == 2 and name == 'a'", 'name', 'a', 'b == 2'],
    ["b == 2 and name == 'a' and c == 3", 'name', 'a', 'b == 2 and c == 3'],
    ["b == 2 and (name == 'a' and c == 3)", 'name', 'a', 'b == 2 and (c == 3)'],
    ["(x == 'a' or x == 1)", 'x', 1, "x == 'a'"],
    ["(x == 'a' or x is None) and b == 2", 'x', null, "x == 'a' and b == 2"],
    ["span_kind in ['llm', 'TOOL']", 'span_kind', 'LLM', "span_kind == 'TOOL'"],
    ["name == 'a' or b == 2", 'name', 'a', "name == 'a' or b == 2"],
  ])('%s: %s %j', (text, name, value, result) => {
    expect(removeFacetValue('span', text, name, value)).toBe(result);
  });
});

it('leaves alone what has errors', () => {
  expect(addFacetValue('span', 'name ==', 'name', 'a')).toBeNull();
  expect(removeFacetValue('span', 'name ==', 'name', 'a')).toBeNull();
  expect(facetValues('span', "name == 'a' and", 'name')).toEqual([]);
});

it('unticking undoes ticking, whatever the rest of the filter says', () => {
  const value = fc.oneof(
    fc.string().filter((text) => !text.includes('\0')),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  fc.assert(
    fc.property(conditions('span', 1), fc.uniqueArray(value, { minLength: 1, maxLength: 4 }), (condition, values) => {
      const before = formatFilter('span', condition);
      let text: string | null = before;
      for (const ticked of values) text = text === null ? null : addFacetValue('span', text, 'facet', ticked);
      expect(text).not.toBeNull();
      expect(new Set(facetValues('span', text ?? '', 'facet'))).toEqual(new Set(values));
      for (const ticked of values) text = text === null ? null : removeFacetValue('span', text, 'facet', ticked);
      expect(parseFilter('span', text ?? '').condition).toEqual(parseFilter('span', before).condition);
    }),
    { numRuns: 50 },
  );
});
